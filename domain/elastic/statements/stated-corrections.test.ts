import { expect, test } from 'vitest'
import { correctionsNote } from '#domain/elastic/statements/stated-corrections.ts'

const aeu = { currency: 'AEU', total: '-1234.5', transactions: 3 }
const euro = { currency: 'EUR', total: '-0.05', transactions: 1 }

test.each([
  [[], undefined],
  [[aeu], 'Used is net of corrections: -1,234.50 AEU (3 transactions).'],
  [[aeu, euro], 'Used is net of corrections: -1,234.50 AEU (3 transactions), -0.05 EUR (1 transaction).'],
])('states corrections %#', (corrections, note) => {
  expect(correctionsNote(corrections)).toBe(note)
})
