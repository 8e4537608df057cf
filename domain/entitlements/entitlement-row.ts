import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import {
  MAINTENANCE_ENDS_ON,
  type Remaining,
  remainingDays,
  type Term,
  usedDays,
  usedDaysPercentage,
} from '#domain/entitlements/term.ts'

/** A lease or perpetual, with the field names of the specification. */
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

/** The computed fields of every lease and perpetual, in lists and in activations. */
export type EntitlementRow = {
  readonly activationid: string
  readonly ansysproduct: string
  readonly isEval: boolean
  readonly ansyscount: number
  readonly startdate: CalendarDay
  /** The end day, or until when a permanent one is maintained; empty if nobody has said. */
  readonly enddate: string
  readonly versiondate: CalendarDay | null
  readonly remainingdays: Remaining
  readonly usedDays: number
  readonly usedDaysPercentage: number
}

export function entitlementRow(entitlement: LeaseEntitlement, today: CalendarDay): EntitlementRow {
  const term = termOf(entitlement)
  const { VersionDate } = entitlement
  return {
    activationid: entitlement.ActivationId,
    ansysproduct: entitlement.ProductName,
    isEval: entitlement['CA[ENT|ansystype]'] === 'Evaluation',
    ansyscount: entitlement.LineItemQuantity,
    startdate: term.startDate,
    enddate: term.endDate ?? (VersionDate === null ? '' : `${MAINTENANCE_ENDS_ON} ${VersionDate}`),
    versiondate: VersionDate,
    remainingdays: remainingDays(term, today),
    usedDays: usedDays(term, today),
    usedDaysPercentage: usedDaysPercentage(term, today),
  }
}

export function termOf(entitlement: Pick<LeaseEntitlement, 'StartDate' | 'EndDate' | 'IsActivationPermanent'>): Term {
  const { StartDate, EndDate, IsActivationPermanent } = entitlement
  return { startDate: StartDate, endDate: IsActivationPermanent === 'true' ? null : EndDate }
}
