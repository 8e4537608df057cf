import { expect, test } from 'vitest'
import { LAST_TO_END_FIRST } from '#contract/entitlements/balance-row.ts'
import { CONTRACT_ROW_FIELDS, contractRows } from '#contract/fsa/contract-row.ts'
import type { WireFsaEntitlement } from '#contract/fsa/entitlements.ts'
import { parseSorting } from '#domain/filter/parse-sorting.ts'

const contract: WireFsaEntitlement = {
  ActivationId: 'a-1',
  EntitlementID: 'ENT-1',
  PartNumber: 'FSA0030100',
  MappedPartNumber: 'FSA0030100',
  ProductName: 'Flexible Spending Account',
  ProductCount: 1,
  LineItemQuantity: 1,
  ansyssubtype: 'FSA',
  ansysprice: '1000.00',
  ansyscount: 1,
  ansyscurrency: 'USD',
  StartDate: '2026-01-01',
  EndDate: '2026-12-31',
  manualentry: false,
  apimeta: { requesterEmail: '', orderid: 'SO-1', timestamp: '2026-01-01T00:00:00.000Z', fsaID: null },
}
const drawn = (price: string, manualentry = false, fsaID = 'ENT-1'): WireFsaEntitlement => ({
  ...contract,
  EntitlementID: `ENT-${price}`,
  ansysprice: price,
  manualentry,
  apimeta: { ...contract.apimeta, fsaID },
})

test('a contract shows what was ordered from it, manual entries included', () => {
  const rows = contractRows([contract, drawn('0.10'), drawn('0.20', true), drawn('500', false, 'ENT-2')], '2026-11-15')
  expect(rows).toEqual([
    {
      entitlementId: 'ENT-1',
      ansysproduct: 'Flexible Spending Account',
      startdate: '2026-01-01',
      enddate: '2026-12-31',
      remainingdays: 47,
      usedDays: 318,
      usedDaysPercentage: 87,
      remainingdayscolor: 'orange',
      quantity: 1000,
      remaining: 999.7,
      used: 0.3,
      currency: 'USD',
      usedpercentage: 1,
      usedpercentagecolor: 'green',
      isActive: true,
    },
  ])
})

test.each([
  ['2026-11-15', '999.99', 99, 'red', true],
  ['2026-11-15', '1000.00', 100, 'red', false],
  ['2026-11-15', '799.99', 80, 'orange', true],
  ['2027-01-01', '10.00', 1, 'green', false],
  ['2025-12-31', '0.00', 0, 'green', true],
])('on %s with %s ordered, %i percent are used', (today, price, usedpercentage, usedpercentagecolor, isActive) => {
  expect(contractRows([contract, drawn(price)], today)).toMatchObject([
    { usedpercentage, usedpercentagecolor, isActive },
  ])
})

test('an overdrawn contract has nothing remaining', () => {
  expect(contractRows([contract, drawn('1500.00')], '2026-11-15')).toMatchObject([
    { remaining: 0, usedpercentage: 100 },
  ])
})

test('the last to end comes first', () => {
  expect(parseSorting(CONTRACT_ROW_FIELDS, LAST_TO_END_FIRST)).toMatchObject([{ name: 'enddate', descending: true }])
})
