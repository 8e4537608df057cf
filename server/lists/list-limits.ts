import { Refusal } from '#server/plugins/problem.ts'

/** More rows than one answer, or one export, may hold. */
export const tooManyRows = () => new Refusal('TOO_MANY_ROWS', 'total number of records exceeds maximum allowed length')

export const tooManyDistinct = () => new Refusal('TOO_MANY_DISTINCT', 'Too many distinct values')
