import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type EntitlementRow, entitlementRow, type LeaseEntitlement } from '#domain/entitlements/entitlement-row.ts'

/** Seats that one fulfillment still holds on a host. */
export type HostFulfillment = { readonly FulfillmentID: string; readonly FulfillCount: number }

/** An entitlement as the activation calls return it; the names are the wire's. */
export type RawActivation = LeaseEntitlement & {
  /** Seats on all hosts together. */
  readonly AnsysActivated: number
  /** Fulfillments on the host of the request. */
  readonly AnsysFulfillments: readonly HostFulfillment[]
}

export type ActivationRow = EntitlementRow & {
  /** Seats on all hosts together. */
  readonly ansysactivated: number
  readonly activatedOnHost: number
  readonly ansysavailable: number
  readonly ansysborrowable: boolean
  /** Borrowable, and the host is set to let people borrow. */
  readonly ansysborrowed: boolean
  readonly isPermanent: boolean
  readonly AnsysFulfillments: readonly HostFulfillment[]
}

export function activationRow(raw: RawActivation, today: CalendarDay, isHostBorrowable = false): ActivationRow {
  const isBorrowable = isBorrowableModel(raw.LicenseModel)
  return {
    ...entitlementRow(raw, today),
    ansysactivated: raw.AnsysActivated,
    activatedOnHost: seatsOf(raw.AnsysFulfillments),
    ansysavailable: Math.max(raw.LineItemQuantity - raw.AnsysActivated, 0),
    ansysborrowable: isBorrowable,
    ansysborrowed: isBorrowable && isHostBorrowable,
    isPermanent: raw.IsActivationPermanent === 'true',
    AnsysFulfillments: raw.AnsysFulfillments.filter(({ FulfillCount }) => FulfillCount > 0),
  }
}

export function isBorrowableModel(licenseModel: string): boolean {
  return licenseModel.includes('Borrow')
}

export function seatsOf(fulfillments: readonly HostFulfillment[]): number {
  return fulfillments.reduce((seats, { FulfillCount }) => seats + FulfillCount, 0)
}
