import { sql, type Transaction } from 'kysely'
import { fsaContractRecords } from '#contract/data/fsa-contracts.ts'
import { compare } from '#domain/money/decimal.ts'
import { readEmail } from '#domain/settings/email-address.ts'
import { fixDecimals, fixInstants } from '#server/data/fixed-values.ts'
import { recordData } from '#server/data/record-data.ts'
import { byCustomer, type Row } from '#server/data/record-table.queries.ts'
import { revokeByChange } from '#server/data/revoke-records.ts'
import type { Change } from '#server/data/save-records.ts'
import { namesCustomers } from '#server/db/named-customers.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'
import { lockKnownAccounts } from '#server/modules/accounts/accounts.public.ts'
import { keepProducts, unknownProducts } from '#server/modules/catalog/catalog.public.ts'
import {
  contractRows,
  contractTable,
  locateActivations,
  noteChanges,
  notifyOfEntitlements,
  refuseForeignActivations,
} from '#server/modules/entitlements/entitlements.public.ts'
import { findOrderTerms } from '#server/modules/fsa/order-balances.queries.ts'

export const fsaContractData = recordData(
  {
    kind: fsaContractRecords,
    table: {
      ...contractTable,
      joined: {
        fields: { businessOperationsEmails: { column: 'business_operations_emails', type: 'text[]' } },
        from: sql`(
          select e.*, c.business_operations_emails
            from ${contractRows} e join fsa_contract c using (customer_number, activation_id))`,
      },
    },
    read: readContract,
    locate: locateActivations,
    // Spending accounts of an account are changed by one writer at a time, so that a free fsaId stays free.
    async prepare(tx, rows, { now }) {
      const refusals = await lockKnownAccounts(tx, rows)
      const names = await keepProducts(tx, rows)
      for (const [row, refused] of unknownProducts(rows, names)) refusals.set(row, refused)
      const open = rows.filter((row) => !refusals.has(row))
      for (const [row, refused] of await refuseTakenIds(tx, open)) refusals.set(row, refused)
      const createdAt = now.toISOString()
      return { refusals, defaults: (row) => ({ createdAt, productName: names.get(String(row.partNumber)) }) }
    },
    claim: refuseForeignActivations,
    async lock(tx, keys) {
      await lockKnownAccounts(tx, keys)
    },
    invalid: ({ startDate, endDate }) =>
      String(endDate) < String(startDate) ? refusal('INVALID_RECORD', 'endDate is before startDate.') : undefined,
    check: refuseChangesOfOrdered,
    async after(tx, written, context) {
      await saveAddresses(tx, written)
      await notifyOfEntitlements(tx, written, context)
    },
  },
  (tx, ids, context, rules) => revokeByChange(tx, ids, context, rules, () => ({ state: 'Obsolete' })),
)

function readContract(row: Row) {
  const sent = row.businessOperationsEmails as readonly string[] | undefined
  const emails = sent?.map((email) => readEmail(email))
  const fixed = fixInstants(fixDecimals(row, ['price'], 2), ['createdAt'])
  if (!emails) return { row: fixed }
  const known = emails.filter((email) => email !== undefined)
  if (known.length < emails.length)
    return { refusal: refusal('INVALID_EMAIL', 'businessOperationsEmails has what is no email address.') }
  return { row: { ...fixed, businessOperationsEmails: known } }
}

const ID_TAKEN = refusal('VALUE_TAKEN', 'Another spending account of the account has this fsaId.')

async function refuseTakenIds(tx: Transaction<DB>, rows: readonly Row[]): Promise<Map<Row, Refusal>> {
  const refusals = new Map<Row, Refusal>()
  const owners = await findContracts(tx, rows)
  const claimed = new Map<string, unknown>()
  for (const row of rows) {
    const id = `${row.customerNumber} ${row.fsaId}`
    const owner = owners.get(id) ?? claimed.get(id) ?? row.activationId
    if (owner === row.activationId) claimed.set(id, owner)
    else refusals.set(row, ID_TAKEN)
  }
  return refusals
}

/** Activation ids by customer and fsaId. */
async function findContracts(tx: Transaction<DB>, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const { rows: found } = await sql<{ customer_number: string; fsa_id: string; activation_id: string }>`
    select c.customer_number, c.fsa_id, c.activation_id
      from unnest(${column(rows, 'customerNumber')}::text[], ${column(rows, 'fsaId')}::text[]) as k (customer_number, fsa_id)
           join fsa_contract c using (customer_number, fsa_id)
     where ${namesCustomers('c', column(rows, 'customerNumber'))}`.execute(tx)
  return new Map(found.map((one) => [`${one.customer_number} ${one.fsa_id}`, one.activation_id]))
}

const column = (rows: readonly Row[], field: string) => rows.map((row) => String(row[field]))

/** Orders must stay covered by the price. The balances are locked with the records. */
async function refuseChangesOfOrdered(
  tx: Transaction<DB>,
  changes: readonly Change[],
): Promise<ReadonlyMap<Change, Refusal>> {
  const rows = changes.map(({ after }) => after)
  const { rows: found } = await sql<{ activation_id: string; ordered: string }>`
    select c.activation_id, c.ordered
      from unnest(${column(rows, 'customerNumber')}::text[], ${column(rows, 'activationId')}::text[])
           as k (customer_number, activation_id)
           join fsa_contract c using (customer_number, activation_id)
     where ${namesCustomers('c', column(rows, 'customerNumber'))}`.execute(tx)
  const ordered = new Map(found.map((one) => [one.activation_id, one.ordered]))
  const shortened = changes.filter(isShorter).map(({ before }) => before)
  const terms = shortened.length > 0 ? await findOrderTerms(tx, shortened) : undefined
  return new Map(
    changes.flatMap((change) => {
      const { before, after } = change
      const refused =
        refusalOf(change, ordered.get(String(after.activationId)) ?? '0') ??
        termRefusal(change, terms?.get(`${before.customerNumber} ${before.fsaId}`))
      return refused ? [[change, refused] as const] : []
    }),
  )
}

const isShorter = ({ before, after }: Change) => startsLater(before, after) || endsEarlier(before, after)
const startsLater = (before: Row, after: Row) => String(after.startDate) > String(before.startDate)
const endsEarlier = (before: Row, after: Row) => String(after.endDate) < String(before.endDate)

type OrderTerm = { readonly first_start: string; readonly last_end: string }

/** Orders must stay within the term of the spending account, as they were when they were placed. */
function termRefusal({ before, after }: Change, orders: OrderTerm | undefined): Refusal | undefined {
  if (!orders) return undefined
  const { first_start, last_end } = orders
  if (endsEarlier(before, after) && String(after.endDate) < last_end)
    return refusal(
      'END_BEFORE_ORDERED',
      `The end cannot move to ${after.endDate}: an order from it ends on ${last_end}.`,
    )
  if (startsLater(before, after) && String(after.startDate) > first_start)
    return refusal(
      'START_AFTER_ORDERED',
      `The start cannot move to ${after.startDate}: an order from it starts on ${first_start}.`,
    )
  return undefined
}

function refusalOf({ before, after }: Change, ordered: string): Refusal | undefined {
  if (compare(ordered, 0) === 0) return undefined
  const orders = `${ordered} ${before.currency} were ordered from it`
  if (compare(String(after.price), ordered) < 0)
    return refusal('PRICE_BELOW_ORDERED', `The price cannot drop to ${after.price}: ${orders}.`)
  const isOther = after.fsaId !== before.fsaId || after.currency !== before.currency
  if (isOther) return refusal('IN_USE', `fsaId and currency cannot change: ${orders}.`)
  const isGone = before.state === 'Deployed' && after.state !== 'Deployed'
  return isGone ? refusal('IN_USE', `It cannot become ${after.state}: ${orders}.`) : undefined
}

async function saveAddresses(tx: Transaction<DB>, changes: readonly Change[]): Promise<void> {
  const told = changes.filter(({ before, after }) => textOf(before) !== textOf(after))
  for (const [customerNumber, rows] of byCustomer(told.map(({ after }) => after)))
    await sql`
      update fsa_contract c set business_operations_emails = r."businessOperationsEmails"
        from json_to_recordset(${JSON.stringify(rows)}::json) as r ("activationId" text, "businessOperationsEmails" text[])
       where c.customer_number = ${customerNumber} and c.activation_id = r."activationId"`.execute(tx)
  await noteChanges(tx, told)
}

const textOf = ({ businessOperationsEmails = [] }: Row) => JSON.stringify(businessOperationsEmails)
