import type { Kysely } from 'kysely'
import { type EntitlementType, kindsOf } from '#domain/entitlements/kind.ts'
import type { CalendarDay } from '#domain/kit/calendar-day.ts'
import { accountDay } from '#server/modules/entitlements/account-day.ts'
import type { EntitlementScope } from '#server/modules/entitlements/entitlement.list.ts'
import type { DB } from '#server/plugins/schema.ts'

export type Activity = 'active' | 'inactive'

type Asked = {
  readonly body: { readonly customerNumber: string; readonly type?: EntitlementType }
  readonly db: Kysely<DB>
  readonly now: Date
}

/** The active or inactive entitlements that a call asks for, on the day that it is where the account is. */
export async function entitlementScope(
  { body, db, now }: Asked,
  activity: Activity,
): Promise<EntitlementScope & { readonly today: CalendarDay }> {
  const today = await accountDay(db, body.customerNumber, now)
  return { ...wholeScope(body), isActive: activity === 'active', today }
}

export function wholeScope({ customerNumber, type = 'SSL' }: Asked['body']): EntitlementScope {
  return { customerNumber, kinds: kindsOf(type), isActive: null, today: null }
}
