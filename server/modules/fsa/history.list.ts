import { sql } from 'kysely'
import { historyList } from '#contract/fsa/history-list.ts'
import { listSource } from '#server/lists/list-source.ts'
import { drawnEntries, type EntryScope } from '#server/modules/fsa/entries.queries.ts'

export const historySource = listSource(historyList, {
  columns: {
    activationid: 'd.activation_id',
    entitlementId: 'd.entitlement_id',
    ansysproduct: 'd.product_name',
    fsaId: 'd.fsa_id',
    orderdate: 'd.ordered_at',
    count: 'd.line_item_quantity',
    startdate: 'd.start_date',
    enddate: 'd.end_date',
    cost: 'd.price',
    currency: 'd.currency',
    requester: 'd.requester_email',
    manualentry: 'd.is_manual',
  },
  from: (scope: EntryScope) => sql`${drawnEntries(scope)} d`,
  // The source already restricts the rows to one account.
  scope: () => sql<boolean>`true`,
})
