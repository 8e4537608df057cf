import type { AssignedRow, AvailableRow } from '#domain/activations/seats/activation-lists.ts'

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

/** Remove and Undo on a row that was added. */
export function toggleAvailable(tab: CustomerActivations, activationId: string): CustomerActivations {
  return {
    ...tab,
    available: tab.available.map((row) => (isRow(row, activationId) && row.added ? toggled(row) : row)),
  }
}

export function toggleAllAvailable(tab: CustomerActivations): CustomerActivations {
  const isAdding = !isEverythingAdded(tab)
  return { ...tab, available: tab.available.map((row) => (isAdding ? addedRow(row) : untouched(row))) }
}

export function setQuantity(tab: CustomerActivations, activationId: string, quantity: number): CustomerActivations {
  return {
    ...tab,
    available: tab.available.map((row) => (isRow(row, activationId) ? { ...row, AnsysActivated: quantity } : row)),
  }
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

/** Adds one entitlement at its full available quantity. No-op if it is not available. */
export function addEntitlements(tab: CustomerActivations, activationIds: readonly string[]): CustomerActivations {
  const isAsked = ({ activationid }: { activationid: string }) => activationIds.includes(activationid)
  return { ...tab, available: tab.available.map((row) => (isAsked(row) ? addedRow(row) : row)) }
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

const isRow = (row: { readonly activationid: string }, id: string) => row.activationid === id
const toggled = <R extends { readonly selected: boolean }>(row: R): R => ({ ...row, selected: !row.selected })
/** Rows that were added before keep the typed quantity. */
const addedRow = (row: AvailableRow): AvailableRow => ({
  ...(row.added ? row : untouched(row)),
  added: true,
  selected: true,
})
const untouched = (row: AvailableRow): AvailableRow => ({
  ...row,
  added: false,
  selected: false,
  AnsysActivated: row.ansysavailable,
})
