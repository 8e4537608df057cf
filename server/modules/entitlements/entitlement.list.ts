import { type SqlBool, sql } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { ENTITLEMENT_FIELDS, EntitlementField } from '#domain/entitlements/entitlement-fields.ts'
import type { EntitlementKind } from '#domain/entitlements/kind.ts'
import { defineList, type ListField } from '#server/lists/list-source.ts'
import { isActiveOn } from '#server/modules/entitlements/activity.queries.ts'
import { isListedEntitlement } from '#server/plugins/listed-entitlements.queries.ts'

/** Which entitlements a call is about: all of some kinds, or those that are active or inactive on a day of the account. */
export type EntitlementScope = {
  readonly customerNumber: string
  readonly kinds: readonly EntitlementKind[]
  readonly isActive: boolean | null
  readonly today: CalendarDay | null
}

export const entitlementList = defineList({
  name: 'entitlements',
  fields: {
    ActivationId: { type: 'text', column: 'e.activation_id', nullable: false },
    EntitlementID: { type: 'text', column: 'e.entitlement_id', nullable: false },
    PartNumber: { type: 'text', column: 'e.part_number', nullable: false },
    ProductName: { type: 'text', column: 'e.product_name', nullable: false },
    LicenseModel: { type: 'text', column: 'e.license_model', nullable: false },
    LineItemQuantity: { type: 'number', column: 'e.line_item_quantity', nullable: false },
    StartDate: { type: 'day', column: 'e.start_date', nullable: false },
    EndDate: { type: 'day', column: 'e.ends_on', missingIsFuture: true, missingIsInfinity: true },
    VersionDate: { type: 'day', column: 'e.version_date' },
    IsActivationPermanent: { type: 'text', column: 'e.is_permanent::text', nullable: false },
    EntitlementState: { type: 'text', column: 'e.state', nullable: false },
    'CA[ENT|ansystype]': { type: 'text', column: 'e.type', nullable: false },
    'CA[ENT|ansyssubtype]': { type: 'text', column: 'e.subtype', nullable: false },
    'CA[ENT|ansysponum]': { type: 'text', column: 'e.po_number', nullable: false },
  } satisfies { [K in EntitlementField]: ListField & (typeof ENTITLEMENT_FIELDS)[K] },
  key: ['ActivationId'],
  defaultSort: [{ name: 'EndDate', direction: 'asc' }],
  // In the order of the end, a page begins right at the day in the index, whoever asks.
  prepares: ['EndDate'],
  from: sql`entitlement e`,
  scope: ({ customerNumber, kinds, isActive, today }: EntitlementScope) => sql<SqlBool>`
    e.customer_number = ${customerNumber}
    and e.kind = any (${kinds})
    and ${isListedEntitlement}
    and ${isActive === null || today === null ? sql<SqlBool>`true` : isActiveOn(today, isActive)}`,
})
