import { BusinessRefusal } from '#server/http/http-error.ts'

/** More rows than one answer, or one export, may hold. */
export const tooManyRows = () =>
  new BusinessRefusal('TOO_MANY_ROWS', 'total number of records exceeds maximum allowed length')

export const tooManyDistinct = () => new BusinessRefusal('TOO_MANY_DISTINCT', 'Too many distinct values')

/** A retry would take as long, so this is a refusal of the request and not an internal error. */
export const readTimeout = () =>
  new BusinessRefusal(
    'LIST_TIMEOUT',
    'data request timeout: this takes too long to read. Narrow the filter or the dates and try again.',
  )
