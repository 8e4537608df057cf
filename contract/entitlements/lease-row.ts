import { type BarColor, daysLeftColor } from '#contract/entitlements/bar-color.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import {
  type EntitlementRow,
  entitlementRow,
  type LeaseEntitlement,
  termOf,
} from '#domain/entitlements/entitlement-row.ts'
import { fulfillmentColumn, totalActivated } from '#domain/entitlements/fulfillment-column.ts'
import { type LicenseModelGroup, licenseModelGroup } from '#domain/entitlements/license-model.ts'
import { daysLeft } from '#domain/entitlements/term.ts'

/** A lease or perpetual as the screens show it; saved views store the columns under these names. */
export type LeaseRow = EntitlementRow & {
  readonly ansyslicensemodel: LicenseModelGroup
  /** Undefined until the count on hosts has been loaded; null, shown as blank, if it is unknown. */
  readonly ansysactivated: number | null | undefined
  readonly remainingdayscolor: BarColor
}

export function leaseRow(entitlement: LeaseEntitlement, today: CalendarDay, onHosts?: number): LeaseRow {
  const group = licenseModelGroup(entitlement.LicenseModel, entitlement.ProductName)
  const { endDate } = termOf(entitlement)
  return {
    ...entitlementRow(entitlement, today),
    ansyslicensemodel: group,
    ansysactivated: totalActivated(group, entitlement.LineItemQuantity, onHosts),
    remainingdayscolor: daysLeftColor(endDate === null ? null : daysLeft(endDate, today)),
  }
}

/** Whether Total Activated has to be loaded for the row. */
export function needsFulfillmentCount(entitlement: Pick<LeaseEntitlement, 'LicenseModel' | 'ProductName'>): boolean {
  return fulfillmentColumn(licenseModelGroup(entitlement.LicenseModel, entitlement.ProductName)) === 'ledger'
}
