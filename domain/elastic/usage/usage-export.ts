import type { FilterInput, SortInput } from '#domain/filter/filter.ts'

/** An export at once ends here; what is larger is made in the background. */
export const MAX_EXPORT = 30_000
/** How long the file of a background export can be downloaded. */
export const EXPORT_KEPT_DAYS = 7

export const tooManyTransactions = (most: number) =>
  `Total number of available transactions exceeds ${most.toLocaleString('en-US')}. Apply filters to reduce selection.`
export const TOO_MANY_TRANSACTIONS = tooManyTransactions(MAX_EXPORT)

/** What was requested, stored so that a restarted portal continues with the same. */
export type UsageExportRequest = { serverId?: string; filter?: FilterInput; sorting?: SortInput[] }
