import type { FilterInput, SortInput } from '#domain/filter/filter.ts'

/** Maximum number of rows of a direct export. Larger exports are made in the background. */
export const MAX_EXPORT = 30_000
/** How long the file of a background export can be downloaded. */
export const EXPORT_KEPT_DAYS = 7

export const tooManyTransactions = (most: number) =>
  `Total number of available transactions exceeds ${most.toLocaleString('en-US')}. Apply filters to reduce selection.`
export const TOO_MANY_TRANSACTIONS = tooManyTransactions(MAX_EXPORT)

/** The request, stored so that a restarted portal continues with it. */
export type UsageExportRequest = { serverId?: string; filter?: FilterInput; sorting?: SortInput[] }
