import { describe, expect, test } from 'vitest'
import { daysLeftColor, usedPercentageColor } from '#contract/entitlements/bar-color.ts'
import { leaseRow, needsFulfillmentCount } from '#contract/entitlements/lease-row.ts'
import type { LeaseEntitlement } from '#domain/entitlements/entitlement-row.ts'

const lease: LeaseEntitlement = {
  ActivationId: 'a-1',
  ProductName: 'Solver',
  LicenseModel: 'Ansoft Borrow',
  LineItemQuantity: 1250,
  StartDate: '2026-01-01',
  EndDate: '2026-12-31',
  VersionDate: '2026-12-31',
  IsActivationPermanent: 'false',
  'CA[ENT|ansystype]': 'Lease',
}
const permanent: LeaseEntitlement = {
  ...lease,
  EndDate: null,
  IsActivationPermanent: 'true',
  'CA[ENT|ansystype]': 'Paid-up',
}

test('a running lease shows its remaining days', () => {
  expect(leaseRow(lease, '2026-12-02', 7)).toEqual({
    activationid: 'a-1',
    ansysproduct: 'Solver',
    ansyslicensemodel: 'Network',
    isEval: false,
    ansyscount: 1250,
    ansysactivated: 7,
    startdate: '2026-01-01',
    enddate: '2026-12-31',
    versiondate: '2026-12-31',
    remainingdays: 30,
    usedDays: 335,
    usedDaysPercentage: 92,
    remainingdayscolor: 'red',
  })
})

test('a permanent license shows a full bar and its maintenance end', () => {
  const { enddate, remainingdays, usedDaysPercentage, remainingdayscolor } = leaseRow(permanent, '2027-06-01')
  expect({ enddate, remainingdays, usedDaysPercentage, remainingdayscolor }).toEqual({
    enddate: 'Maintenance ends on 2026-12-31',
    remainingdays: 'PERMANENT',
    usedDaysPercentage: 100,
    remainingdayscolor: 'green',
  })
})

test('a permanent license without a version date has an empty expiration date', () => {
  const undated = { ...permanent, VersionDate: null }
  expect(leaseRow(undated, '2027-06-01')).toMatchObject({ enddate: '', remainingdays: 'PERMANENT' })
})

test('an evaluation is marked as such', () => {
  expect(leaseRow({ ...lease, 'CA[ENT|ansystype]': 'Evaluation' }, '2026-06-01').isEval).toBe(true)
})

test('only seats that are activated on hosts have a count to load', () => {
  expect(leaseRow(lease, '2026-06-01').ansysactivated).toBe(undefined)
  expect(needsFulfillmentCount(lease)).toBe(true)
  expect(needsFulfillmentCount({ ...lease, LicenseModel: 'Named User' })).toBe(false)
  expect(leaseRow({ ...lease, LicenseModel: 'Named User' }, '2026-06-01').ansysactivated).toBe(1250)
  expect(needsFulfillmentCount({ ...lease, LicenseModel: 'FSA' })).toBe(true)
  expect(leaseRow({ ...lease, LicenseModel: 'FSA' }, '2026-06-01', 3).ansysactivated).toBe(3)
})

describe('the color of a bar', () => {
  test.each([
    [-400, 'red'],
    [0, 'red'],
    [1, 'red'],
    [30, 'red'],
    [31, 'orange'],
    [90, 'orange'],
    [91, 'green'],
    [4000, 'green'],
  ])('shows %i days left in %s', (days, color) => {
    expect(daysLeftColor(days)).toBe(color)
  })

  test('shows permanent licenses in green', () => {
    expect(daysLeftColor(null)).toBe('green')
  })

  test.each([
    [0, 'green'],
    [1, 'green'],
    [79, 'green'],
    [80, 'orange'],
    [94, 'orange'],
    [95, 'red'],
    [99, 'red'],
    [100, 'red'],
  ])('shows %i %% used in %s', (percentage, color) => {
    expect(usedPercentageColor(percentage)).toBe(color)
  })
})
