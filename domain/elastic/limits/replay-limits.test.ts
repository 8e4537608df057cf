import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { LIMIT_SUBJECTS, type Limit, limitsOn, namedSubject } from '#domain/elastic/limits/limit.ts'
import { isProductAllowed, type ProductRule } from '#domain/elastic/limits/product-rules.ts'
import {
  identity,
  limitsToReplay,
  type PastMonth,
  type PastSession,
  replayLimits,
} from '#domain/elastic/limits/replay-limits.ts'
import { sessionCharge } from '#domain/elastic/sessions/session-charge.ts'

const FROM = Date.parse('2026-10-01T00:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const limit = (changes: Partial<Limit> = {}): Limit => ({
  subject: 'project',
  user: null,
  project: null,
  product: null,
  period: 'month',
  currency: 'AEU',
  warnAt: null,
  refuseAt: '10.00',
  from: null,
  to: null,
  ...changes,
})
/** A session of 4 units an hour. */
const session = (id: string, startHour: number, hours: number, changes: Partial<PastSession> = {}): PastSession => ({
  id,
  names: { user: 'anna', project: 'Wing', product: 'Fluids' },
  currency: 'AEU',
  startedAt: FROM + startHour * HOUR,
  endedAt: FROM + (startHour + hours) * HOUR,
  charge: (hours * 4).toFixed(2),
  least: '1.00',
  ...changes,
})
const month = (changes: Partial<PastMonth>): PastMonth => ({
  timeZone: 'UTC',
  from: FROM,
  sessions: [],
  denials: [],
  corrections: [],
  usedBefore: [],
  ...changes,
})

describe('a limit of 10 units would have refused', () => {
  const three = [session('a', 0, 2), session('b', 10, 1), session('c', 30, 1)]
  test.each<[what: string, past: Partial<PastMonth>, limit: Partial<Limit>, refused: number, units: string]>([
    ['nothing in an empty month', {}, {}, 0, '0.00'],
    ['what would not fit any more', { sessions: three }, {}, 1, '4.00'],
    ['nothing of another project', { sessions: three }, { project: 'Tail' }, 0, '0.00'],
    ['nothing that fits into its day', { sessions: three }, { period: 'day', refuseAt: '12' }, 0, '0.00'],
    [
      'nothing that comes after a correction',
      {
        sessions: three,
        corrections: [{ of: 'a', at: FROM + 20 * HOUR, charge: '-8.00', names: three[0]!.names, currency: 'AEU' }],
      },
      {},
      0,
      '0.00',
    ],
    [
      'what runs at the same time',
      { sessions: [session('a', 0, 2), session('b', 1.9, 1)] },
      { refuseAt: '8.50' },
      1,
      '4.00',
    ],
    [
      'all sessions, if earlier use counts',
      {
        sessions: three,
        usedBefore: [{ limit: 0, charge: '9.50', names: three[0]!.names, currency: 'AEU' }],
      },
      { period: 'all' },
      3,
      '16.00',
    ],
    ['nothing that began before the month', { sessions: [session('a', -2, 4)] }, { refuseAt: '1' }, 0, '0.00'],
    [
      'what follows a session that began before the month',
      { sessions: [session('a', -2, 4), session('b', 3, 1)] },
      {},
      1,
      '4.00',
    ],
  ])('%s', (_, past, changes, refused, units) => {
    const replay = replayLimits(month(past), [limit(changes)], [])
    expect(replay).toMatchObject({ refused, limits: [{ refused, units }] })
  })
})

test('a product rule refuses before limits do, and a refused session uses nothing', () => {
  const sessions = [session('a', 0, 2), session('b', 10, 2)]
  const rules: ProductRule[] = [{ user: 'anna', kind: 'deny', products: ['Fluids'] }]
  expect(replayLimits(month({ sessions }), [limit()], rules)).toMatchObject({ starts: 2, refused: 2, notAllowed: 2 })
})

test('starts that were refused then are admitted where there is room, and retries count once', () => {
  const denial = (at: number) => ({ ...session('', 0, 0), at: FROM + at * MINUTE, host: 'ws1', least: '4.00' })
  const denials = [denial(0), denial(1), denial(14), denial(16), denial(40), denial(60)]
  const replay = replayLimits(month({ denials }), [limit()], [])
  expect(replay).toMatchObject({ starts: 0, denied: 4, admitted: 2 })
})

test('says who was refused most', () => {
  const by = (id: string, user: string, hour: number) =>
    session(id, hour, 1, { names: { user, project: 'Wing', product: 'Fluids' } })
  const sessions = [session('a', 0, 3), by('b', 'bob', 4), by('c', 'eve', 5), by('d', 'bob', 6)]
  const { limits } = replayLimits(month({ sessions }), [limit()], [])
  expect(limits[0]).toMatchObject({ refused: 3, most: ['User bob', 'User eve'], firstAt: FROM + 4 * HOUR })
})

test('of limits for different days the one of today or the next one is replayed', () => {
  const past = limit({ to: '2026-11-18' })
  const now = limit({ from: '2026-11-19', to: '2026-11-30' })
  const next = limit({ from: '2026-12-01' })
  const other = limit({ project: 'Wing', from: '2026-12-01' })
  expect(limitsToReplay([next, past, now, other], '2026-11-19')).toEqual([now, other])
})

/** Decides every start anew from all that was admitted before it. */
function bruteForce(past: PastMonth, limits: readonly Limit[], rules: readonly ProductRule[]) {
  const refused = limits.map(() => 0)
  const admitted: (PastSession & { host?: string; isDenial: boolean })[] = []
  const out = { starts: 0, refused: 0, notAllowed: 0, denied: 0, admitted: 0 }
  const starts = [
    ...past.sessions.map((one) => ({ ...one, host: '', isDenial: false })),
    ...past.denials.map((one) => ({
      ...one,
      id: '',
      isDenial: true,
      startedAt: one.at,
      endedAt: one.at + 15 * MINUTE,
      charge: one.least,
    })),
  ].sort(
    (one, other) =>
      one.startedAt - other.startedAt ||
      Number(one.isDenial) - Number(other.isDenial) ||
      (one.id < other.id ? -1 : one.id > other.id ? 1 : 0),
  )
  const cents = (text: string) => Math.round(Number(text) * 100)
  const isSame = (limit: Limit, one: { names: PastSession['names']; currency: string }, other: typeof one) =>
    one.currency === other.currency &&
    identity({ ...limit, ...namedSubject(limit, one.names) }) ===
      identity({ ...limit, ...namedSubject(limit, other.names) })
  const isInPeriod = (limit: Limit, at: number, now: number) =>
    limit.period !== 'day' || dayIn(past.timeZone, new Date(at)) === dayIn(past.timeZone, new Date(now))
  for (const start of starts) {
    const now = start.startedAt
    if (start.isDenial) {
      const isRetry = admitted.some(
        (one) =>
          one.isDenial &&
          one.host === start.host &&
          one.endedAt > now &&
          JSON.stringify(one.names) === JSON.stringify(start.names),
      )
      if (isRetry) continue
      out.denied++
    } else if (now >= past.from) out.starts++
    else {
      admitted.push(start)
      continue
    }
    const isAllowed = isProductAllowed(rules, start.names.user, start.names.product)
    const used = (limit: Limit) => {
      let sum = 0
      for (const one of admitted) {
        if (!isSame(limit, one, start)) continue
        const elapsed = now - one.startedAt
        const length = one.endedAt - one.startedAt
        if (one.endedAt <= now) sum += isInPeriod(limit, one.endedAt, now) ? cents(one.charge) : 0
        else sum += Math.max(cents(one.least), Math.floor((cents(one.charge) * elapsed) / length + 0.5))
      }
      for (const one of past.corrections) {
        const isOfRefused = past.sessions.some(({ id }) => id === one.of) && !admitted.some(({ id }) => id === one.of)
        if (one.at <= now && !isOfRefused && isSame(limit, one, start) && isInPeriod(limit, one.at, now))
          sum += cents(one.charge)
      }
      if (limit.period === 'all')
        for (const one of past.usedBefore)
          if (limits[one.limit] === limit && isSame(limit, one, start)) sum += cents(one.charge)
      return sum
    }
    const reached = isAllowed
      ? limitsOn(limits, start.names, { day: '', currency: start.currency }).find(
          (one) => one.refuseAt !== null && used(one) + cents(start.least) > cents(one.refuseAt),
        )
      : undefined
    if (isAllowed && !reached) {
      admitted.push(start)
      if (start.isDenial) out.admitted++
    } else if (!start.isDenial) {
      out.refused++
      if (reached) refused[limits.indexOf(reached)] = (refused[limits.indexOf(reached)] ?? 0) + 1
      else out.notAllowed++
    }
  }
  return { ...out, limits: refused }
}

test('a replay equals a recount from the definition', () => {
  const name = <T>(...values: T[]) => fc.constantFrom(...values)
  const names = fc.record({ user: name('anna', 'BOB', 'bob'), project: name('', 'Wing'), product: name('X', 'Y') })
  const past = fc.record({ names, currency: name('AEU', 'AEU', 'USD') })
  const units = fc.integer({ min: 0, max: 900 }).map((hundredths) => (hundredths / 100).toFixed(2))
  const minute = fc.integer({ min: -300, max: 4000 })
  const sessions = fc.array(fc.tuple(past, minute, fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 3 })), {
    maxLength: 25,
  })
  const denials = fc.array(fc.tuple(past, fc.integer({ min: 0, max: 300 }), name('ws1', 'ws2'), units), {
    maxLength: 8,
  })
  const limits = fc.uniqueArray(
    fc.record({
      subject: fc.constantFrom(...LIMIT_SUBJECTS),
      user: name(null, 'Anna'),
      project: name(null, 'Wing'),
      product: name(null, 'X'),
      period: name('day' as const, 'month' as const, 'all' as const),
      refuseAt: fc.option(
        fc.integer({ min: 1, max: 4000 }).map((cents) => (cents / 100).toFixed(2)),
        { freq: 8 },
      ),
    }),
    { maxLength: 6, selector: (one) => identity(limit(namedLimit(one))) },
  )
  fc.assert(
    fc.property(
      sessions,
      denials,
      limits,
      fc.array(fc.tuple(fc.nat(24), fc.integer({ min: 0, max: 4000 }), units), { maxLength: 4 }),
      fc.array(fc.tuple(past, fc.nat(5), units), { maxLength: 4 }),
      fc.option(
        name<ProductRule>(
          { user: null, kind: 'deny', products: ['Y'] },
          { user: 'bob', kind: 'allow', products: ['X'] },
        ),
      ),
      name('UTC', 'Europe/Berlin', 'Asia/Kolkata'),
      (rawSessions, rawDenials, rawLimits, rawCorrections, rawBefore, rule, timeZone) => {
        const made = rawSessions.map(([one, start, minutes, rate], at): PastSession => {
          const startedAt = FROM + start * MINUTE
          const endedAt = Math.max(startedAt + minutes * MINUTE, FROM)
          const unitsPerHour = String(rate)
          return {
            ...one,
            id: `s${String(at).padStart(2, '0')}`,
            startedAt,
            endedAt,
            charge: sessionCharge({
              startedAt: new Date(startedAt),
              endedAt: new Date(endedAt),
              productCount: 1,
              unitsPerHour,
            }),
            least: (rate / 4).toFixed(2),
          }
        })
        const wanted = rawLimits.map((one) => limit(namedLimit(one)))
        const month: PastMonth = {
          timeZone,
          from: FROM,
          sessions: made,
          denials: rawDenials.map(([one, at, host, least]) => ({ ...one, at: FROM + at * MINUTE, host, least })),
          corrections: rawCorrections.flatMap(([index, at, charge]) => {
            const of = made[index]
            return of
              ? [
                  {
                    of: of.id,
                    at: Math.max(FROM + at * MINUTE, of.endedAt),
                    charge: `-${charge}`,
                    names: of.names,
                    currency: of.currency,
                  },
                ]
              : []
          }),
          usedBefore: rawBefore
            .filter(([, index]) => index < wanted.length)
            .map(([one, index, charge]) => ({ ...one, limit: index, charge })),
        }
        const rules = rule === null ? [] : [rule]
        const { limits: found, ...replay } = replayLimits(month, wanted, rules)
        expect({ ...replay, limits: found.map(({ refused }) => refused) }).toEqual(bruteForce(month, wanted, rules))
      },
    ),
    { numRuns: 400 },
  )
})

/** Names of parts that the subject does not have are empty, as they are stored. */
function namedLimit<L extends Pick<Limit, 'subject' | 'user' | 'project' | 'product'>>(one: L): L {
  const has = (part: string) => one.subject.split('+').includes(part)
  return {
    ...one,
    user: has('user') ? one.user : null,
    project: has('project') ? one.project : null,
    product: has('product') ? one.product : null,
  }
}
