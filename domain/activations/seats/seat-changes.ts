import type { ActivationRow, HostFulfillment } from '#domain/activations/seats/activation-row.ts'
import type { CustomerActivations } from '#domain/activations/seats/activation-selection.ts'
import { isMaintenanceExpired } from '#domain/activations/seats/expired-maintenance.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { EXPIRED } from '#domain/entitlements/term.ts'

/** One row of the confirmation dialog: seats of an entitlement that leave a host or come to one. */
export type SeatChange = {
  readonly kind: 'deactivate' | 'activate'
  readonly customerNumber: string
  readonly customerName: string
  readonly activationid: string
  readonly ansysproduct: string
  readonly startdate: CalendarDay
  readonly enddate: string
  readonly count: number
  /** The entitlement's fulfillments on the host: those that leave it, or those that new seats are added to. */
  readonly fulfillments: readonly HostFulfillment[]
  readonly isMaintenanceExpired: boolean
  /** Unticked seats stay as they are. */
  readonly isTicked: boolean
}

type Customer = Pick<CustomerActivations, 'customerNumber' | 'customerName'>
/** A customer with everything that it has on a host, expired seats included. */
export type SeatedCustomer = Customer & { readonly seated: readonly ActivationRow[] }

/** Removed rows are deactivated and added ones activated, on the same host. */
export function editChanges(tabs: readonly CustomerActivations[], today: CalendarDay): SeatChange[] {
  return tabs.flatMap((tab) => {
    const removed = tab.assigned.filter(({ selected }) => !selected)
    const added = tab.available.filter(({ selected, AnsysActivated }) => selected && AnsysActivated > 0)
    return [
      ...removed.map((row) => seatChange('deactivate', tab, row, today)),
      ...added.map((row) => ({
        ...seatChange('activate', tab, row, today),
        count: row.AnsysActivated,
        // Available rows come from a call without a host, so seats on this host are in the assigned rows only.
        fulfillments:
          tab.assigned.find(({ activationid }) => activationid === row.activationid)?.AnsysFulfillments ?? [],
      })),
    ]
  })
}

export function deactivateChanges(customers: readonly SeatedCustomer[], today: CalendarDay): SeatChange[] {
  return customers.flatMap((one) => one.seated.map((row) => seatChange('deactivate', one, row, today)))
}

/** All seats leave the source; expired ones cannot be activated again and are only returned. */
export function rehostChanges(customers: readonly SeatedCustomer[], today: CalendarDay): SeatChange[] {
  const arriving = customers.flatMap((one) =>
    one.seated
      .filter(({ remainingdays }) => remainingdays !== EXPIRED)
      .map((row) => ({ ...seatChange('activate', one, row, today), fulfillments: [] })),
  )
  return [...deactivateChanges(customers, today), ...arriving]
}

/** Ticks or unticks a row. Rehosted seats move from one host to the other, so both of their rows change together. */
export function toggleTick(
  changes: readonly SeatChange[],
  toggled: SeatChange,
  mode: 'Default' | 'Rehost' | 'Deactivate',
) {
  return changes.map((one) => {
    const isSameEntitlement = one.customerNumber === toggled.customerNumber && one.activationid === toggled.activationid
    const isMeant = isSameEntitlement && (mode === 'Rehost' || one.kind === toggled.kind)
    return isMeant ? { ...one, isTicked: !toggled.isTicked } : one
  })
}

/** No seats stay behind, so the host becomes inactive. */
export function isHostLeft(changes: readonly SeatChange[]): boolean {
  return changes.every(({ kind, isTicked }) => kind === 'activate' || isTicked)
}

/** A ticked row about all seats of an entitlement on the host. */
export function seatChange(
  kind: SeatChange['kind'],
  customer: Customer,
  row: ActivationRow,
  today: CalendarDay,
): SeatChange {
  return {
    kind,
    customerNumber: customer.customerNumber,
    customerName: customer.customerName,
    activationid: row.activationid,
    ansysproduct: row.ansysproduct,
    startdate: row.startdate,
    enddate: row.enddate,
    count: row.activatedOnHost,
    fulfillments: row.AnsysFulfillments,
    isMaintenanceExpired: isMaintenanceExpired(row, today),
    isTicked: true,
  }
}
