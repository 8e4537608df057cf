import { type ActivationRow, activationRow, type RawActivation } from '#domain/activations/seats/activation-row.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { isExcludedProduct } from '#domain/entitlements/excluded-products.ts'
import type { EntitlementKind } from '#domain/entitlements/kind.ts'
import { type LicenseModelGroup, licenseModelGroup } from '#domain/entitlements/license-model.ts'
import { EXPIRED, remainingDays, type Term } from '#domain/entitlements/term.ts'

/** Kinds of entitlements that run on hosts. From spending accounts these are the orders: contracts are another kind. */
const ACTIVATED_GROUPS: readonly LicenseModelGroup[] = ['Network', 'Node Locked', 'FSA']

export type Activatable = {
  readonly state: string
  readonly kind: EntitlementKind
  readonly licenseModel: string
  readonly productName: string
  readonly term: Term
  readonly quantity: number
  /** Seats on all hosts together. */
  readonly activated: number
}

/**
 * Whether seats of an entitlement can be activated today. Those of one that has not started can: its license waits for
 * the day.
 */
export function canBeActivated(entitlement: Activatable, today: CalendarDay): boolean {
  const { state, kind, licenseModel, productName, term, quantity, activated } = entitlement
  if (state !== 'Deployed' || kind !== 'SSL' || !runsOnHosts(licenseModel, productName)) return false
  return remainingDays(term, today) !== EXPIRED && quantity > activated
}

/** An assigned row is unselected by Remove. */
export type AssignedRow = ActivationRow & { readonly selected: boolean }

/** Rows of seats that a host holds and can still use. */
export function assignedRows(
  raw: readonly RawActivation[],
  today: CalendarDay,
  isHostBorrowable = false,
): AssignedRow[] {
  return seatedRows(raw, today, isHostBorrowable)
    .filter(({ remainingdays }) => remainingdays !== EXPIRED)
    .map((row) => ({ ...row, selected: true }))
}

/** Rows of all seats that a host holds, including expired ones: deactivating returns those too. */
export function seatedRows(
  raw: readonly RawActivation[],
  today: CalendarDay,
  isHostBorrowable = false,
): ActivationRow[] {
  return raw
    .map((one) => activationRow(one, today, isHostBorrowable))
    .filter(({ activatedOnHost }) => activatedOnHost > 0)
}

export type AvailableRow = ActivationRow & {
  /** The row was added with its product and stands in the table. */
  readonly added: boolean
  /** The row is to be activated; Remove takes that back and leaves the row where it is. */
  readonly selected: boolean
  /** How many seats to activate. */
  readonly AnsysActivated: number
  /** How many seats of its product were asked for, if a number was given. */
  readonly wanted?: number | undefined
}

export function availableRows(raw: readonly RawActivation[], today: CalendarDay): AvailableRow[] {
  return raw
    .filter(({ LicenseModel, ProductName }) => runsOnHosts(LicenseModel, ProductName))
    .map((one) => activationRow(one, today))
    .filter(({ remainingdays, ansysavailable }) => remainingdays !== EXPIRED && ansysavailable > 0)
    .map((row) => ({ ...row, added: false, selected: false, AnsysActivated: row.ansysavailable }))
}

function runsOnHosts(licenseModel: string, productName: string): boolean {
  return !isExcludedProduct(productName) && ACTIVATED_GROUPS.includes(licenseModelGroup(licenseModel, productName))
}
