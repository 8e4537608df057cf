import { expect, it } from 'vitest'
import { exportFileName } from '#contract/elastic/usage/usage-exports.ts'
import type { FilterInput } from '#domain/filter/filter.ts'

const range = (from: string, to: string): FilterInput => ({
  condition: 'ALL',
  criteria: [
    { name: 'EndTime_ts', method: 'AFTER', value: from },
    { name: 'StartTime_ts', method: 'BEFORE', value: to },
  ],
})

it.each([
  [range('2026-09-30T22:00:00.000Z', '2026-10-31T22:59:59.999Z'), '2026-10-01_2026-10-31'],
  [range('never', '2026-10-31T22:59:59.999Z'), 'start_2026-10-31'],
  [undefined, 'start_today'],
  [{ ...range('2026-09-30T22:00:00.000Z', '2026-10-31T22:59:59.999Z'), condition: 'ANY' } as const, 'start_today'],
])('names the file after the account and the days %#', (filter, days) => {
  expect(exportFileName('100001', filter, 'Europe/Berlin')).toBe(`usage-transactions_100001_${days}`)
})
