import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readOptionsRules } from '#domain/options-files/options-document.ts'
import { compareOptions, type MeasuredRequests } from '#domain/options-files/replay-options.ts'

type Event = { kind: 'out' | 'in' | 'denied'; user: string; count: number; seats: number | null | 'same' }
type Who = { user: string; host: string }
const HOSTS: Readonly<Record<string, string>> = { ann: 'pc1', bea: 'pc2', chris: '10.0.0.7', dan: 'PC4' }

/** Lines of a log, one in every second. A return gives back the oldest checkout of its user. */
function measuredOf(events: readonly Event[]): MeasuredRequests {
  const checkouts: (MeasuredRequests['checkouts'][number] & { to: number })[] = []
  const denials: MeasuredRequests['denials'][number][] = []
  const limits: { at: number; seats: number | null }[] = []
  for (const [at, { kind, user, count, seats }] of events.entries()) {
    const who = { user, host: HOSTS[user] ?? '' }
    if (seats !== 'same') limits.push({ at, seats })
    if (kind === 'out')
      checkouts.push({ ...who, from: at, to: Number.POSITIVE_INFINITY, count, log: 1, outId: at, inId: null })
    else if (kind === 'denied') denials.push({ ...who, at, count, log: 1, id: at })
    else {
      const open = checkouts.findIndex((one) => one.user === user && one.to === Number.POSITIVE_INFINITY)
      if (open >= 0) checkouts[open] = { ...checkouts[open]!, to: at, inId: at }
    }
  }
  return { checkouts, denials, limits }
}

const GROUPS: Readonly<Record<string, readonly string[]>> = { crash: ['ann', 'bea'], cfd: ['bea', 'chris'] }
const HOST_GROUPS: Readonly<Record<string, readonly string[]>> = { lab: ['pc2', '10.0.0.*'] }
const NAMES = 'GROUP crash ann bea\nGROUP cfd bea chris\nHOST_GROUP lab pc2 10.0.0.*\n'

/** A recount that knows nothing of the product's reader and replay: the lines as they stand, and every sum made anew at every request. */
function grantedUnder(rules: readonly string[], measured: MeasuredRequests): Set<string> {
  const means = (type: string, name: string, { user, host }: Who): boolean => {
    if (type === 'USER') return name === user
    if (type === 'GROUP') return GROUPS[name]!.includes(user)
    const hosts = type === 'HOST' ? [name] : HOST_GROUPS[name]!
    return hosts.some((one) =>
      one.endsWith('.*') ? host.startsWith(one.slice(0, -1)) : one.toLowerCase() === host.toLowerCase(),
    )
  }
  const parsed = rules.map((line) => line.split(' '))
  const counted = (keyword: string) =>
    parsed
      .filter(([first]) => first === keyword)
      .map(([, count, , type = '', name = '']) => ({ count: Number(count), type, name }))
  const plain = (keyword: string) =>
    parsed
      .filter(([first]) => first === keyword || first === `${keyword}ALL`)
      .map((words) => words.slice(-2) as [string, string])
  const [reserves, maxima, includes, excludes] = [
    counted('RESERVE'),
    counted('MAX'),
    plain('INCLUDE'),
    plain('EXCLUDE'),
  ]
  const granted = new Set<string>()
  const held: (Who & { until: number; parts: number[]; pool: number; count: number })[] = []
  const requests = [
    ...measured.checkouts.map((one, index) => ({ ...one, at: one.from, key: `out ${index}` })),
    ...measured.denials.map((one, index) => ({ ...one, to: -1, key: `denied ${index}` })),
  ].sort((one, other) => one.at - other.at)
  for (const { key, at, to, user, host, count } of requests) {
    const now = held.filter((one) => one.until > at)
    const total = measured.limits.filter((limit) => limit.at <= at).at(-1)?.seats ?? Number.POSITIVE_INFINITY
    const caps: number[] = []
    for (const { count: wanted } of reserves)
      caps.push(Math.min(wanted, total - caps.reduce((sum, one) => sum + one, 0)))
    if (excludes.some(([type, name]) => means(type, name, { user, host }))) continue
    if (includes.length > 0 && !includes.some(([type, name]) => means(type, name, { user, host }))) continue
    const isOver = maxima.some(
      ({ count: most, type, name }) =>
        means(type, name, { user, host }) &&
        now.filter((one) => means(type, name, one)).reduce((sum, one) => sum + one.count, 0) + count > most,
    )
    if (isOver) continue
    let wanted = count
    const parts = reserves.map(({ type, name }, index) => {
      if (!means(type, name, { user, host })) return 0
      const used = now.reduce((sum, one) => sum + (one.parts[index] ?? 0), 0)
      const part = Math.min(wanted, Math.max(0, caps[index]! - used))
      wanted -= part
      return part
    })
    const poolSize = total - caps.reduce((sum, one) => sum + one, 0)
    const inPool = now.reduce((sum, one) => sum + one.pool, 0)
    if (wanted > Math.max(0, poolSize - inPool)) continue
    granted.add(key)
    if (key.startsWith('out')) held.push({ user, host, until: to, parts, pool: wanted, count })
  }
  return granted
}

function recount(before: readonly string[], after: readonly string[], measured: MeasuredRequests) {
  const [old, now] = [grantedUnder(before, measured), grantedUnder(after, measured)]
  return {
    avoided: measured.denials.filter((_, index) => !old.has(`denied ${index}`) && now.has(`denied ${index}`)).length,
    added: measured.checkouts.filter((_, index) => old.has(`out ${index}`) && !now.has(`out ${index}`)).length,
  }
}

const compared = (before: readonly string[], after: readonly string[], measured: MeasuredRequests) => {
  const read = (rules: readonly string[]) => readOptionsRules(`${NAMES}${rules.join('\n')}\n`)
  return compareOptions(read(before), read(after), 'solver', measured)
}

const user = fc.constantFrom('ann', 'bea', 'chris', 'dan')
const event = fc.record({
  kind: fc.constantFrom('out', 'out', 'in', 'denied'),
  user,
  count: fc.integer({ min: 1, max: 3 }),
  seats: fc.oneof({ weight: 8, arbitrary: fc.constant('same') }, fc.integer({ min: 0, max: 6 }), fc.constant(null)),
}) as fc.Arbitrary<Event>
const named = fc.oneof(
  user.map((name) => `USER ${name}`),
  fc.constantFrom('GROUP crash', 'GROUP cfd', 'HOST_GROUP lab', 'HOST PC1', 'HOST pc4'),
)
const rule = fc
  .tuple(
    fc.constantFrom('RESERVE', 'MAX', 'INCLUDE', 'EXCLUDE', 'INCLUDEALL', 'EXCLUDEALL'),
    fc.integer({ min: 1, max: 4 }),
    named,
  )
  .map(([keyword, count, who]) => {
    if (keyword.endsWith('ALL')) return `${keyword} ${who}`
    return `${keyword} ${keyword === 'RESERVE' || keyword === 'MAX' ? `${count} ` : ''}solver ${who}`
  })
const rules = fc.array(rule, { maxLength: 5 })

test('what other options would have done equals a recount', () => {
  fc.assert(
    fc.property(rules, rules, fc.array(event, { maxLength: 40 }), (before, after, events) => {
      const measured = measuredOf([{ kind: 'in', user: 'dan', count: 1, seats: 3 }, ...events])
      expect(compared(before, after, measured)).toEqual(recount(before, after, measured))
    }),
    { numRuns: 2000 },
  )
})

describe('with other options', () => {
  const out = (user: string, count = 1): Event => ({ kind: 'out', user, count, seats: 'same' })
  const denied = (user: string): Event => ({ kind: 'denied', user, count: 1, seats: 'same' })
  const two: Event = { kind: 'in', user: 'nobody', count: 1, seats: 2 }
  test.each<[string, string[], string[], Event[], { avoided: number; added: number }]>([
    ['nothing changes without a rule', [], [], [two, out('ann'), out('bea'), denied('dan')], { avoided: 0, added: 0 }],
    [
      'a limit of others frees a seat',
      [],
      ['MAX 1 solver USER ann'],
      [two, out('ann'), out('ann'), denied('dan')],
      { avoided: 1, added: 1 },
    ],
    [
      'a reservation keeps seats from others',
      [],
      ['RESERVE 1 solver GROUP crash'],
      [two, out('dan'), out('dan'), denied('ann')],
      { avoided: 1, added: 1 },
    ],
    [
      'nobody who is not included gets a seat',
      [],
      ['INCLUDE solver USER ann'],
      [two, out('dan'), out('ann')],
      { avoided: 0, added: 1 },
    ],
    [
      'EXCLUDE comes before INCLUDE',
      ['INCLUDE solver USER ann'],
      ['INCLUDE solver USER ann', 'EXCLUDEALL GROUP crash'],
      [two, out('ann')],
      { avoided: 0, added: 1 },
    ],
    [
      'a rule that is removed lets people in again',
      ['EXCLUDE solver USER dan'],
      [],
      [two, denied('dan')],
      { avoided: 1, added: 0 },
    ],
    [
      'a rule by project changes nothing, because logs do not name projects',
      [],
      ['EXCLUDE solver PROJECT apollo', 'INCLUDE solver PROJECT apollo'],
      [two, out('ann')],
      { avoided: 0, added: 0 },
    ],
  ])('the replay finds that %s', (_, before, after, events, expected) => {
    expect(compared(before, after, measuredOf(events))).toEqual(expected)
  })
})
