import { expect, test } from 'vitest'
import type { Draft } from '#contract/fsa/drafts.ts'
import { blankLine, changeProduct } from '#domain/fsa/order-line.ts'
import { CONTRACT, SOLVER, TODAY } from '#domain/fsa/testing/samples.ts'
import {
  addLine,
  changeLine,
  deleteDraft,
  type EditedOrder,
  isUnsaved,
  keepMine,
  meetTheirs,
  NO_ORDER,
  orderPartly,
  removeLine,
  showLines,
} from '#web/modules/fsa/edited-order.ts'

const blank = blankLine(CONTRACT)
const solver = changeProduct(blank, SOLVER.partNumber, CONTRACT, TODAY)
const draft = { id: 'draft-1', revision: 3, name: 'Spring', savedBy: 'ann@example.com' } as Draft
const after = (...changes: ((now: EditedOrder) => EditedOrder)[]) =>
  changes.reduce((now, change) => change(now), NO_ORDER)
const keysOf = ({ lines }: EditedOrder) => lines.map(({ key }) => key)
const isChanged = (order: EditedOrder) => isUnsaved(order.lines, order)

test('a key is never used again, not even for other lines or after the last line was removed', () => {
  expect(keysOf(after(showLines('a', [{ line: blank }]), addLine(blank)))).toEqual([1, 2])
  expect(keysOf(after(showLines('a', [{ line: blank }]), removeLine(1), addLine(blank)))).toEqual([2])
  expect(keysOf(after(showLines('a', [{ line: blank }]), showLines('b', [{ line: blank }])))).toEqual([2])
})

test('lines are unsaved when they differ from the draft, and blank lines never are', () => {
  const opened = showLines('a', [{ line: solver }], draft)
  expect(isChanged(after(showLines('a', [{ line: blank }])))).toBe(false)
  expect(isChanged(after(showLines('a', [{ line: solver }])))).toBe(true)
  expect(isChanged(after(opened))).toBe(false)
  expect(isChanged(after(opened, addLine(solver)))).toBe(true)
  expect(isChanged(after(opened, deleteDraft('another')))).toBe(false)
  expect(isChanged(after(opened, deleteDraft('draft-1')))).toBe(true)
})

test('a change of lines ends the repetition of an order whose answer was lost', () => {
  const unanswered = { ...after(showLines('a', [{ line: solver }])), unanswered: '10.00' }
  for (const change of [addLine(blank), removeLine(1), changeLine(1, blank, 'product')])
    expect(change(unanswered).unanswered).toBe(undefined)
})

test('what was refused of a draft becomes its next revision', () => {
  const opened = after(showLines('a', [{ line: solver }, { line: solver }], draft))
  const rest = orderPartly([{ status: 'SUCCESS' }, { status: 'FAILURE', err: 'Too late.' }])(opened)
  expect(rest.draft?.revision).toBe(4)
  expect(rest.lines).toEqual([{ key: 2, line: solver, refusal: 'Too late.' }])
})

test('keeping mine makes the lines unsaved against what somebody else saved', () => {
  const theirs = { ...draft, revision: 4, products: [] }
  const kept = after(showLines('a', [{ line: solver }], draft), meetTheirs(theirs), keepMine)
  expect(kept).toMatchObject({ draft: theirs, theirs: undefined })
  expect(isChanged(kept)).toBe(true)
})
