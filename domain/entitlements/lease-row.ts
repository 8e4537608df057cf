import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type BarColor, remainingDaysColor } from '#domain/entitlements/bar-color.ts'
import { fulfillmentColumn, totalActivated } from '#domain/entitlements/fulfillment-column.ts'
import { type LicenseModelGroup, licenseModelGroup } from '#domain/entitlements/license-model.ts'
import { MAINTENANCE_ENDS_ON, type Remaining, remainingDays, type Term, usedDays } from '#domain/entitlements/term.ts'
import { usedDaysPercentage } from '#domain/entitlements/used-days-percentage.ts'

/** A lease or perpetual as the API tells of it; the names are the wire's. */
export type LeaseEntitlement = {
  readonly ActivationId: string
  readonly ProductName: string
  readonly LicenseModel: string
  readonly LineItemQuantity: number
  readonly StartDate: CalendarDay
  readonly EndDate: CalendarDay | null
  readonly VersionDate: CalendarDay | null
  /** The text 'true' or 'false'. */
  readonly IsActivationPermanent: string
  readonly 'CA[ENT|ansystype]': string
}

/** The same as the screens show it; the names are those that saved views know the columns by. */
export type LeaseRow = {
  readonly activationid: string
  readonly ansysproduct: string
  readonly ansyslicensemodel: LicenseModelGroup
  readonly isEval: boolean
  readonly ansyscount: number
  /** Null is blank; undefined until the count on hosts has been loaded. */
  readonly ansysactivated: number | null | undefined
  readonly startdate: CalendarDay
  /** The end day, or until when a permanent one is maintained. */
  readonly enddate: string
  readonly versiondate: CalendarDay | null
  readonly remainingdays: Remaining
  readonly usedDays: number
  readonly usedDaysPercentage: number
  readonly remainingdayscolor: BarColor
}

export function leaseRow(entitlement: LeaseEntitlement, today: CalendarDay, onHosts?: number): LeaseRow {
  const { ProductName, LicenseModel, LineItemQuantity, VersionDate } = entitlement
  const term = termOf(entitlement)
  const group = licenseModelGroup(LicenseModel, ProductName)
  return {
    activationid: entitlement.ActivationId,
    ansysproduct: ProductName,
    ansyslicensemodel: group,
    isEval: entitlement['CA[ENT|ansystype]'] === 'Evaluation',
    ansyscount: LineItemQuantity,
    ansysactivated: totalActivated(group, LineItemQuantity, onHosts),
    startdate: term.startDate,
    enddate: term.endDate ?? `${MAINTENANCE_ENDS_ON} ${VersionDate ?? ''}`.trim(),
    versiondate: VersionDate,
    remainingdays: remainingDays(term, today),
    usedDays: usedDays(term, today),
    usedDaysPercentage: usedDaysPercentage(term, today),
    remainingdayscolor: remainingDaysColor(term, today),
  }
}

function termOf(entitlement: Pick<LeaseEntitlement, 'StartDate' | 'EndDate' | 'IsActivationPermanent'>): Term {
  const { StartDate, EndDate, IsActivationPermanent } = entitlement
  return { startDate: StartDate, endDate: IsActivationPermanent === 'true' ? null : EndDate }
}

/** Rows whose Total Activated has to be asked for. */
export function needsFulfillmentCount(entitlement: Pick<LeaseEntitlement, 'LicenseModel' | 'ProductName'>): boolean {
  return fulfillmentColumn(licenseModelGroup(entitlement.LicenseModel, entitlement.ProductName)) === 'ledger'
}
