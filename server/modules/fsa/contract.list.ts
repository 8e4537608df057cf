import { sql } from 'kysely'
import { contractList } from '#contract/fsa/contracts.ts'
import { listSource } from '#server/lists/list-source.ts'
import { contractsOf } from '#server/modules/fsa/contracts.queries.ts'

export const contractSource = listSource(contractList, {
  columns: {
    fsaID: 'c.fsa_id',
    ActivationId: 'c.activation_id',
    ProductName: 'c.product_name',
    OrderId: 'c.order_id',
    StartDate: 'c.start_date',
    EndDate: 'c.end_date',
    'CA[ENT|ansysponum]': 'c.po_number',
    'CA[ENT|ansyscurrency]': 'c.currency',
    'CA[ENT|ansysprice]': 'c.price',
    available: 'c.available',
    timestamp: 'c.created_at',
  },
  from: ({ customerNumber }: { customerNumber: string }) => sql`${contractsOf(customerNumber)} c`,
  // The source already restricts the rows to one account.
  scope: () => sql<boolean>`true`,
})
