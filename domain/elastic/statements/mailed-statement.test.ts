import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { addMonths } from '#domain/calendar/calendar-periods.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import {
  type BroughtForward,
  type EntitlementToMail,
  type FrozenEntitlement,
  freezeEntitlement,
  mailedPeriod,
  type PreviousBalance,
} from '#domain/elastic/statements/mailed-statement.ts'
import { add, compare, subtract, sum } from '#domain/money/decimal.ts'

const MARCH: DayRange = { from: '2026-03-01', to: '2026-03-31' }

test.each([
  ['weekly', '2026-11-16', '2026-11-09', '2026-11-15'],
  ['weekly', '2026-03-03', '2026-02-24', '2026-03-02'],
  ['monthly', '2026-11-16', '2026-10-01', '2026-10-31'],
  ['monthly', '2026-11-01', '2026-10-01', '2026-10-31'],
  ['monthly', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['monthly', '2026-01-15', '2025-12-01', '2025-12-31'],
] as const)('the %s statement of %s is from %s to %s', (kind, day, from, to) => {
  expect(mailedPeriod(kind, day)).toEqual({ from, to })
})

const entitlement = (values: Partial<EntitlementToMail> = {}): EntitlementToMail => ({
  purchaseOrder: 'PO-1',
  activationId: 'A1',
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  currency: 'AEU',
  total: '1000',
  isListed: true,
  usedBefore: '0',
  products: [],
  previous: null,
  ...values,
})
const february = (values: Partial<PreviousBalance> = {}): PreviousBalance => ({
  to: '2026-02-28',
  total: '1000',
  used: '100',
  usedNow: '100',
  ...values,
})

describe('what a mailed record brings forward', () => {
  test.each<[string, Partial<EntitlementToMail>, Partial<BroughtForward> | null, string]>([
    ['has nothing to bring forward the first time', { usedBefore: '40' }, null, '960'],
    [
      'begins where the previous one ended',
      { usedBefore: '100', previous: february() },
      { balance: '900', late: '0', between: '0', added: '0' },
      '900',
    ],
    [
      'states what arrived since and ended before as late',
      { usedBefore: '130.55', previous: february({ usedNow: '130.55' }) },
      { balance: '900', late: '30.55' },
      '869.45',
    ],
    [
      'states a correction of an earlier period as negative late usage',
      { usedBefore: '75', previous: february({ usedNow: '75' }) },
      { balance: '900', late: '-25' },
      '925',
    ],
    [
      'does not call usage late that ended between the periods',
      { usedBefore: '160', previous: february({ to: '2026-01-31', usedNow: '110' }) },
      { balance: '900', late: '10', between: '50' },
      '840',
    ],
    [
      'states units that were bought since',
      { total: '1500', usedBefore: '100', previous: february() },
      { balance: '900', added: '500', late: '0' },
      '1400',
    ],
  ])('a mailed record %s', (_, values, broughtForward, balanceBefore) => {
    const { record } = freezeEntitlement(MARCH, entitlement(values))
    expect(record?.balanceBefore).toBe(balanceBefore)
    if (broughtForward) expect(record?.broughtForward).toMatchObject(broughtForward)
    else expect(record?.broughtForward).toBeNull()
  })

  test('a mailed record keeps late usage out of Used', () => {
    const products = [{ product: 'Fluid', used: '7' }]
    const values = { usedBefore: '130', products, previous: february({ usedNow: '130' }) }
    expect(freezeEntitlement(MARCH, entitlement(values)).record).toMatchObject({
      balanceBefore: '870',
      used: '7',
      balanceAfter: '863',
      broughtForward: { late: '30' },
    })
  })

  test.each<[string, Partial<EntitlementToMail>, boolean]>([
    ['of an entitlement that ended before', { endDate: '2026-02-28', usedBefore: '100', previous: february() }, false],
    [
      'of one that ended before and has late usage',
      { endDate: '2026-02-28', usedBefore: '130', previous: february({ usedNow: '130' }) },
      true,
    ],
    ['of one that is not listed any more', { isListed: false, usedBefore: '100', previous: february() }, false],
    ['of one whose dates are in the period', {}, true],
  ])('the statement has a line %s: $2', (_, values, hasLine) => {
    const { record, used } = freezeEntitlement(MARCH, entitlement(values))
    expect(record !== null).toBe(hasLine)
    expect(used).toBe(values.usedBefore ?? '0')
  })
})

/** A transaction with the time of its arrival; a correction has a negative charge, a split is two transactions. */
type Charge = { activationId: string; product: string; endsAt: Date; arrivesAt: Date; cents: number }

const IDS = ['A1', 'A2', 'A3']
const instant = (min: string, max: string) => fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true })
const session = fc.record({
  activationId: fc.constantFrom(...IDS),
  product: fc.constantFrom('Fluid', 'HPC Pack', 'Wärme'),
  endsAt: instant('2025-12-01T00:00:00Z', '2026-04-30T23:59:59Z'),
  // Most arrive at once, some weeks or months late.
  delayHours: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 })),
  cents: fc.integer({ min: 1, max: 5_000_000 }),
  isSplit: fc.boolean(),
  // The hours until it is taken back in whole or in part.
  correction: fc.option(
    fc.record({ delayHours: fc.integer({ min: 0, max: 3000 }), share: fc.integer({ min: 1, max: 4 }) }),
  ),
})
const later = (instant: Date, hours: number) => new Date(instant.getTime() + hours * 3_600_000)

const charges = fc.array(session, { maxLength: 60 }).map((sessions) =>
  sessions.flatMap(({ activationId, product, endsAt, delayHours, cents, isSplit, correction }): Charge[] => {
    const arrivesAt = later(endsAt, delayHours)
    const whole: Charge = { activationId, product, endsAt, arrivesAt, cents }
    const part = Math.floor(cents / 3)
    const next = IDS[(IDS.indexOf(activationId) + 1) % IDS.length] ?? ''
    const booked =
      isSplit && part > 0
        ? [
            { ...whole, cents: part },
            { ...whole, activationId: next, cents: cents - part },
          ]
        : [whole]
    if (!correction) return booked
    const takenBack = booked.map((one) => ({
      ...one,
      arrivesAt: later(arrivesAt, correction.delayHours),
      cents: -Math.floor(one.cents / correction.share),
    }))
    return [...booked, ...takenBack]
  }),
)
const zones = fc.constantFrom('UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata', 'Europe/Berlin')
const sumOf = (list: readonly Charge[]) => sum(list.map(({ cents }) => (cents / 100).toFixed(2)))

/**
 * Computes a statement as the server does: usage that has arrived by now, by the day of its end in the zone of the
 * account.
 */
function mail(
  period: DayRange,
  { zone, now, booked }: { zone: string; now: Date; booked: readonly Charge[] },
  before: readonly { period: DayRange; frozen: readonly FrozenEntitlement[] }[],
): FrozenEntitlement[] {
  const arrived = booked.filter(({ arrivesAt }) => arrivesAt <= now)
  return IDS.map((activationId) => {
    const own = arrived.filter((one) => one.activationId === activationId)
    const until = (day: string) => sumOf(own.filter(({ endsAt }) => dayIn(zone, endsAt) <= day))
    const inPeriod = own.filter(({ endsAt }) => {
      const day = dayIn(zone, endsAt)
      return day >= period.from && day <= period.to
    })
    const latest = before.findLast(({ period: { to } }) => to < period.from)
    const last = latest?.frozen.find((one) => one.activationId === activationId)
    return freezeEntitlement(
      period,
      entitlement({
        activationId,
        endDate: null,
        usedBefore: until(addDays(period.from, -1)),
        products: [...new Set(inPeriod.map(({ product }) => product))].map((product) => ({
          product,
          used: sumOf(inPeriod.filter((one) => one.product === product)),
        })),
        previous:
          latest && last
            ? { to: latest.period.to, total: last.total, used: last.used, usedNow: until(latest.period.to) }
            : null,
      }),
    )
  })
}

/** When each month is mailed: on the first of the next one or up to 20 days later. */
const mailings = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 24, max: 480 })))

test('three successive mailed months chain to the cent, whatever arrives late, is split or corrected, in every zone', () => {
  let lateMonths = 0
  fc.assert(
    fc.property(charges, zones, mailings, (booked, zone, hours) => {
      const sent: { period: DayRange; frozen: FrozenEntitlement[]; now: Date }[] = []
      for (const [index, first] of ['2026-01-01', '2026-02-01', '2026-03-01'].entries()) {
        const period = { from: first, to: addDays(addMonths(first, 1), -1) }
        const now = later(new Date(`${addDays(period.to, 1)}T12:00:00Z`), hours[index] ?? 24)
        sent.push({ period, now, frozen: mail(period, { zone, now, booked }, sent) })
      }
      for (const [index, id] of [0, 1, 2].flatMap((index) => IDS.map((id) => [index, id] as const))) {
        const at = (place: number) => sent[place]?.frozen.find(({ activationId }) => activationId === id)?.record
        const record = at(index)
        expect(subtract(record?.balanceBefore ?? '', record?.used ?? '')).toBe(record?.balanceAfter)
        expect(sum(record?.products.map(({ used }) => used) ?? [])).toBe(record?.used)
        if (index === 0) continue
        const late = record?.broughtForward?.late ?? ''
        expect(record?.broughtForward?.between).toBe('0')
        expect(subtract(at(index - 1)?.balanceAfter ?? '', late)).toBe(record?.balanceBefore)
        // Late is exactly what came between the two mailings and had ended by the end of the earlier month.
        const [earlier, own] = [sent[index - 1], sent[index]]
        const expected = booked.filter(
          ({ activationId, arrivesAt, endsAt }) =>
            activationId === id &&
            earlier !== undefined &&
            own !== undefined &&
            arrivesAt > earlier.now &&
            arrivesAt <= own.now &&
            dayIn(zone, endsAt) <= earlier.period.to,
        )
        expect(compare(late, sumOf(expected))).toBe(0)
        if (compare(late, 0) !== 0) lateMonths++
      }
    }),
  )
  expect(lateMonths).toBeGreaterThan(20)
})

test('everything that arrives is stated once, in its month or as late, from the first statement to the last', () => {
  fc.assert(
    fc.property(charges, zones, (booked, zone) => {
      const sent: { period: DayRange; frozen: FrozenEntitlement[] }[] = []
      for (const first of ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01']) {
        const period = { from: first, to: addDays(addMonths(first, 1), -1) }
        const now = new Date(`${addDays(period.to, 2)}T12:00:00Z`)
        sent.push({ period, frozen: mail(period, { zone, now, booked }, sent) })
      }
      for (const id of IDS) {
        const records = sent.map(({ frozen }) => frozen.find(({ activationId }) => activationId === id)?.record)
        const stated = records.map((record) => add(record?.used ?? 0, record?.broughtForward?.late ?? 0))
        const [first, last] = [records[0], records.at(-1)]
        expect(subtract(first?.balanceBefore ?? 0, sum(stated))).toBe(last?.balanceAfter)
      }
    }),
  )
})
