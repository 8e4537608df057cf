import { expect, test } from 'vitest'
import { toWireOrderLine } from '#contract/fsa/order-entitlements.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { REMAINDER } from '#domain/fsa/duration.ts'
import {
  blankLine,
  changeCost,
  changeCount,
  changeDuration,
  changeProduct,
  changeStartDate,
  changeUnitCost,
} from '#domain/fsa/order-line.ts'
import { priceChanged } from '#domain/fsa/order-texts.ts'
import { CONTRACT, SOLVER, TODAY } from '#domain/fsa/testing/samples.ts'
import { add, toFixedText } from '#domain/money/decimal.ts'
import {
  atCurrentPrices,
  changeStart,
  decideLines,
  isOverBalance,
  linesOfDraft,
  orderFigures,
  orderProblem,
  refusedLines,
  shownErrors,
  wireLines,
} from '#web/modules/fsa/edited-lines.ts'

const terms = { contract: CONTRACT, today: TODAY, isBusops: false, available: '10000.00' }
const blank = { key: 1, line: blankLine(CONTRACT) }
const solver = { key: 2, line: changeProduct(blank.line, SOLVER.partNumber, CONTRACT, TODAY) }
const two = { key: 3, line: changeCount(solver.line, 2) }

test('an order needs lines, a product in each, and no errors', () => {
  const problemOf = (...lines: (typeof blank)[]) => orderProblem(lines, decideLines(lines, terms, undefined))
  expect(problemOf()).toBe('Add a product first.')
  expect(problemOf(solver, blank)).toBe('Choose a product in every line, or remove the empty lines.')
  expect(problemOf(two)).toBe('Some lines cannot be ordered as they are.')
  expect(problemOf(solver)).toBe(undefined)
})

test('a blank line shows no error, a line over the balance names the field that was edited', () => {
  const lines = [blank, two]
  const decision = decideLines(lines, terms, { key: 3, field: 'count' })
  expect(shownErrors(lines, decision)).toEqual([
    undefined,
    'You do not have sufficient balance for the selected count.',
  ])
  expect(isOverBalance(decision)).toBe(true)
})

test('every line with a cost counts into the total, also one that the balance does not suffice for', () => {
  expect(orderFigures([blank, solver], '10000.00')).toEqual({
    totalCost: solver.line.cost,
    balanceAfter: (10_000 - Number(solver.line.cost)).toFixed(2),
    isTooExpensive: false,
  })
  const refused = { ...two, refusal: 'You do not have sufficient balance for the selected product.' }
  expect(orderFigures([refused, { key: 4, line: changeCost(solver.line, '94080.00') }], '10000.00')).toEqual({
    totalCost: (Number(two.line.cost) + 94_080).toFixed(2),
    balanceAfter: (10_000 - Number(two.line.cost) - 94_080).toFixed(2),
    isTooExpensive: true,
  })
})

test('a start that is not possible leaves the duration as it was chosen', () => {
  for (const start of ['', '2026-02-31', addDays(TODAY, -1), addDays(CONTRACT.endDate, 1)])
    expect(changeStart(solver.line, start, CONTRACT, TODAY)).toEqual({ ...solver.line, startDate: start })
  const later = addDays(solver.line.startDate, 1)
  expect(changeStart({ ...solver.line, startDate: '' }, later, CONTRACT, TODAY)).toEqual(
    changeStartDate(solver.line, later, CONTRACT),
  )
})

test('only refused lines stay, each with the reason of the server', () => {
  const left = refusedLines(
    [solver, two],
    [{ status: 'SUCCESS' }, { status: 'FAILURE', err: 'The price has changed.' }],
  )
  expect(left).toEqual([{ ...two, refusal: 'The price has changed.' }])
  expect(orderProblem(left, decideLines(left, { ...terms, available: '100000' }, undefined))).toBe(
    'Some lines cannot be ordered as they are.',
  )
})

test('a draft keeps no empty lines, and says which prices have changed since it was saved', () => {
  const products = wireLines([blank, solver, two])
  expect(products).toEqual([toWireOrderLine(solver.line), toWireOrderLine(two.line)])
  expect(linesOfDraft({ products }, CONTRACT, false)).toEqual([{ line: solver.line }, { line: two.line }])
  const [, outdated] = products
  expect(linesOfDraft({ products: [{ ...outdated!, ansysprice: '1234.50' }] }, CONTRACT, false)).toEqual([
    { line: two.line, note: 'The price has changed. This line cost 1,234.50 USD when it was saved.' },
  ])
})

test('a line follows the price list while it is edited, and can then be ordered at the new price', () => {
  const prices = Object.fromEntries(Object.entries(SOLVER.prices).map(([days, price]) => [days, add(price, 10)]))
  const contract = { ...CONTRACT, products: [{ ...SOLVER, prices }] }
  const newCost = toFixedText(add(solver.line.cost ?? 0, 10), 2)
  const refused = { ...solver, refusal: priceChanged(newCost, CONTRACT.currency) }
  const lines = atCurrentPrices([blank, refused], { ...terms, contract })
  expect(lines).toEqual([
    blank,
    { key: 2, line: changeUnitCost(solver.line, newCost), note: priceChanged(newCost, CONTRACT.currency) },
  ])
  expect(orderProblem(lines.slice(1), decideLines(lines.slice(1), { ...terms, contract }, undefined))).toBe(undefined)
})

test('a line at its price stays as it is, and so does one that cannot start when it should', () => {
  const refused = { ...solver, refusal: 'You do not have sufficient balance for the selected product.' }
  const remainder = { key: 4, line: changeDuration(solver.line, REMAINDER, CONTRACT) }
  const tooEarly = { key: 5, line: { ...remainder.line, startDate: addDays(TODAY, -1) } }
  const uncounted = { key: 6, line: changeCount(solver.line, 0) }
  const lines = [blank, refused, remainder, tooEarly, uncounted]
  expect(atCurrentPrices(lines, terms)).toEqual(lines)
})
