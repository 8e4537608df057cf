import { sql } from 'kysely'
import { fsaEntitlementList } from '#contract/fsa/entitlements.ts'
import { listSource } from '#server/lists/list-source.ts'
import { allEntries, type EntryScope } from '#server/modules/fsa/entries.queries.ts'

export const fsaEntitlementSource = listSource(fsaEntitlementList, {
  columns: {
    ActivationId: 'e.activation_id',
    EntitlementID: 'e.entitlement_id',
    PartNumber: 'e.part_number',
    ProductName: 'e.product_name',
    LineItemQuantity: 'e.line_item_quantity',
    ansysprice: 'e.price',
    ansyscurrency: 'e.currency',
    StartDate: 'e.start_date',
    EndDate: 'e.end_date',
    manualentry: 'e.is_manual',
    requesterEmail: 'e.requester_email',
    orderid: 'e.order_id',
    timestamp: 'e.ordered_at',
    fsaID: 'e.fsa_id',
  },
  from: (scope: EntryScope) => sql`${allEntries(scope)} e`,
  // The source already restricts the rows to one account.
  scope: () => sql<boolean>`true`,
})
