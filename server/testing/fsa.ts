import { type Kysely, sql } from 'kysely'
import { listContracts, type WireContract } from '#contract/fsa/contracts.ts'
import type { DB } from '#server/db/schema.ts'
import { SPENDING_ACCOUNT } from '#server/demo/products.ts'
import { insertEntitlements } from '#server/modules/entitlements/entitlements.public.ts'
import type { Call } from '#server/testing/activations.ts'
import type { Portal } from '#server/testing/portal.ts'

let made = 0

type ContractTerms = {
  customerNumber?: string
  price?: string
  currency?: string
  startDate?: string
  endDate?: string
  emails?: string[]
}

/** A new contract, so that tests do not spend each other's money; returns its id. */
export async function openContract(
  { db }: Pick<Portal, 'db'>,
  {
    customerNumber = '100001',
    price = '100000.00',
    currency = 'USD',
    startDate = '2020-01-01',
    endDate = '2099-12-31',
    emails = [],
  }: ContractTerms = {},
): Promise<string> {
  const fsaId = `FSA-${++made}`
  await db.transaction().execute((tx) =>
    insertEntitlements(tx, [
      {
        customer_number: customerNumber,
        activation_id: `contract-${made}`,
        entitlement_id: fsaId,
        part_number: SPENDING_ACCOUNT.partNumber,
        product_name: SPENDING_ACCOUNT.name,
        license_model: 'FSA',
        subtype: 'FSA',
        line_item_quantity: 1,
        start_date: startDate,
        end_date: endDate,
        currency,
        price,
        order_id: 'SO-1',
        po_number: 'PO-1',
      },
    ]),
  )
  await db.updateTable('fsa_contract').set({ business_operations_emails: emails }).where('fsa_id', '=', fsaId).execute()
  return fsaId
}

/** The price of a contract, the sum of its orders, and the balance that the database keeps. */
export async function loadBalance({ db }: { db: Kysely<DB> }, fsaId: string) {
  const { rows } = await sql<{ price: string; ordered: string; available: string }>`
    select c.price, c.price - c.ordered as available,
           (select coalesce(sum(e.price), 0)::numeric(14, 2) from entitlement e
             where e.customer_number = c.customer_number and e.fsa_id = c.fsa_id) as ordered
      from fsa_contract c where c.fsa_id = ${fsaId}`.execute(db)
  return rows[0]!
}

/** The contract as a browser loads it. */
export async function loadContract(call: Call, fsaId: string, customerNumber = '100001'): Promise<WireContract> {
  const { body } = await call(listContracts, { body: { customerNumber } })
  const contract = (body.data as WireContract[]).find(({ fsaID }) => fsaID === fsaId)
  if (!contract) throw new Error(`no contract ${fsaId}`)
  return contract
}
