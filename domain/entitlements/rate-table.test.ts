import { expect, test } from 'vitest'
import { shownRateTable } from '#domain/entitlements/rate-table.ts'

test.each([
  ['2026R1.3', '2026R1'],
  ['2026R1.3.17', '2026R1'],
  ['2026R1', '2026R1'],
  ['.5', ''],
  ['', ''],
])('%j is shown as %j', (version, shown) => {
  expect(shownRateTable(version)).toBe(shown)
})
