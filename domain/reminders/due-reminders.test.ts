import { describe, expect, test } from 'vitest'
import {
  type Balance,
  dueReminders,
  type Ending,
  type Situation,
  type Spending,
} from '#domain/reminders/due-reminders.ts'
import { NO_REMINDERS, type Reminders } from '#domain/reminders/reminders.ts'

const NOTHING: Situation = {
  today: '2026-11-16',
  endings: [],
  balances: [],
  spending: [],
  seatDenials: [],
  silentServers: [],
}

function keysOf(reminders: Partial<Reminders>, situation: Partial<Situation>): (readonly string[])[] {
  return dueReminders({ ...NO_REMINDERS, ...reminders }, { ...NOTHING, ...situation }).map(({ keys }) => keys)
}

describe('reminders of end dates', () => {
  const ending = (endsOn: string): Ending => ({ activationId: 'A1', product: 'Mesher', quantity: 5, endsOn })
  const key = (endsOn: string, days: number) => `ending A1 ${endsOn} ${days}`
  test.each<[what: string, endsOn: string, keys: readonly (readonly string[])[]]>([
    ['after the first lead time is not due', '2027-02-14', []],
    ['exactly one lead time from today is due', '2027-02-13', [[key('2027-02-13', 90)]]],
    [
      'within several lead times is due at the tightest only',
      '2026-11-22',
      [[7, 30, 90].map((days) => key('2026-11-22', days))],
    ],
    ['today is due', '2026-11-16', [[7, 30, 90].map((days) => key('2026-11-16', days))]],
    ['yesterday is not due', '2026-11-15', []],
  ])('an entitlement that ends %s', (_, endsOn, keys) => {
    expect(keysOf({ leadDays: [90, 30, 7] }, { endings: [ending(endsOn)] })).toEqual(keys)
  })

  test('an entitlement has one day left on its last day', () => {
    const [due] = dueReminders({ ...NO_REMINDERS, leadDays: [7] }, { ...NOTHING, endings: [ending('2026-11-16')] })
    expect(due?.reminder).toMatchObject({ daysLeft: 1 })
  })
})

describe('reminders of balances', () => {
  const balance = (remaining: string): Balance => ({
    kind: 'elastic',
    activationId: 'E1',
    product: 'Elastic units',
    currency: 'AEU',
    total: '1000',
    remaining,
  })
  const elastic = [
    { measure: 'percent', value: '50' },
    { measure: 'percent', value: '10' },
    { measure: 'amount', value: '200' },
  ] as const
  const [half, tenth, amount] = ['elastic E1 percent 50', 'elastic E1 percent 10', 'elastic E1 amount 200']
  test.each<[what: string, remaining: string, keys: readonly (readonly (string | undefined)[])[]]>([
    ['above every threshold is not due', '500.01', []],
    ['at a percentage is due', '500', [[half]]],
    ['below an amount is due at the amount', '199.99', [[amount, half]]],
    ['below all is due at the tightest', '100', [[tenth, amount, half]]],
    ['that is overdrawn is due', '-20', [[tenth, amount, half]]],
  ])('a balance %s', (_, remaining, keys) => {
    expect(keysOf({ elastic }, { balances: [balance(remaining)] })).toEqual(keys)
  })

  test('the balance of a spending account has thresholds of its own', () => {
    expect(keysOf({ elastic }, { balances: [{ ...balance('0'), kind: 'fsa' }] })).toEqual([])
    expect(keysOf({ fsa: elastic }, { balances: [{ ...balance('500'), kind: 'fsa' }] })).toEqual([
      ['fsa E1 percent 50'],
    ])
  })
})

describe('reminders of budgets', () => {
  const budgets = [
    { by: 'project', name: 'Wing', amount: '100' },
    { by: 'user', name: 'kim', amount: '50' },
  ] as const
  const spending = (by: 'project' | 'user', name: string, spent: string): Spending => ({
    by,
    name,
    currency: 'AEU',
    spent,
  })
  test.each<[what: string, spending: Spending, keys: readonly string[]]>([
    ['is not due below its amount', spending('project', 'Wing', '99.99'), []],
    ['is due at its amount', spending('project', 'Wing', '100'), ['budget 2026-11 AEU 100 project Wing']],
    ['of a user does not depend on case', spending('user', 'KIM', '51'), ['budget 2026-11 AEU 50 user kim']],
    ['of a project depends on case', spending('project', 'wing', '500'), []],
    ['does not count others', spending('user', 'Wing', '500'), []],
  ])('a budget %s', (_, one, keys) => {
    expect(keysOf({ budgets }, { spending: [one] }).flat()).toEqual(keys)
  })

  test('a budget is due again in the next month', () => {
    const next = { today: '2026-12-01', spending: [spending('project', 'Wing', '100')] }
    expect(keysOf({ budgets }, next)).toEqual([['budget 2026-12 AEU 100 project Wing']])
  })
})

describe('reminders of license servers', () => {
  const denials = { hostId: 'h1', hostName: 'lic-1', feature: 'solver', day: '2026-11-16', count: 3 }
  const silent = { hostId: 'h1', hostName: 'lic-1', reportedAt: new Date('2026-11-14T09:00:00Z') }
  const situation = { seatDenials: [denials, { ...denials, day: '2026-11-15' }], silentServers: [silent] }
  test.each<[what: string, reminders: Partial<Reminders>, keys: readonly (readonly string[])[]]>([
    ['are not due while they are off', {}, []],
    [
      'of denied seats are due once for each day',
      { seatDenials: true },
      [['denials 2026-11-16 h1 solver'], ['denials 2026-11-15 h1 solver']],
    ],
    ['of silence are due once for each silence', { silentServers: true }, [['silence h1 2026-11-14T09:00:00.000Z']]],
  ])('reminders %s', (_, reminders, keys) => {
    expect(keysOf(reminders, situation)).toEqual(keys)
  })
})
