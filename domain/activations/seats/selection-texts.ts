import type { AvailableRow } from '#domain/activations/seats/activation-lists.ts'
import {
  type CustomerActivations,
  isAnySelected,
  isEverythingAdded,
  isWithoutSeats,
} from '#domain/activations/seats/activation-selection.ts'

/** Whether a save would change something: an assigned row is removed, or an available one is to be activated. */
export function hasPendingChanges(tabs: readonly CustomerActivations[]): boolean {
  return tabs.some(
    ({ assigned, available }) =>
      assigned.some(({ selected }) => !selected) ||
      available.some(({ selected, AnsysActivated }) => selected && AnsysActivated > 0),
  )
}

export function generateButtonText(tabs: readonly CustomerActivations[]): string {
  return hasPendingChanges(tabs) ? 'Save & Generate' : 'Generate'
}

export function emailButtonText(tabs: readonly CustomerActivations[]): string {
  return hasPendingChanges(tabs) ? 'Save & Email' : 'Email'
}

export const rowButtonText = ({ selected }: { readonly selected: boolean }) => (selected ? 'Remove' : 'Undo')
export const availableRowButtonText = (row: AvailableRow) => (isWithoutSeats(row) ? 'Add' : rowButtonText(row))

export function assignedToggleText({ assigned }: CustomerActivations): string {
  return assigned.length === 0 || isAnySelected(assigned) ? 'Remove All' : 'Undo All'
}

export function availableToggleText(tab: CustomerActivations): string {
  return isEverythingAdded(tab) ? 'Remove All' : 'Add All'
}
