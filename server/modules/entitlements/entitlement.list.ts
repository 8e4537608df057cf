import { type SqlBool, sql } from 'kysely'
import { entitlementList } from '#contract/entitlements/entitlement-list.ts'
import { type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import { type EntitlementKind, type EntitlementType, kindsOf } from '#domain/entitlements/kind.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { listSource } from '#server/lists/list-source.ts'
import { isActiveOn } from '#server/modules/entitlements/entitlements.queries.ts'

/** Which entitlements a call is about: all of some kinds, or those that are active or inactive on a day of the account. */
export type EntitlementScope = {
  readonly customerNumber: string
  readonly kinds: readonly EntitlementKind[]
  readonly isActive: boolean | null
  readonly today: CalendarDay | null
}

export const entitlementSource = listSource(entitlementList, {
  columns: {
    ActivationId: 'e.activation_id',
    EntitlementID: 'e.entitlement_id',
    PartNumber: 'e.part_number',
    ProductName: 'e.product_name',
    LicenseModel: 'e.license_model',
    LineItemQuantity: 'e.line_item_quantity',
    AnsysActivated: 'e.activated_count',
    StartDate: 'e.start_date',
    EndDate: { column: 'e.ends_on', missingIsInfinity: true },
    VersionDate: 'e.version_date',
    IsActivationPermanent: 'e.is_permanent::text',
    EntitlementState: 'e.state',
    'CA[ENT|ansystype]': 'e.type',
    'CA[ENT|ansyssubtype]': 'e.subtype',
    'CA[ENT|ansysponum]': 'e.po_number',
  },
  // Sorted by end, a page starts right at the day in the index, so its statement is worth preparing.
  prepares: ['EndDate'],
  from: sql`entitlement e`,
  scope: ({ customerNumber, kinds, isActive, today }: EntitlementScope) => sql<SqlBool>`
    e.customer_number = ${customerNumber}
    and e.kind = any (${kinds})
    and ${isListedEntitlement}
    and ${isActive === null || today === null ? sql<SqlBool>`true` : isActiveOn(customerNumber, today, isActive)}`,
})

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
