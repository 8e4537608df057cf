import { expect, it, test } from 'vitest'
import { exportFileName, TOO_MANY_TRANSACTIONS } from '#domain/elastic/usage-export.ts'
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
])('a file is named after the account and its days %#', (filter, days) => {
  expect(exportFileName('100001', filter, 'Europe/Berlin')).toBe(`usage-transactions_100001_${days}.csv`)
})

test('too many is said in the words of the specification', () => {
  expect(TOO_MANY_TRANSACTIONS).toBe(
    'Total number of available transactions exceeds 30000. Apply filters to reduce selection.',
  )
})
