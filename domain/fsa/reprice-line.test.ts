import { expect, test } from 'vitest'
import { blankLine, blankManualLine, changeCount, changeProduct, type OrderLine } from '#domain/fsa/order-line.ts'
import { repriceLine } from '#domain/fsa/reprice-line.ts'
import { CONTRACT, SOLVER, TODAY } from '#domain/fsa/testing/samples.ts'

const two = changeCount(changeProduct(blankLine(CONTRACT), SOLVER.partNumber, CONTRACT, TODAY), 2)
const kept = (change: Partial<OrderLine> = {}): OrderLine => ({ ...two, unitCost: null, ...change })
const manual = { ...blankManualLine(CONTRACT, TODAY), productName: 'Training', cost: '70.00', unitCost: '70.00' }

test.each<[string, OrderLine, boolean, string | null, string | null, string | undefined]>([
  ['the price is the same', kept(), false, two.unitCost, two.cost, undefined],
  ['the price has changed', kept({ cost: '1.00' }), false, two.unitCost, two.cost, '1.00'],
  ['business operations entered a cost', kept({ cost: '100.00' }), true, '50.00', '100.00', undefined],
  ['no period ends on this day any more', kept({ endDate: '2026-11-20' }), false, '9120.00', '18240.00', undefined],
  ['a manual entry', manual, true, '70.00', '70.00', undefined],
  ['nothing was chosen yet', blankLine(CONTRACT), false, null, null, undefined],
])('a saved line is repriced when %s', (_, line, isBusops, unitCost, cost, formerCost) => {
  expect(repriceLine(line, CONTRACT, isBusops)).toEqual({ line: { ...line, unitCost, cost }, formerCost })
})
