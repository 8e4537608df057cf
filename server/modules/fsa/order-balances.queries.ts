import { type RawBuilder, sql, type Transaction } from 'kysely'
import { formatHundredths, toHundredths } from '#domain/money/decimal.ts'
import { byCustomer, type Row } from '#server/data/record-table.queries.ts'
import { namesCustomers } from '#server/db/named-customers.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'

/** What an entitlement draws from a spending account. */
type Draw = {
  fsa_id: string | null
  currency: string
  price: string | null
  state: string
  start_date: string
  end_date: string | null
}
type Kept = Draw & { activation_id: string }
type Term = { start_date: string; end_date: string }
type Contract = { customer_number: string; fsa_id: string; currency: string; available: string }

/**
 * Orders that their spending account cannot pay for, or that begin before or end after it. The spending accounts are
 * locked in a fixed order, so that nobody else orders from them in the meantime. An amount that one record frees is not
 * available to other records of the same call.
 */
export async function refuseOrders(tx: Transaction<DB>, rows: readonly Row[]): Promise<Map<Row, Refusal>> {
  const refusals = new Map<Row, Refusal>()
  const earlier = await findDraws(tx, rows, sql`e.fsa_id is not null`)
  const orders = rows.filter((row) => row.fsaId || earlier.has(String(row.activationId)))
  if (orders.length === 0) return refusals
  const contracts = await lockContracts(tx, orders, earlier)
  const kept = await findDraws(tx, orders, sql`true`)
  for (const row of orders) {
    const before = kept.get(String(row.activationId))
    const after = drawOf(row, before)
    if (after.fsa_id === null || after.state !== 'Deployed') continue
    const contract = contracts.get(`${row.customerNumber} ${after.fsa_id}`)
    if (!contract || contract.currency !== after.currency) {
      refusals.set(
        row,
        refusal('UNKNOWN_CONTRACT', `The account has no spending account ${after.fsa_id} in ${after.currency}.`),
      )
      continue
    }
    const outside = termRefusal(after, before, contract)
    if (outside) {
      refusals.set(row, outside)
      continue
    }
    const needed = amountOf(after) - (before?.fsa_id === after.fsa_id ? amountOf(before) : 0n)
    if (needed <= contract.available) contract.available -= needed > 0n ? needed : 0n
    else refusals.set(row, insufficient(contract.available))
  }
  return refusals
}

const insufficient = (available: bigint) =>
  refusal('INSUFFICIENT_BALANCE', `The spending account has ${formatHundredths(available)} left.`)

/** An existing order that keeps its dates is not checked again. */
function termRefusal(after: Draw, before: Draw | undefined, contract: Term): Refusal | undefined {
  const { fsa_id, start_date, end_date } = after
  const isKept =
    before?.state === 'Deployed' &&
    before.fsa_id === fsa_id &&
    before.start_date === start_date &&
    before.end_date === end_date
  if (isKept || end_date === null) return undefined
  if (start_date >= contract.start_date && end_date <= contract.end_date) return undefined
  return refusal(
    'OUTSIDE_CONTRACT',
    `The order is from ${start_date} to ${end_date}, but the spending account ${fsa_id} from ${contract.start_date} to ${contract.end_date}.`,
  )
}

const amountOf = ({ price, state }: Draw) => (state === 'Deployed' && price !== null ? toHundredths(price) : 0n)

/** The amount of a record after the save: missing fields keep their value. */
function drawOf(row: Row, before: Draw | undefined): Draw {
  const { fsaId = before?.fsa_id ?? null, currency = before?.currency ?? 'USD' } = row
  const { price = before?.price ?? null, state = before?.state ?? 'Deployed' } = row
  const { startDate = before?.start_date, endDate = before?.end_date ?? null } = row
  return {
    fsa_id: fsaId as string | null,
    currency: String(currency),
    price: price as string | null,
    state: String(state),
    start_date: String(startDate),
    end_date: endDate as string | null,
  }
}

async function findDraws(tx: Transaction<DB>, rows: readonly Row[], isMeant: RawBuilder<unknown>) {
  const { rows: found } = await sql<Kept>`
    select e.activation_id, e.fsa_id, e.currency, e.price, e.state, e.start_date, e.end_date
      from unnest(${column(rows, 'customerNumber')}::text[], ${column(rows, 'activationId')}::text[])
           as k (customer_number, activation_id)
           join entitlement e using (customer_number, activation_id)
     where ${namesCustomers('e', column(rows, 'customerNumber'))} and ${isMeant}`.execute(tx)
  return new Map(found.map((draw) => [draw.activation_id, draw]))
}

const column = (rows: readonly Row[], field: string) => rows.map((row) => String(row[field]))

async function lockContracts(tx: Transaction<DB>, rows: readonly Row[], earlier: ReadonlyMap<string, Kept>) {
  const named = rows.flatMap((row) => {
    const ids = [row.fsaId, earlier.get(String(row.activationId))?.fsa_id]
    return ids.flatMap((id) => (typeof id === 'string' ? [{ customerNumber: row.customerNumber, fsaId: id }] : []))
  })
  const contracts: Contract[] = []
  for (const [customerNumber, some] of byCustomer(named)) {
    const { rows: locked } = await sql<Contract>`
      select c.customer_number, c.fsa_id, c.currency, c.price - c.ordered as available from fsa_contract c
       where c.customer_number = ${customerNumber} and c.fsa_id = any (${column(some, 'fsaId')})
       order by c.fsa_id for no key update`.execute(tx)
    contracts.push(...locked)
  }
  const terms = await findTerms(tx, contracts)
  return new Map(
    contracts.map(({ customer_number, fsa_id, currency, available }) => {
      const key = `${customer_number} ${fsa_id}`
      return [key, { currency, available: toHundredths(available), ...(terms.get(key) as Term) }]
    }),
  )
}

/** The terms of spending accounts. They are locked, so concurrent changes are seen. */
async function findTerms(tx: Transaction<DB>, contracts: readonly Contract[]): Promise<ReadonlyMap<string, Term>> {
  const customers = contracts.map((one) => one.customer_number)
  const { rows } = await sql<Term & { customer_number: string; fsa_id: string }>`
    select c.customer_number, c.fsa_id, e.start_date, e.end_date
      from unnest(${customers}::text[], ${contracts.map((one) => one.fsa_id)}::text[])
           as k (customer_number, fsa_id)
           join fsa_contract c using (customer_number, fsa_id)
           join entitlement e on e.customer_number = c.customer_number and e.activation_id = c.activation_id
     where ${namesCustomers('c', customers)} and ${namesCustomers('e', customers)}`.execute(tx)
  return new Map(rows.map(({ customer_number, fsa_id, ...term }) => [`${customer_number} ${fsa_id}`, term]))
}

/** The first and the last day of what was ordered from spending accounts, by customer and fsaId. */
export async function findOrderTerms(
  tx: Transaction<DB>,
  contracts: readonly Row[],
): Promise<ReadonlyMap<string, { first_start: string; last_end: string }>> {
  const { rows } = await sql<{ customer_number: string; fsa_id: string; first_start: string; last_end: string }>`
    select e.customer_number, e.fsa_id, min(e.start_date) as first_start, max(e.end_date) as last_end
      from unnest(${column(contracts, 'customerNumber')}::text[], ${column(contracts, 'fsaId')}::text[])
           as k (customer_number, fsa_id)
           join entitlement e using (customer_number, fsa_id)
     where e.state = 'Deployed' and ${namesCustomers('e', column(contracts, 'customerNumber'))} group by 1, 2`.execute(
    tx,
  )
  return new Map(rows.map((one) => [`${one.customer_number} ${one.fsa_id}`, one]))
}
