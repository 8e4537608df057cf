import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addLinked,
  type CustomerActivations,
  chooseProductSeats,
  chooseProducts,
  chosenProducts,
  linkedRows,
  offeredProducts,
  productChoices,
  setQuantity,
  toggleAllAssigned,
  toggleAllAvailable,
  toggleAssigned,
  toggleAvailable,
} from '#domain/activations/seats/activation-selection.ts'
import {
  assignedToggleText,
  availableRowButtonText,
  availableToggleText,
  emailButtonText,
  generateButtonText,
  hasPendingChanges,
  rowButtonText,
} from '#domain/activations/seats/selection-texts.ts'
import { lease, onHost, TODAY, tab } from '#domain/activations/testing/samples.ts'

const fluid = { ...lease, ActivationId: 'b-1', ProductName: 'Fluid Flow Pro' }
const start = tab('100001', onHost(lease, 3), onHost({ ...lease, ActivationId: 'a-2' }, 10), fluid, {
  ...fluid,
  ActivationId: 'b-2',
  AnsysActivated: 6,
})
const selectedIds = (rows: readonly { activationid: string; selected: boolean }[]) =>
  rows.filter(({ selected }) => selected).map(({ activationid }) => activationid)
const texts = (one: CustomerActivations) => [
  assignedToggleText(one),
  availableToggleText(one),
  generateButtonText([one]),
  emailButtonText([one]),
]

test('starts without changes', () => {
  expect(hasPendingChanges([start])).toBe(false)
  expect(texts(start)).toEqual(['Remove All', 'Add All', 'Generate', 'Email'])
  expect(selectedIds(start.assigned)).toEqual(['a-1', 'a-2'])
  expect(start.available.map((row) => row.AnsysActivated)).toEqual([7, 10, 4])
})

const link = (...activationIds: string[]) => ({ activationIds, product: undefined, seats: undefined })

test('adds a product that a link names, all of its seats or as many as it says', () => {
  const fluids = { activationIds: [], product: 'Fluid Flow Pro' }
  const seatsOf = (tab: CustomerActivations) => tab.available.map((row) => (row.selected ? row.AnsysActivated : 0))
  expect(seatsOf(addLinked(start, { ...fluids, seats: undefined }, TODAY))).toEqual([0, 10, 4])
  expect(seatsOf(addLinked(start, { ...fluids, seats: 12 }, TODAY))).toEqual([0, 10, 2])
  expect(linkedRows(start, { ...fluids, seats: 12 }).map((row) => row.activationid)).toEqual(['b-1', 'b-2'])
  expect(addLinked(start, { ...fluids, product: 'Gone', seats: 5 }, TODAY)).toEqual(start)
})

test('adds one entitlement by its id and leaves the others of its product', () => {
  const added = addLinked(start, link('b-2'), TODAY)
  expect(added.available.map((row) => row.added)).toEqual([false, false, true])
  expect(selectedIds(added.available)).toEqual(['b-2'])
  expect(selectedIds(addLinked(start, link('b-1', 'b-2'), TODAY).available)).toEqual(['b-1', 'b-2'])
  expect(addLinked(start, link('gone'), TODAY)).toEqual(start)
})

describe('assigned rows', () => {
  test('Remove unselects a row, Undo restores it', () => {
    const removed = toggleAssigned(start, 'a-1')
    expect(removed.assigned.map(rowButtonText)).toEqual(['Undo', 'Remove'])
    expect(texts(removed)).toEqual(['Remove All', 'Add All', 'Save & Generate', 'Save & Email'])
    expect(toggleAssigned(removed, 'a-1')).toEqual(start)
  })

  test('Remove All becomes Undo All once everything is removed', () => {
    const some = toggleAssigned(start, 'a-1')
    const none = toggleAllAssigned(some)
    expect([selectedIds(none.assigned), assignedToggleText(none)]).toEqual([[], 'Undo All'])
    expect(toggleAllAssigned(none)).toEqual(start)
  })

  test('a host without entitlements still offers Remove All', () => {
    expect(assignedToggleText(tab('100001'))).toBe('Remove All')
  })
})

describe('available rows', () => {
  test('products are offered once each', () => {
    expect(offeredProducts(start)).toEqual(['Structural Mechanics Pro', 'Fluid Flow Pro'])
    expect(chosenProducts(start)).toEqual([])
  })

  test('ticking a product adds its entitlements at the full available quantity', () => {
    const chosen = chooseProducts(start, ['Fluid Flow Pro'])
    expect(selectedIds(chosen.available)).toEqual(['b-1', 'b-2'])
    expect(chosen.available.map((row) => [row.added, row.AnsysActivated])).toEqual([
      [false, 7],
      [true, 10],
      [true, 4],
    ])
    expect(texts(chosen)).toEqual(['Remove All', 'Add All', 'Save & Generate', 'Save & Email'])
  })

  test('ticking another product keeps typed quantities and removed rows', () => {
    const typed = toggleAvailable(setQuantity(chooseProducts(start, ['Fluid Flow Pro']), 'b-1', 2), 'b-2')
    const both = chooseProducts(typed, ['Fluid Flow Pro', 'Structural Mechanics Pro'])
    expect(both.available.map((row) => [row.added, row.selected, row.AnsysActivated])).toEqual([
      [true, true, 7],
      [true, true, 2],
      [true, false, 4],
    ])
    expect(chooseProducts(both, [])).toEqual(start)
  })

  test('Remove strikes a row through and leaves it in the table', () => {
    const removed = toggleAvailable(chooseProducts(start, ['Fluid Flow Pro']), 'b-1')
    expect(removed.available[1]).toMatchObject({ added: true, selected: false })
    expect(chosenProducts(removed)).toEqual(['Fluid Flow Pro'])
    expect(toggleAvailable(start, 'b-1')).toEqual(start)
  })

  test('Add All reads Remove All once everything is added', () => {
    const all = toggleAllAvailable(setQuantity(chooseProducts(start, ['Fluid Flow Pro']), 'b-1', 2))
    expect(all.available.map((row) => row.AnsysActivated)).toEqual([7, 2, 4])
    expect(availableToggleText(all)).toBe('Remove All')
    expect(availableToggleText(toggleAvailable(all, 'b-1'))).toBe('Add All')
    expect(toggleAllAvailable(all)).toEqual(start)
    expect(availableToggleText(tab('100001'))).toBe('Add All')
  })

  test('a selected row with quantity 0 is no change', () => {
    const chosen = setQuantity(chooseProducts(start, ['Structural Mechanics Pro']), 'a-1', 0)
    expect(hasPendingChanges([chosen])).toBe(false)
  })
})

describe('a number of seats of a product', () => {
  const LATER = '2027-12-31'
  const offered = tab('100001', { ...fluid, EndDate: LATER, LineItemQuantity: 3 }, { ...fluid, ActivationId: 'b-2' })
  const five = chooseProductSeats(offered, 'Fluid Flow Pro', 5, TODAY)
  const three = chooseProductSeats(offered, 'Fluid Flow Pro', 3, TODAY)
  const rows = (one: CustomerActivations) =>
    one.available.map((row) => `${row.AnsysActivated} ${availableRowButtonText(row)}`)
  const choice = (one: CustomerActivations) => {
    const [found] = productChoices(one, TODAY)
    return found && [found.wanted, found.taken.map(({ seats }) => seats), found.changedTo]
  }

  test('is spread over its entitlements; those that are not needed come without seats', () => {
    expect([rows(five), choice(five)]).toEqual([
      ['3 Remove', '2 Remove'],
      [5, [3, 2], undefined],
    ])
    expect([rows(three), choice(three)]).toEqual([
      ['3 Remove', '0 Add'],
      [3, [3], undefined],
    ])
    expect(hasPendingChanges([three])).toBe(true)
    expect(productChoices(offered, TODAY)).toEqual([])
  })

  test('is counted again when the number changes, and forgotten with the tick', () => {
    expect(chooseProductSeats(five, 'Fluid Flow Pro', 3, TODAY)).toEqual(three)
    expect(chooseProducts(five, [])).toEqual(offered)
    expect(toggleAllAvailable(toggleAllAvailable(three))).toEqual(offered)
  })

  test('a number of seats can be overruled row by row', () => {
    const typed = setQuantity(three, 'b-2', 2)
    expect([rows(typed), choice(typed)]).toEqual([
      ['3 Remove', '2 Remove'],
      [3, [3], 5],
    ])
    expect(choice(toggleAvailable(typed, 'b-1'))).toEqual([3, [3], 2])
    expect(rows(toggleAvailable(three, 'b-2'))).toEqual(['3 Remove', '10 Remove'])
    expect(rows(setQuantity(three, 'b-2', 0))).toEqual(['3 Remove', '0 Add'])
    expect(rows(toggleAllAvailable(three))).toEqual(['3 Remove', '10 Remove'])
  })
})

test('a change of any customer counts', () => {
  expect(hasPendingChanges([start, toggleAssigned(start, 'a-1')])).toBe(true)
})

test('only an added row is ever selected, whatever was clicked', () => {
  const ids = fc.constantFrom('a-1', 'a-2', 'b-1', 'b-2', 'none')
  const click = fc.oneof(
    ids.map((id) => (one: CustomerActivations) => toggleAssigned(one, id)),
    ids.map((id) => (one: CustomerActivations) => toggleAvailable(one, id)),
    fc.tuple(ids, fc.integer({ min: 0, max: 20 })).map(
      ([id, n]) =>
        (one: CustomerActivations) =>
          setQuantity(one, id, n),
    ),
    fc
      .subarray(['Fluid Flow Pro', 'Structural Mechanics Pro', 'Other'])
      .map((products) => (one: CustomerActivations) => chooseProducts(one, products)),
    fc
      .integer({ min: 1, max: 20 })
      .map((n) => (one: CustomerActivations) => chooseProductSeats(one, 'Fluid Flow Pro', n, TODAY)),
    fc.constantFrom(toggleAllAssigned, toggleAllAvailable),
  )
  fc.assert(
    fc.property(fc.array(click, { maxLength: 12 }), (clicks) => {
      const clicked = clicks.reduce((one, apply) => apply(one), start)
      for (const row of clicked.available) if (row.selected) expect(row.added).toBe(true)
    }),
  )
})
