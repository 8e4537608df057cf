import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { addMonths } from '#domain/calendar/calendar-periods.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { createStatement, partsByCurrency, type StatedEntitlement } from '#domain/elastic/statements/statement.ts'
import { add, subtract, sum } from '#domain/money/decimal.ts'

const MARCH: DayRange = { from: '2026-03-01', to: '2026-03-31' }

const entitlement = (values: Partial<StatedEntitlement> = {}): StatedEntitlement => ({
  purchaseOrder: 'PO-1',
  activationId: 'A1',
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  currency: 'AEU',
  total: '1000.00',
  isListed: true,
  usedBefore: '0',
  products: [],
  ...values,
})

describe('a record', () => {
  test('states the balance before, what was used, and the balance after', () => {
    const products = [
      { product: 'HPC Pack', used: '0.10' },
      { product: 'Fluid', used: '0.20' },
    ]
    const { records } = createStatement(MARCH, [entitlement({ usedBefore: '250.75', products })])
    expect(records).toEqual([
      {
        purchaseOrder: 'PO-1',
        activationId: 'A1',
        startDate: '2026-01-01',
        endDate: '2026-12-31',
        currency: 'AEU',
        products: [
          { product: 'Fluid', used: '0.20' },
          { product: 'HPC Pack', used: '0.10' },
        ],
        balanceBefore: '749.25',
        used: '0.3',
        balanceAfter: '748.95',
      },
    ])
  })

  test('may go below zero', () => {
    const products = [{ product: 'Fluid', used: '30' }]
    expect(createStatement(MARCH, [entitlement({ total: '10', products })]).records[0]?.balanceAfter).toBe('-20')
  })

  test.each([
    ['whose dates overlap the period', { startDate: '2026-03-31' }, 1],
    ['that ended on its first day', { endDate: '2026-03-01' }, 1],
    ['that does not end', { endDate: null }, 1],
    ['that ended before it', { endDate: '2026-02-28' }, 0],
    ['that starts after it', { startDate: '2026-04-01' }, 0],
    ['that ended before it but was used in it', { endDate: '2026-02-28', products: [{ product: 'F', used: '1' }] }, 1],
    ['whose usage was taken back', { endDate: '2026-02-28', products: [{ product: 'F', used: '0' }] }, 1],
    ['that is not listed any more', { isListed: false }, 0],
    ['that is not listed any more but was used', { isListed: false, products: [{ product: 'F', used: '1' }] }, 1],
  ])('of an entitlement %s is listed $2 times', (_, values, found) => {
    expect(createStatement(MARCH, [entitlement(values)]).records).toHaveLength(found)
  })
})

test('products are added up over the records, for each currency', () => {
  const { products } = createStatement(MARCH, [
    entitlement({ products: [{ product: 'Fluid', used: '1.10' }] }),
    entitlement({
      activationId: 'A2',
      products: [
        { product: 'Fluid', used: '2.20' },
        { product: 'HPC', used: '9' },
      ],
    }),
    entitlement({ activationId: 'A3', currency: 'AEC', products: [{ product: 'Fluid', used: '5' }] }),
  ])
  expect(products).toEqual([
    { product: 'HPC', currency: 'AEU', used: '9' },
    { product: 'Fluid', currency: 'AEU', used: '3.3' },
    { product: 'Fluid', currency: 'AEC', used: '5' },
  ])
})

test('totals and pies are made for each currency, the most used one first, by purchase order or activation id', () => {
  const products = [{ product: 'Fluid', used: '5' }]
  const statement = createStatement(MARCH, [
    entitlement({ products }),
    entitlement({ activationId: 'A2', products }),
    entitlement({ activationId: 'A3', purchaseOrder: '', products }),
    entitlement({ activationId: 'A4', currency: 'AEC' }),
  ])
  expect(partsByCurrency(statement)).toEqual([
    {
      currency: 'AEU',
      balanceBefore: '3000',
      used: '15',
      balanceAfter: '2985',
      purchaseOrders: [
        { label: 'A3', value: '5' },
        { label: 'PO-1', value: '10' },
      ],
      products: [{ label: 'Fluid', value: '15' }],
    },
    {
      currency: 'AEC',
      balanceBefore: '1000',
      used: '0',
      balanceAfter: '1000',
      purchaseOrders: [{ label: 'PO-1', value: '0' }],
      products: [],
    },
  ])
})

/** A transaction that ended at an instant; a correction is one with a negative charge. */
type Charge = { activationId: string; product: string; endsAt: Date; cents: number }

const IDS = ['A1', 'A2', 'A3']
const charges = fc.array(
  fc.record({
    activationId: fc.constantFrom(...IDS),
    product: fc.constantFrom('Fluid', 'HPC Pack', 'Wärme'),
    endsAt: fc.date({
      min: new Date('2025-12-01T00:00:00Z'),
      max: new Date('2026-05-31T23:59:59Z'),
      noInvalidDate: true,
    }),
    cents: fc.integer({ min: -500_000, max: 5_000_000 }),
  }),
  { maxLength: 80 },
)
const zones = fc.constantFrom('UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata', 'Europe/Berlin')
const toText = (cents: number) => (cents / 100).toFixed(2)

/** Adds up charges as the database does: by the day of the end in the zone of the account. */
function stateOf(period: DayRange, zone: string, booked: readonly Charge[]) {
  return createStatement(
    period,
    IDS.map((activationId) => {
      const own = booked.filter((one) => one.activationId === activationId)
      const inPeriod = own.filter(({ endsAt }) => {
        const day = dayIn(zone, endsAt)
        return day >= period.from && day <= period.to
      })
      const names = [...new Set(inPeriod.map(({ product }) => product))]
      return entitlement({
        activationId,
        startDate: '2025-01-01',
        endDate: null,
        usedBefore: sum(
          own.filter(({ endsAt }) => dayIn(zone, endsAt) < period.from).map(({ cents }) => toText(cents)),
        ),
        products: names.map((product) => ({
          product,
          used: sum(inPeriod.filter((one) => one.product === product).map(({ cents }) => toText(cents))),
        })),
      })
    }),
  )
}

const balanceOf = (statement: ReturnType<typeof createStatement>, id: string) =>
  statement.records.find(({ activationId }) => activationId === id)

test('three successive months chain to the cent, whatever was charged, split or corrected, in every time zone', () => {
  fc.assert(
    fc.property(charges, zones, fc.integer({ min: 0, max: 2 }), (booked, zone, back) => {
      const first = addMonths('2026-01-01', back)
      const months = [0, 1, 2].map((index) => addMonths(first, index))
      const statements = months.map((from) => stateOf({ from, to: addDays(addMonths(from, 1), -1) }, zone, booked))
      const whole = stateOf({ from: first, to: addDays(addMonths(first, 3), -1) }, zone, booked)
      for (const id of IDS) {
        const [one, two, three] = statements.map((statement) => balanceOf(statement, id))
        expect(two?.balanceBefore).toBe(one?.balanceAfter)
        expect(three?.balanceBefore).toBe(two?.balanceAfter)
        expect(balanceOf(whole, id)?.balanceBefore).toBe(one?.balanceBefore)
        expect(balanceOf(whole, id)?.balanceAfter).toBe(three?.balanceAfter)
        for (const record of [one, two, three]) {
          expect(subtract(record?.balanceBefore ?? '', record?.used ?? '')).toBe(record?.balanceAfter)
          expect(sum(record?.products.map(({ used }) => used) ?? [])).toBe(record?.used)
        }
      }
      for (const { records, products } of [...statements, whole])
        expect(sum(products.map(({ used }) => used))).toBe(sum(records.map(({ used }) => used)))
    }),
  )
})

test('usage that arrives late changes its own month and what follows, by its charge and no more', () => {
  fc.assert(
    fc.property(charges, charges, zones, (booked, late, zone) => {
      const period = { from: '2026-03-01', to: '2026-03-31' }
      const [before, after] = [stateOf(period, zone, booked), stateOf(period, zone, [...booked, ...late])]
      for (const id of IDS) {
        const own = late.filter(({ activationId, endsAt }) => activationId === id && dayIn(zone, endsAt) <= period.to)
        const lateSum = sum(own.map(({ cents }) => toText(cents)))
        expect(add(balanceOf(after, id)?.balanceAfter ?? '', lateSum)).toBe(balanceOf(before, id)?.balanceAfter)
      }
    }),
  )
})
