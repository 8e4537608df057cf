import { describe, expect, test } from 'vitest'
import { type Limit, limitsOn, limitText, namedSubject, subjectText } from '#domain/elastic/limits/limit.ts'

const DAY = '2026-11-19'
const START = { user: 'Anna', project: 'Wing', product: 'Fluids' }
const limit = (id: string, changes: Partial<Limit> = {}): Limit & { id: string } => ({
  id,
  subject: 'user',
  user: null,
  project: null,
  product: null,
  period: 'month',
  currency: 'AEU',
  warnAt: null,
  refuseAt: '10',
  from: null,
  to: null,
  ...changes,
})
const passed = (limits: readonly (Limit & { id: string })[]) =>
  limitsOn(limits, START, { day: DAY, currency: 'AEU' })
    .map(({ id }) => id)
    .join(' ')

describe('the limits that a start has to pass', () => {
  test.each<[what: string, limits: (Limit & { id: string })[], ids: string]>([
    ['the default for everybody', [limit('A')], 'A'],
    ['an exception by name goes before the default', [limit('A'), limit('B', { user: 'anna' })], 'B'],
    [
      'an exception that only warns replaces the default',
      [limit('A'), limit('B', { user: 'ANNA', refuseAt: null })],
      'B',
    ],
    ['an exception of somebody else does not count', [limit('A'), limit('B', { user: 'bob' })], 'A'],
    ['an exception of other days does not count', [limit('A'), limit('B', { user: 'anna', from: '2026-11-20' })], 'A'],
    ['a limit on its first and last day', [limit('A', { from: DAY, to: DAY })], 'A'],
    ['no limit after its last day', [limit('A', { to: '2026-11-18' })], ''],
    ['no limit of another currency', [limit('A', { currency: 'USD' })], ''],
    [
      'limits of every period and subject, the one that lasts longest first',
      [limit('A', { period: 'day' }), limit('B'), limit('C', { period: 'all' }), limit('D', { subject: 'account' })],
      'C D B A',
    ],
    [
      'of a pair both names go before one',
      [
        limit('A', { subject: 'user+project', user: 'anna' }),
        limit('B', { subject: 'user+project', user: 'anna', project: 'Wing' }),
      ],
      'B',
    ],
    [
      'of a pair the user goes before the project',
      [limit('A', { subject: 'user+project', project: 'Wing' }), limit('B', { subject: 'user+project', user: 'anna' })],
      'B',
    ],
    [
      'a pair of which one name differs does not count',
      [limit('A', { subject: 'project+product', project: 'Wing', product: 'Optics' })],
      '',
    ],
    ['projects are compared with case', [limit('A', { subject: 'project', project: 'wing' })], ''],
  ])('%s', (_, limits, ids) => {
    expect(passed(limits)).toBe(ids)
    expect(passed([...limits].reverse())).toBe(ids)
  })
})

describe('a limit of people', () => {
  const DESIGN = limit('A', { subject: 'department', user: 'design' })
  const OTHERS = limit('B', { subject: 'department' })
  const COSTS = limit('C', { subject: 'cost-center', user: '4711' })
  test.each([
    ['the department of the user, without case', { department: 'Design', costCenter: '' }, 'A'],
    ['every other department', { department: 'Test', costCenter: '' }, 'B'],
    ['department and cost center', { department: 'Design', costCenter: '4711' }, 'A C'],
    ['nothing of a user without them', { department: '', costCenter: '' }, ''],
    ['nothing of a user whom the identity provider does not know', {}, ''],
  ])('concerns %s', (_, person, ids) => {
    const start = { ...START, ...person }
    const found = limitsOn([OTHERS, COSTS, DESIGN], start, { day: DAY, currency: 'AEU' })
    expect(found.map(({ id }) => id).join(' ')).toBe(ids)
  })

  test('is named after the department of the start', () => {
    expect(subjectText(namedSubject(OTHERS, { ...START, department: 'Test' }))).toBe('Department Test')
  })
})

test.each<[changes: Partial<Limit>, text: string]>([
  [{ subject: 'account' }, 'Account'],
  [{}, 'Every other user'],
  [{ user: 'anna' }, 'User anna'],
  [{ subject: 'user+project', project: 'Wing' }, 'Every other user, project Wing'],
  [{ subject: 'project+product', project: '', product: 'Fluids' }, 'No project, product Fluids'],
  [{ subject: 'department', user: 'Design' }, 'Department Design'],
  [{ subject: 'cost-center' }, 'Every other cost center'],
])('a subject is written for people: %j', (changes, text) => {
  expect(subjectText(limit('A', changes))).toBe(text)
})

test('a limit is written in one line', () => {
  expect(limitText(limit('A', { refuseAt: '1234.5' }))).toBe('Every other user: 1,234.50 AEU per month')
  expect(limitText(limit('A', { refuseAt: null, warnAt: '5', period: 'all' }))).toBe(
    'Every other user: 5.00 AEU in all, warning only',
  )
})
