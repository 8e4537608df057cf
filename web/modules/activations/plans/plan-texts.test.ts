import { expect, test } from 'vitest'
import type { HostPlan } from '#contract/activations/plans/plan-fields.ts'
import { doneChanges, savedText } from '#web/modules/activations/plans/done-changes.ts'
import { isPlanOf, nextText, planName, stoppedPlans, workText } from '#web/modules/activations/plans/plan-names.ts'
import {
  leaveAndActText,
  leavingText,
  planTexts,
  renewalText,
  soonText,
} from '#web/modules/activations/plans/plan-texts.ts'

const server = (serverName: string) => ({ serverName, serverId: `id-${serverName}`, serverIdType: 'ETHERNET' })
const plan: HostPlan = {
  id: '1',
  action: 'REHOST',
  state: 'failed',
  text: '',
  step: 'create',
  done: 2,
  total: 5,
  amounts: { returned: { done: 4, total: 4 }, activated: { done: 0, total: 4 }, files: { done: 0, total: 1 } },
  source: server('lic-01'),
  target: server('a,b,c'),
  serverIds: [],
  requestedBy: 'ada@aerodyne.example',
  requestedAt: '2026-11-15T10:00:00.000Z',
  finishedAt: '2026-11-15T10:00:01.000Z',
  licensed: [],
  mailedTo: [],
  failure: { code: 'EXPORT_DENIED', err: 'Denied.' },
}

test.each<[Partial<HostPlan>, string]>([
  [{}, 'Rehost of lic-01 on a, b, c'],
  [{ action: 'DEACTIVATE', target: null }, 'Deactivation of lic-01'],
  [{ action: 'RENEW', target: null }, 'Renewal of ending licenses on lic-01'],
  [{ action: 'RENEW', target: null, source: null }, 'Renewal of ending licenses on all license servers'],
  [{ action: 'FORCE_RETURN', target: null }, 'Forced return from lic-01'],
  [{ action: 'SAVE', target: null }, 'Save on lic-01'],
])('the plan %o has a name in a few words', (change, name) => {
  expect(planName({ ...plan, ...change })).toBe(name)
})

test('a plan is of its source and target, and one without them is of the license servers in its steps', () => {
  const isOf = (name: string, change: Partial<HostPlan> = {}) => isPlanOf({ ...plan, ...change }, server(name))
  expect([isOf('lic-01'), isOf('a,b,c'), isOf('lic-02')]).toEqual([true, true, false])
  const onSeveral = { source: null, target: null, serverIds: ['id-lic-02'] }
  expect([isOf('lic-02', onSeveral), isOf('lic-01', onSeveral)]).toEqual([true, false])
})

test.each([
  ['2026-11-01', 4, '4 seats'],
  ['2026-11-15', 1, '1 seat'],
  ['2026-11-16', 4, 'Adds 4 seats until 2027-02-12, because the new term begins on 2026-11-16'],
])('a renewal that begins on %s says what it does to %i seats', (begins, seats, expected) => {
  expect(renewalText({ begins, seats, oldEnd: '2027-02-12' }, '2026-11-15')).toBe(expected)
})

const change = (kind: 'deactivate' | 'activate', id: string, isTicked = true) => ({
  kind,
  customerNumber: '100001',
  customerName: 'Aerodyne Motors',
  server: server('lic-01'),
  activationid: id,
  ansysproduct: id,
  startdate: '2026-01-01',
  enddate: '2026-12-31',
  count: 3,
  isMaintenanceExpired: false,
  isTicked,
})
const moving = (id: string, isTicked = true) => [change('deactivate', id, isTicked), change('activate', id, isTicked)]
const rehost = {
  customerNumber: '100001',
  action: 'REHOST',
  host: server('lic-01'),
  target: { ...server('lic-02'), portNumber: 1055 },
} as const

test.each([
  [[change('activate', 'a')], 'Activated 3 seats of a on x, y, z.'],
  [[change('activate', 'a'), change('activate', 'b', false)], 'Activated 3 seats of a on x, y, z.'],
  [
    [change('deactivate', 'a'), change('activate', 'b')],
    'Deactivated 3 seats of a on x, y, z. Activated 3 seats of b on x, y, z.',
  ],
  [
    ['a', 'b', 'c', 'd', 'e'].map((id) => change('activate', id)),
    'Activated 3 seats of a, 3 of b, 3 of c and 2 more products on x, y, z.',
  ],
  [[], ''],
])('a save says which seats of which products it has changed, and where: %#', (changes, text) => {
  const saved = changes.map((one) => ({ ...one, fulfillments: [] }))
  expect(savedText(saved, server('x,y,z'))).toBe(text)
})

test('what is said of a plan is what it has done, whatever was planned', () => {
  const planned = [change('activate', 'a'), change('activate', 'b'), change('deactivate', 'c')]
  const [first] = planned
  const done = [
    { kind: 'activate' as const, customerNumber: first!.customerNumber, serverId: 'x', activationid: 'a', count: 1 },
  ]
  expect(doneChanges(planned, done).map(({ isTicked }) => isTicked)).toEqual([false, false, false])
  const onIt = [{ ...done[0]!, serverId: first!.server.serverId }]
  expect(doneChanges(planned, onIt).map(({ count, isTicked }) => isTicked && count)).toEqual([1, false, false])
  expect(doneChanges(planned).some(({ isTicked }) => isTicked)).toBe(false)
})

test.each([
  ['everything', [...moving('a'), ...moving('b')], 'Rehost 2 products', 'Everything has moved to lic-02.'],
  [
    'some products',
    [...moving('a'), ...moving('b'), ...moving('c', false), ...moving('d', false)],
    'Rehost 2 products',
    '2 products moved, 2 stay on lic-01.',
  ],
  ['one of two', [...moving('a'), ...moving('b', false)], 'Rehost 1 product', '1 product moved, 1 stays on lic-01.'],
  [
    'expired seats as well',
    [...moving('a'), change('deactivate', 'b')],
    'Rehost 1 product',
    '1 product moved to lic-02. 1 expired product was not activated again.',
  ],
  ['nothing', moving('a', false), 'Rehost products', '0 products moved, 1 stays on lic-01.'],
])('a rehost that moves %s says so', (_, changes, act, finished) => {
  expect(planTexts(rehost, { changes })).toMatchObject({ act, finished })
})

test('a deactivation says what stays', () => {
  const request = { customerNumber: '100001', action: 'DEACTIVATE', host: server('lic-01') } as const
  const all = [change('deactivate', 'a'), change('deactivate', 'b')]
  expect(planTexts(request, { changes: all })).toMatchObject({
    act: 'Deactivate 2 products',
    finished: 'lic-01 has been deactivated.',
  })
  const some = [change('deactivate', 'a'), change('deactivate', 'b', false)]
  expect(planTexts(request, { changes: some })).toMatchObject({
    act: 'Deactivate 1 product',
    finished: '1 product deactivated, 1 stays on lic-01.',
  })
})

test('a renewal counts what ends, not what replaces it', () => {
  const request = { customerNumber: '100001', action: 'RENEW', host: undefined } as const
  const changes = [change('deactivate', 'a'), ...['x', 'y'].map((id) => ({ ...change('activate', id), replaces: 'a' }))]
  expect(planTexts(request, { changes }).act).toBe('Renew 1 ending license')
  expect(planTexts(request).act).toBe('Renew ending licenses')
})

test('a renewal says how many seats of which products it has renewed, and where', () => {
  const renewal = (id: string, on: string) => ({ ...change('activate', id), server: server(on), replaces: 'old' })
  const finished = (...changes: ReturnType<typeof renewal>[]) =>
    planTexts({ customerNumber: '100001', action: 'RENEW', host: undefined }, { changes }).finished
  expect(finished(renewal('a', 'lic-01'), renewal('b', 'lic-01'))).toBe('Renewed 3 seats of a and 3 of b on lic-01.')
  expect(finished(renewal('a', 'lic-01'), renewal('a', 'lic-02'))).toBe(
    'Renewed 3 seats of a on lic-01. Renewed 3 seats of a on lic-02.',
  )
  expect(finished(...['1', '2', '3', '4', '5'].map((at) => renewal('a', `lic-0${at}`)))).toMatch(
    / on lic-03\. Renewed on 2 more license servers\.$/,
  )
})

test('a renewal of what ends soon says how much that is, and how much of it can be renewed', () => {
  const ending = (activationid: string, enddate: string) => ({
    server: server('lic-01'),
    activationid,
    ansysproduct: 'a',
    enddate,
    count: 1,
    unrenewed: 0,
  })
  const soon = { days: 30, today: '2026-11-15' }
  const endings = [ending('a', '2026-11-15'), ending('b', '2026-12-14'), ending('c', '2026-12-15')]
  const renewed = (...ids: string[]) => ids.map((id) => ({ ...change('activate', 'new'), replaces: id }))
  expect(soonText({ endings, changes: renewed('a', 'b', 'c') }, soon)).toBe(
    '2 leases with activated seats end within 30 days and have no renewal yet. All of them can be renewed.',
  )
  expect(soonText({ endings, changes: renewed('a', 'c') }, soon)).toBe(
    '2 leases with activated seats end within 30 days and have no renewal yet. 1 of them can be renewed.',
  )
  expect(soonText({ endings: endings.slice(0, 1), changes: [] }, soon)).toBe(
    '1 lease with activated seats ends within 30 days and has no renewal yet. The account has no seats to renew it with.',
  )
  expect(soonText({ endings: endings.slice(2), changes: renewed('c') }, soon)).toBe(
    'No lease that ends within 30 days needs a renewal.',
  )
})

test('members that do not move are named, by number alone where they are not seen', () => {
  const hidden = { customerNumber: '100003', customerName: null }
  const seen = { customerNumber: '100005', customerName: 'Nordic Rotors' }
  expect(leavingText([hidden], rehost.host, rehost.target)).toBe(
    'Customer 100003 shares lic-01 and will not share lic-02. Its seats stay on lic-01.',
  )
  expect(leavingText([hidden, seen], rehost.host, rehost.target)).toBe(
    'Customers 100003, 100005 (Nordic Rotors) share lic-01 and will not share lic-02. Their seats stay on lic-01.',
  )
})

test('a stopped plan says what is done, what is not, and what to do next', () => {
  expect(workText(plan)).toBe('Done: 4 of 4 seats returned, 0 of 4 seats activated, 0 of 1 license file generated.')
  expect(nextText(plan)).toContain('Manage Activations shows what is on a, b, c')
  expect(nextText({ ...plan, action: 'RENEW', source: null, target: null })).toContain('start again')
})

test('a stopped plan that was repeated to the end is not shown any more', () => {
  const later = { ...plan, id: '2', state: 'done' as const, requestedAt: '2026-11-15T11:00:00.000Z' }
  expect(stoppedPlans([plan])).toEqual([plan])
  expect(stoppedPlans([later, plan])).toEqual([])
  expect(stoppedPlans([{ ...later, source: server('lic-02') }, plan])).toEqual([plan])
  expect(stoppedPlans([{ ...later, requestedAt: '2026-11-15T09:00:00.000Z' }, plan])).toEqual([plan])
})

test('a rehost with held-back products says what it leaves and what it moves', () => {
  const text = leaveAndActText(rehost, moving('a'), [...moving('b'), ...moving('c'), ...moving('d', false)])
  expect(text).toBe('Leave 1 product, rehost 2 products')
  const deactivation = { customerNumber: '100001', action: 'DEACTIVATE', host: server('lic-01') } as const
  expect(
    leaveAndActText(deactivation, [change('deactivate', 'a'), change('deactivate', 'b')], [change('deactivate', 'c')]),
  ).toBe('Leave 2 products, deactivate 1 product')
})
