import { type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import { type EntitlementType, kindsOf } from '#domain/entitlements/kind.ts'
import type { EntitlementScope } from '#server/modules/entitlements/entitlement.list.ts'

export type Activity = 'active' | 'inactive'

type EntitlementRequest = {
  readonly body: { readonly customerNumber: string; readonly type?: EntitlementType }
  readonly timeZone: string
  readonly now: Date
}

/** The active or inactive entitlements of the request, on the current day in the time zone of the account. */
export function entitlementScope(
  { body, timeZone, now }: EntitlementRequest,
  activity: Activity,
): EntitlementScope & { readonly today: CalendarDay } {
  return { ...wholeScope(body), isActive: activity === 'active', today: dayIn(timeZone, now) }
}

export function wholeScope({ customerNumber, type = 'SSL' }: EntitlementRequest['body']): EntitlementScope {
  return { customerNumber, kinds: kindsOf(type), isActive: null, today: null }
}
