import { describe, expect, test } from 'vitest'
import {
  type Activatable,
  assignedRows,
  availableRows,
  canBeActivated,
  seatedRows,
} from '#domain/activations/seats/activation-lists.ts'
import { activationRow } from '#domain/activations/seats/activation-row.ts'
import { lease, onHost, permanent, TODAY } from '#domain/activations/testing/samples.ts'

test('a row shows seats on the host, on all hosts and those that are left', () => {
  const raw = onHost({ ...lease, AnsysActivated: 4 }, 2, 1)
  expect(activationRow(raw, TODAY)).toEqual({
    activationid: 'a-1',
    ansysproduct: 'Structural Mechanics Pro',
    isEval: false,
    ansyscount: 10,
    ansysactivated: 7,
    activatedOnHost: 3,
    ansysavailable: 3,
    ansysborrowable: false,
    ansysborrowed: false,
    isPermanent: false,
    startdate: '2026-01-01',
    enddate: '2026-12-31',
    versiondate: '2026-12-31',
    remainingdays: 47,
    usedDays: 318,
    usedDaysPercentage: 87,
    AnsysFulfillments: [
      { FulfillmentID: 'a-1-f1', FulfillCount: 2 },
      { FulfillmentID: 'a-1-f2', FulfillCount: 1 },
    ],
  })
})

test('a permanent row shows until when it is maintained', () => {
  expect(activationRow(permanent('2027-03-31'), TODAY)).toMatchObject({
    isPermanent: true,
    remainingdays: 'PERMANENT',
    usedDaysPercentage: 100,
    enddate: 'Maintenance ends on 2027-03-31',
  })
})

test.each([
  ['Ansoft Borrow', false, true, false],
  ['Ansoft Borrow', true, true, true],
  ['Network', true, false, false],
  ['borrow', true, false, false],
])(
  'model %s on a host with Borrowable %s is borrowable %s, borrowed %s',
  (LicenseModel, isHostBorrowable, able, borrowed) => {
    const row = activationRow({ ...lease, LicenseModel }, TODAY, isHostBorrowable)
    expect([row.ansysborrowable, row.ansysborrowed]).toEqual([able, borrowed])
  },
)

test('an evaluation is marked', () => {
  expect(activationRow({ ...lease, 'CA[ENT|ansystype]': 'Evaluation' }, TODAY).isEval).toBe(true)
})

describe('assigned rows', () => {
  const ends = (EndDate: string) => onHost({ ...lease, EndDate }, 2)
  test.each([
    ['a running lease', onHost(lease, 2), true],
    ['one that ends today', ends(TODAY), true],
    ['one that ended yesterday', ends('2026-11-14'), false],
    ['one that has not started', onHost({ ...lease, StartDate: '2026-12-01' }, 2), true],
    ['a permanent one', onHost(permanent('2027-03-31'), 1), true],
    ['a permanent one whose maintenance ended', onHost(permanent('2020-03-31'), 1), true],
    ['one without seats on this host', { ...lease, AnsysActivated: 4 }, false],
    ['one whose seats were returned', onHost(lease, 2, -2), false],
  ])('%s is assigned: $2', (_, raw, isAssigned) => {
    expect(assignedRows([raw], TODAY).length).toBe(isAssigned ? 1 : 0)
  })

  test('expired seats are still on the host', () => {
    expect(seatedRows([ends('2026-11-14'), lease], TODAY).map((row) => row.activatedOnHost)).toEqual([2])
  })
})

describe('available rows', () => {
  const term = { startDate: '2026-01-01', endDate: '2026-12-31' }
  const base: Activatable = {
    state: 'Deployed',
    kind: 'SSL',
    licenseModel: 'Network',
    productName: 'Solver',
    term,
    quantity: 10,
    activated: 4,
  }
  test.each<[string, Partial<Activatable>, boolean]>([
    ['a network lease', {}, true],
    ['a node-locked license', { licenseModel: 'Node Locked' }, true],
    ['a license that is node-locked by its name', { productName: 'Solver (NODE)' }, true],
    ['an order of a spending account', { licenseModel: 'FSA' }, true],
    ['the contract of a spending account', { kind: 'FSA', licenseModel: 'FSA' }, false],
    ['an elastic entitlement', { kind: 'ELASTIC', licenseModel: 'Elastic-AEU' }, false],
    ['a shared web license', { kind: 'CONCURRENT', licenseModel: 'Shared Web' }, false],
    ['a named user license', { kind: 'SUBSCRIPTION', licenseModel: 'Named User' }, false],
    ['an unknown license model', { licenseModel: 'Orbital Token' }, true],
    ['a draft', { state: 'Draft' }, false],
    ['an obsolete entitlement', { state: 'Obsolete' }, false],
    ['an entitlement that has not started', { term: { ...term, startDate: '2026-12-01' } }, true],
    ['an entitlement that ends today', { term: { ...term, endDate: TODAY } }, true],
    ['an entitlement that ended yesterday', { term: { ...term, endDate: '2026-11-14' } }, false],
    ['a permanent entitlement', { term: { ...term, endDate: null } }, true],
    ['an entitlement without free seats', { activated: 10 }, false],
    ['an entitlement of no seats', { quantity: 0, activated: 0 }, false],
    ['a manual drawdown', { productName: 'Ansys Flexible Spending Account Manual Drawdown' }, false],
    ['a former manual drawdown', { productName: 'Flexible Spending Account Manual Drawdown' }, false],
  ])('%s is available: $2', (_, change, expected) => {
    const one = { ...base, ...change }
    expect(canBeActivated(one, TODAY)).toBe(expected)
    // The rows of the screen follow the same rule, as far as the wire data allows.
    const raw = {
      ...lease,
      ProductName: one.productName,
      LicenseModel: one.licenseModel,
      LineItemQuantity: one.quantity,
      StartDate: one.term.startDate,
      EndDate: one.term.endDate,
      IsActivationPermanent: String(one.term.endDate === null),
      AnsysActivated: one.activated,
    }
    const isOfAnotherKind = one.kind === 'FSA' || one.kind === 'ELASTIC' || one.state !== 'Deployed'
    if (!isOfAnotherKind) expect(availableRows([raw], TODAY).length === 1).toBe(expected)
  })

  test('starts unselected at the full available quantity', () => {
    expect(availableRows([{ ...lease, AnsysActivated: 4 }], TODAY)).toMatchObject([
      { added: false, selected: false, AnsysActivated: 6, ansysavailable: 6 },
    ])
  })
})
