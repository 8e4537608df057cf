import { describe, expect, test } from 'vitest'
import {
  countEndingSoon,
  type HostHoldings,
  matchRenewals,
  planRenewal,
  replacesSeats,
} from '#domain/activations/plans/renewal.ts'
import type { RawActivation } from '#domain/activations/seats/activation-row.ts'
import { HOST, lease, OTHER_HOST, onHost, permanent, TODAY } from '#domain/activations/testing/samples.ts'

/** Ends on the 90th day from today, which is the last one that counts. */
const ending = (id: string, change: Partial<RawActivation> = {}): RawActivation => ({
  ...lease,
  ActivationId: id,
  EndDate: '2027-02-12',
  ...change,
})
const renewal = (id: string, change: Partial<RawActivation> = {}): RawActivation => ({
  ...lease,
  ActivationId: id,
  StartDate: '2026-11-01',
  EndDate: '2027-10-31',
  ...change,
})
const holding = (...held: RawActivation[]): HostHoldings[] => [{ host: HOST, held }]
const brief = (hosts: readonly HostHoldings[], available: readonly RawActivation[]) =>
  matchRenewals(hosts, available, TODAY).renewals.map(
    (one) => `${one.ending.ActivationId} → ${one.renewal.ActivationId}: ${one.seats}`,
  )

describe('seats that are replaced', () => {
  test.each<[string, Partial<RawActivation>, string[]]>([
    ['a lease that ends on the 90th day', {}, ['old → new: 4']],
    ['a lease that ends today', { EndDate: TODAY }, ['old → new: 4']],
    ['a lease that ends on the 91st day', { EndDate: '2027-02-13' }, []],
    ['an expired lease', { EndDate: '2026-11-14' }, []],
    ['a lease that has not started', { StartDate: '2026-12-01' }, []],
    ['a permanent license', permanent('2027-01-01'), []],
  ])('%s gives the replacements $2', (_, change, expected) => {
    expect(brief(holding(onHost({ ...ending('old'), ...change, ActivationId: 'old' }, 4)), [renewal('new')])).toEqual(
      expected,
    )
  })

  test('skips a host that has no seats any more', () => {
    expect(brief(holding(ending('old')), [renewal('new')])).toEqual([])
  })
})

describe('entitlements that can be the renewal', () => {
  const hosts = holding(onHost(ending('old'), 4))
  test.each<[string, Partial<RawActivation>, boolean]>([
    ['the same product for longer', {}, true],
    ['an entitlement that has not started yet', { StartDate: '2027-02-13' }, true],
    ['a permanent entitlement', { ...permanent('2027-10-31'), ActivationId: 'new' }, true],
    [
      'a permanent entitlement whose maintenance has expired',
      { ...permanent('2026-11-14'), ActivationId: 'new' },
      false,
    ],
    ['another product', { ProductName: 'Fluids Pro' }, false],
    ['the product with another license model', { LicenseModel: 'Node Locked' }, false],
    ['an evaluation', { 'CA[ENT|ansystype]': 'Evaluation' }, false],
    ['an entitlement that ends within 90 days itself', { EndDate: '2027-02-12' }, false],
    ['an expired entitlement', { StartDate: '2026-01-01', EndDate: '2026-11-14' }, false],
    ['an entitlement without free seats', { AnsysActivated: 10 }, false],
  ])('%s as a renewal is $2', (_, change, isTaken) => {
    expect(brief(hosts, [renewal('new', change)])).toEqual(isTaken ? ['old → new: 4'] : [])
  })
})

describe('the number of renewed seats', () => {
  test('the renewal that starts first is used up first, then the one that ends first; the rest stays as it is', () => {
    const available = [
      renewal('later', { StartDate: '2026-11-10', LineItemQuantity: 2 }),
      renewal('longer', { EndDate: '2028-10-31', LineItemQuantity: 1 }),
      renewal('first', { LineItemQuantity: 3, AnsysActivated: 1 }),
    ]
    expect(brief(holding(onHost(ending('old'), 9)), available)).toEqual([
      'old → first: 2',
      'old → longer: 1',
      'old → later: 2',
    ])
  })

  test('entitlements that end first are renewed first, over all hosts', () => {
    const hosts = [
      ...holding(onHost(ending('a'), 6)),
      { host: OTHER_HOST, held: [onHost(ending('b', { EndDate: '2026-12-31' }), 6)] },
    ]
    expect(brief(hosts, [renewal('new')])).toEqual(['b → new: 6', 'a → new: 4'])
  })

  test('seats leave the oldest fulfillments, and never more than are replaced', () => {
    const { renewals, endings } = matchRenewals(
      holding(onHost(ending('old'), 2, 3, 4)),
      [renewal('new', { LineItemQuantity: 4 })],
      TODAY,
    )
    expect(endings).toMatchObject([{ host: HOST, seats: 9, unrenewed: 5 }])
    expect(renewals[0]?.returned).toEqual([
      { id: 'old-f1', count: -2 },
      { id: 'old-f2', count: -2 },
    ])
  })

  test('one fulfillment can be replaced by several renewals', () => {
    const { renewals } = matchRenewals(
      holding(onHost(ending('old'), 5)),
      [renewal('r1', { LineItemQuantity: 2 }), renewal('r2', { LineItemQuantity: 9 })],
      TODAY,
    )
    expect(renewals.map(({ returned }) => returned)).toEqual([
      [{ id: 'old-f1', count: -2 }],
      [{ id: 'old-f1', count: -3 }],
    ])
  })
})

test.each<[string, Partial<RawActivation>, number]>([
  ['a term that began before today', { StartDate: '2026-11-01' }, 4],
  ['a term that begins today', { StartDate: TODAY }, 4],
  ['a term that begins tomorrow', { StartDate: '2026-11-16' }, 0],
  ['a term that begins after the old one ends', { StartDate: '2027-02-13' }, 0],
  ['a permanent entitlement', permanent('2027-10-31'), 4],
  ['a permanent entitlement that has not begun', { ...permanent('2027-10-31'), StartDate: '2026-11-16' }, 0],
])('a renewal with %s takes the place of $2 seats', (_, change, replaced) => {
  const available = [renewal('new', { ...change, ActivationId: 'new' })]
  const { renewals } = matchRenewals(holding(onHost(ending('old'), 4)), available, TODAY)
  expect(renewals).toMatchObject([{ seats: 4 }])
  expect(renewals[0]?.returned.reduce((sum, { count }) => sum - count, 0)).toBe(replaced)
  expect(replacesSeats(renewals[0]?.renewal.StartDate ?? '', TODAY)).toBe(replaced > 0)
})

test.each([
  ['today', '2026-11-15', 1],
  ['on the 30th day', '2026-12-14', 1],
  ['on the 31st day', '2026-12-15', 0],
  ['at the last midnight', '2026-11-14', 0],
])('an entitlement on two license servers that ends %s is counted $2 times within 30 days', (_, enddate, expected) => {
  const endings = ['lic-01', 'lic-02'].map(() => ({ activationid: 'a', enddate }))
  expect(countEndingSoon(endings, { days: 30, today: TODAY })).toBe(expected)
})

describe('a renewal that has not started', () => {
  const waiting = renewal('new', { StartDate: '2027-02-13' })

  test('is added while the ending seats stay until it starts', () => {
    const { renewals } = matchRenewals(holding(onHost(ending('old'), 4)), [waiting], TODAY)
    expect(renewals).toMatchObject([{ seats: 4, returned: [] }])
  })

  test('that is on the host already is not added a second time', () => {
    expect(brief(holding(onHost(ending('old'), 4), onHost(waiting, 4)), [onHost(waiting, 4)])).toEqual([])
    expect(matchRenewals(holding(onHost(ending('old'), 4), onHost(waiting, 4)), [], TODAY).endings).toEqual([])
    expect(matchRenewals(holding(onHost(ending('old'), 4), onHost(waiting, 3)), [], TODAY).endings).toMatchObject([
      { seats: 4, needed: 1, unrenewed: 1 },
    ])
    expect(brief(holding(onHost(ending('old'), 4), onHost(waiting, 3)), [onHost(waiting, 3)])).toEqual(['old → new: 1'])
  })
})

test('on each host renewals come before the ending seats go, then the files of everybody who shares it', () => {
  const { renewals } = matchRenewals(
    [...holding(onHost(ending('a'), 2)), { host: OTHER_HOST, held: [onHost(ending('b'), 1), onHost(ending('c'), 1)] }],
    [renewal('new')],
    TODAY,
  )
  const own = { customerNumber: '1', customerName: 'Customer 1' }
  const other = { customerNumber: '2', customerName: 'Customer 2' }
  const steps = planRenewal(renewals, own, (host) => (host === HOST ? [own] : [own, other]))
  expect(steps.map((step) => `${step.kind} ${step.host.serverName}`)).toEqual([
    'create lic-01',
    'return lic-01',
    'generate lic-01',
    'create lic-02',
    'return lic-02',
    'generate lic-02',
    'generate lic-02',
  ])
  expect(steps.flatMap((step) => ('activations' in step ? [step.activations] : []))).toEqual([
    [{ id: 'new', count: 2 }],
    [{ id: 'a-f1', count: -2 }],
    [{ id: 'new', count: 2 }],
    [
      { id: 'b-f1', count: -1 },
      { id: 'c-f1', count: -1 },
    ],
  ])
})

test('more than fits into one call is cut into batches', () => {
  const many = Array.from({ length: 30 }, (_, at) => onHost(ending(`old-${at}`), 1))
  const { renewals } = matchRenewals(holding(...many), [renewal('new', { LineItemQuantity: 40 })], TODAY)
  const own = { customerNumber: '1', customerName: '' }
  const kinds = planRenewal(renewals, own, () => [own]).map(({ kind }) => kind)
  expect(kinds).toEqual(['create', 'return', 'return', 'generate'])
})
