import { LARGEST, MONTH } from '#bench/usage/dataset.ts'
import { USAGE_COLUMNS } from '#contract/elastic/usage/usage-list.ts'
import type { CriterionInput, FilterInput } from '#domain/filter/filter.ts'

/** The columns of the screen, and the fields that it needs to know about a row. */
export const ATTRIBUTES = ['TransactionNumber', ...USAGE_COLUMNS.map(([field]) => field), 'Active']

export function within({ from, to }: { from: string; to: string }, ...more: CriterionInput[]): FilterInput {
  return {
    condition: 'ALL',
    criteria: [
      { name: 'EndTime_ts', method: 'AFTER', value: from },
      { name: 'StartTime_ts', method: 'BEFORE', value: to },
      ...more,
    ],
  }
}

/** The first page of a month, as the screen asks for it. */
export const PAGE = { customerNumber: LARGEST, attributes: ATTRIBUTES, filter: within(MONTH), limit: 20 }
