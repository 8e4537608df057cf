import type { AssignedRow, AvailableRow } from '#domain/activations/seats/activation-lists.ts'
import { chooseSeats, type SeatChoice } from '#domain/activations/seats/choose-seats.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'

/** One customer's tab: what the host holds of its entitlements, and what could be added. */
export type CustomerActivations = {
  readonly customerNumber: string
  readonly customerName: string
  readonly assigned: readonly AssignedRow[]
  readonly available: readonly AvailableRow[]
}

/** Remove strikes an assigned row through, Undo restores it. */
export function toggleAssigned(tab: CustomerActivations, activationId: string): CustomerActivations {
  return { ...tab, assigned: tab.assigned.map((row) => (isRow(row, activationId) ? toggled(row) : row)) }
}

/** Remove All while any row stays, Undo All once every row is removed. */
export function toggleAllAssigned(tab: CustomerActivations): CustomerActivations {
  const selected = !isAnySelected(tab.assigned)
  return { ...tab, assigned: tab.assigned.map((row) => ({ ...row, selected })) }
}

/** Remove and Undo on a row that was added, Add on one that has no seats. */
export function toggleAvailable(tab: CustomerActivations, activationId: string): CustomerActivations {
  const next = (row: AvailableRow) => (isWithoutSeats(row) ? addedRow(row) : toggled(row))
  return { ...tab, available: tab.available.map((row) => (isRow(row, activationId) && row.added ? next(row) : row)) }
}

export function toggleAllAvailable(tab: CustomerActivations): CustomerActivations {
  const isAdding = !isEverythingAdded(tab)
  return { ...tab, available: tab.available.map((row) => (isAdding ? addedRow(row) : untouched(row))) }
}

/** A row without seats is to be activated as soon as it has a quantity. */
export function setQuantity(tab: CustomerActivations, activationId: string, quantity: number): CustomerActivations {
  const changed = (row: AvailableRow) => ({
    ...row,
    AnsysActivated: quantity,
    selected: row.selected || (isWithoutSeats(row) && quantity > 0),
  })
  return { ...tab, available: tab.available.map((row) => (isRow(row, activationId) ? changed(row) : row)) }
}

/** Ticking a product adds its entitlements at the full available quantity; clearing the tick takes them away. */
export function chooseProducts(tab: CustomerActivations, products: readonly string[]): CustomerActivations {
  const [wanted, before] = [new Set(products), new Set(chosenProducts(tab))]
  const chosen = (row: AvailableRow) => {
    if (!wanted.has(row.ansysproduct)) return untouched(row)
    return before.has(row.ansysproduct) ? row : addedRow(row)
  }
  return { ...tab, available: tab.available.map(chosen) }
}

/** Ticks a product for a number of seats. Its other entitlements come without seats, so that a person can take theirs. */
export function chooseProductSeats(
  tab: CustomerActivations,
  product: string,
  wanted: number,
  today: CalendarDay,
): CustomerActivations {
  const choices = chooseSeats(rowsOf(tab, product), wanted, today)
  const seatsById = new Map(choices.map(({ row, seats }) => [row.activationid, seats]))
  const chosen = (row: AvailableRow) => {
    const AnsysActivated = seatsById.get(row.activationid) ?? 0
    return { ...row, added: true, selected: AnsysActivated > 0, AnsysActivated, wanted }
  }
  return { ...tab, available: tab.available.map((row) => (row.ansysproduct === product ? chosen(row) : row)) }
}

/** What the portal has chosen for a number of seats of a product. */
export type ProductChoice = {
  readonly product: string
  readonly wanted: number
  readonly taken: readonly SeatChoice[]
  /** Somebody has changed the choice; then so many seats of the product are to be activated. */
  readonly changedTo: number | undefined
  /** The most seats of a row in which somebody has entered more than are available. */
  readonly exceeded: number | undefined
}

/** The choices for all products that were ticked with a number of seats. */
export function productChoices(tab: CustomerActivations, today: CalendarDay): ProductChoice[] {
  return chosenProducts(tab).flatMap((product) => {
    const own = rowsOf(tab, product)
    const wanted = own.find((row) => row.wanted)?.wanted
    if (!wanted) return []
    const choices = chooseSeats(own, wanted, today)
    const isChanged = choices.some(({ row, seats }) => seatsToActivate(row) !== seats)
    const changedTo = isChanged ? own.reduce((sum, row) => sum + seatsToActivate(row), 0) : undefined
    const exceeded = own.find((row) => seatsToActivate(row) > row.ansysavailable)?.ansysavailable
    return { product, wanted, taken: choices.filter(({ seats }) => seats > 0), changedTo, exceeded }
  })
}

/** What a link asks to activate: some entitlements, or a product, all of its seats if no number is given. */
export type ToActivate = {
  readonly activationIds: readonly string[]
  readonly product: string | undefined
  readonly seats: number | undefined
}

/** Adds what a link asks for. No-op for what is not available. */
export function addLinked(
  tab: CustomerActivations,
  { activationIds, product, seats }: ToActivate,
  today: CalendarDay,
): CustomerActivations {
  const isAsked = ({ activationid }: { activationid: string }) => activationIds.includes(activationid)
  const added = { ...tab, available: tab.available.map((row) => (isAsked(row) ? addedRow(row) : row)) }
  if (product === undefined) return added
  if (seats !== undefined) return chooseProductSeats(added, product, seats, today)
  return chooseProducts(added, [...chosenProducts(added), product])
}

/** The rows that a link has asked for. */
export function linkedRows(
  { available }: Pick<CustomerActivations, 'available'>,
  { activationIds, product }: ToActivate,
): AvailableRow[] {
  return available.filter(
    ({ activationid, ansysproduct }) => activationIds.includes(activationid) || ansysproduct === product,
  )
}

export function offeredProducts(tab: CustomerActivations): string[] {
  return [...new Set(tab.available.map(({ ansysproduct }) => ansysproduct))]
}

export function chosenProducts(tab: CustomerActivations): string[] {
  return [...new Set(tab.available.filter(({ added }) => added).map(({ ansysproduct }) => ansysproduct))]
}

export const isAnySelected = (rows: readonly { readonly selected: boolean }[]) => rows.some(({ selected }) => selected)

export function isEverythingAdded({ available }: CustomerActivations): boolean {
  return available.length > 0 && available.every(({ added, selected }) => added && selected)
}

/** A row of a chosen product that has no seats to activate, and none that Undo would restore. */
export const isWithoutSeats = ({ added, selected, AnsysActivated }: AvailableRow) =>
  added && !selected && AnsysActivated === 0

const rowsOf = (tab: CustomerActivations, product: string) =>
  tab.available.filter(({ ansysproduct }) => ansysproduct === product)
const seatsToActivate = ({ selected, AnsysActivated }: AvailableRow) => (selected ? AnsysActivated : 0)
const isRow = (row: { readonly activationid: string }, id: string) => row.activationid === id
const toggled = <R extends { readonly selected: boolean }>(row: R): R => ({ ...row, selected: !row.selected })
/** Rows that were added before keep the typed quantity. */
const addedRow = (row: AvailableRow): AvailableRow => ({
  ...(row.added && !isWithoutSeats(row) ? row : untouched(row)),
  added: true,
  selected: true,
})
const untouched = (row: AvailableRow): AvailableRow => ({
  ...row,
  added: false,
  selected: false,
  AnsysActivated: row.ansysavailable,
  wanted: undefined,
})
