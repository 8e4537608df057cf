import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { decideOrder } from '#domain/fsa/check-order.ts'
import {
  blankLine,
  changeCount,
  changeDuration,
  changeProduct,
  changeStartDate,
  type OrderLine,
  optionsOf,
} from '#domain/fsa/order-line.ts'
import { EDITED_FIELDS } from '#domain/fsa/order-texts.ts'
import { CHEMISTRY, CONTRACT, SOLVER, TODAY } from '#domain/fsa/testing/samples.ts'
import { add, compare, sum, toFixedText } from '#domain/money/decimal.ts'

const terms = { contract: CONTRACT, today: TODAY, isBusops: false, available: '250000.00' }
const solver = changeProduct(blankLine(CONTRACT), SOLVER.partNumber, CONTRACT, TODAY)
const chemistry = changeProduct(blankLine(CONTRACT), CHEMISTRY.partNumber, CONTRACT, TODAY)
const messages = (...args: Parameters<typeof decideOrder>) => decideOrder(...args).errors.map((one) => one?.message)

describe('duplicates', () => {
  const DUPLICATE = 'Product with same attributes already exists.'

  test('the later line has the error', () => {
    expect(messages([solver, chemistry, solver, solver], terms)).toEqual([undefined, undefined, DUPLICATE, DUPLICATE])
  })

  test.each<[string, OrderLine]>([
    ['product', chemistry],
    ['count', changeCount(solver, 2)],
    ['start', changeStartDate(solver, addDays(TODAY, 1), CONTRACT)],
    ['duration', changeDuration(solver, 30, CONTRACT)],
  ])('another %s makes it another line', (_attribute, other) => {
    expect(messages([solver, other], terms)).toEqual([undefined, undefined])
  })

  test('an empty count is the same as 1', () => {
    expect(messages([solver, { ...solver, count: null }], terms)).toEqual([undefined, DUPLICATE])
  })

  test('manual lines with different names are no duplicates', () => {
    const manual = { ...solver, partNumber: 'FSA0030216', isManual: true, productName: 'Training' }
    const order = [manual, { ...manual, productName: 'Consulting' }, manual]
    expect(messages(order, { ...terms, isBusops: true })).toEqual([undefined, undefined, DUPLICATE])
  })
})

describe('balance', () => {
  test('an order may use up the balance to the cent, and not a cent more', () => {
    expect(decideOrder([solver], { ...terms, available: '9120.00' })).toEqual({
      errors: [undefined],
      totalCost: '9120.00',
      balanceAfter: '0.00',
    })
    expect(decideOrder([solver], { ...terms, available: '9119.99' })).toMatchObject({
      errors: [{ code: 'INSUFFICIENT_BALANCE' }],
      totalCost: '0.00',
      balanceAfter: '9119.99',
    })
  })

  test('no count is too large for the text of the balance', () => {
    for (const count of [99_999_999, 2_147_483_647])
      expect(messages([changeCount(solver, count)], terms, { index: 0, field: 'count' })).toEqual([
        'You do not have sufficient balance for the selected count.',
      ])
  })

  test('a line that does not fit leaves room for those after it', () => {
    const decision = decideOrder([solver, chemistry], { ...terms, available: '5000.00' })
    expect(decision.errors.map((one) => one?.code)).toEqual(['INSUFFICIENT_BALANCE', undefined])
    expect(decision).toMatchObject({ totalCost: '4160.00', balanceAfter: '840.00' })
  })

  test('a line with an error costs nothing', () => {
    const decision = decideOrder([{ ...solver, count: 0 }, chemistry], { ...terms, available: '4160.00' })
    expect(decision).toMatchObject({ totalCost: '4160.00', balanceAfter: '0.00' })
  })

  test.each([
    ['product', 'You do not have sufficient balance for the selected product.'],
    ['count', 'You do not have sufficient balance for the selected count.'],
    ['start date', 'You do not have sufficient balance for the selected start date.'],
    ['duration', 'You do not have sufficient balance for the selected duration.'],
    ['cost', 'You do not have sufficient balance for the entered cost.'],
  ] as const)('the edited line has the error, which names the %s', (field, message) => {
    const order = [chemistry, solver]
    const available = '10000.00'
    expect(messages(order, { ...terms, available }, { index: 1, field })).toEqual([undefined, message])
    expect(messages(order, { ...terms, available }, { index: 0, field })).toEqual([message, undefined])
  })

  test('the error for an order over the balance has a text for every field', () =>
    expect(EDITED_FIELDS).toHaveLength(5))

  test('without an edit, the line that goes over the balance has the text of the product', () => {
    expect(messages([solver, chemistry], { ...terms, available: '9121.00' })).toEqual([
      undefined,
      'You do not have sufficient balance for the selected product.',
    ])
  })
})

describe('for any sequence of orders', () => {
  const anyLine = fc
    .record({
      product: fc.constantFrom(SOLVER, CHEMISTRY),
      days: fc.integer({ min: -3, max: 210 }),
      option: fc.nat(6),
      count: fc.integer({ min: -1, max: 9 }),
      cheat: fc.constantFrom('', '', '', '0.01', '99999.99'),
    })
    .map(({ product, days, option, count, cheat }): OrderLine => {
      const chosen = changeProduct(blankLine(CONTRACT), product.partNumber, CONTRACT, TODAY)
      const started = changeStartDate(chosen, addDays(TODAY, days), CONTRACT)
      const options = optionsOf(started, CONTRACT)
      const duration = options[option % Math.max(options.length, 1)]?.duration
      const line = changeCount(duration ? changeDuration(started, duration, CONTRACT) : started, count)
      return cheat === '' ? line : { ...line, cost: cheat }
    })
  const cents = fc.integer({ min: 0, max: 30_000_000 })

  test('prices and remaining balance add up to the price of the contract, to the cent', () => {
    fc.assert(
      fc.property(cents, fc.array(fc.array(anyLine, { maxLength: 6 }), { maxLength: 12 }), (amount, orders) => {
        const price = toFixedText(`${amount}e-2`, 2)
        const contract = { ...CONTRACT, price }
        let available = price
        const prices: string[] = []
        for (const order of orders) {
          const decision = decideOrder(order, { ...terms, contract, available })
          const ordered = order.filter((_, index) => !decision.errors[index]).map((line) => line.cost ?? '')
          prices.push(...ordered)
          expect(decision.totalCost).toBe(toFixedText(sum(ordered), 2))
          available = decision.balanceAfter
          expect(compare(available, 0)).toBeGreaterThanOrEqual(0)
          expect(toFixedText(add(sum(prices), available), 2)).toBe(price)
        }
      }),
    )
  })
})
