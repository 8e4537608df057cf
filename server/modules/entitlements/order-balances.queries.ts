import { type RawBuilder, sql, type Transaction } from 'kysely'
import { formatHundredths, toHundredths } from '#domain/money/decimal.ts'
import { type Refusal, refusal } from '#server/data/data-kind.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import type { DB } from '#server/db/schema.ts'

/** What an entitlement draws from a spending account. */
type Draw = { fsa_id: string | null; currency: string; price: string | null; state: string }
type Kept = Draw & { activation_id: string }
type Contract = { customer_number: string; fsa_id: string; currency: string; available: string }

/**
 * Orders that their spending account cannot pay for. The spending accounts are locked in their order, so that nobody else
 * orders from them meanwhile. What one record gives back pays for no other record of the same call.
 */
export async function refuseOverdraws(tx: Transaction<DB>, rows: readonly Row[]): Promise<Map<Row, Refusal>> {
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
    const needed = amountOf(after) - (before?.fsa_id === after.fsa_id ? amountOf(before) : 0n)
    if (needed <= contract.available) contract.available -= needed > 0n ? needed : 0n
    else refusals.set(row, insufficient(contract.available))
  }
  return refusals
}

const insufficient = (available: bigint) =>
  refusal('INSUFFICIENT_BALANCE', `The spending account has ${formatHundredths(available)} left.`)

const amountOf = ({ price, state }: Draw) => (state === 'Deployed' && price !== null ? toHundredths(price) : 0n)

/** What a record will draw: what it leaves out stays as it is. */
function drawOf(row: Row, before: Draw | undefined): Draw {
  const { fsaId = before?.fsa_id ?? null, currency = before?.currency ?? 'USD' } = row
  const { price = before?.price ?? null, state = before?.state ?? 'Deployed' } = row
  return {
    fsa_id: fsaId as string | null,
    currency: String(currency),
    price: price as string | null,
    state: String(state),
  }
}

async function findDraws(tx: Transaction<DB>, rows: readonly Row[], isMeant: RawBuilder<unknown>) {
  const { rows: found } = await sql<Kept>`
    select e.activation_id, e.fsa_id, e.currency, e.price, e.state
      from unnest(${column(rows, 'customerNumber')}::text[], ${column(rows, 'activationId')}::text[])
           as k (customer_number, activation_id)
           join entitlement e using (customer_number, activation_id)
     where ${isMeant}`.execute(tx)
  return new Map(found.map((draw) => [draw.activation_id, draw]))
}

const column = (rows: readonly Row[], field: string) => rows.map((row) => String(row[field]))

async function lockContracts(tx: Transaction<DB>, rows: readonly Row[], earlier: ReadonlyMap<string, Kept>) {
  const named = rows.flatMap((row) => {
    const ids = [row.fsaId, earlier.get(String(row.activationId))?.fsa_id]
    return ids.flatMap((id) => (typeof id === 'string' ? [{ customerNumber: row.customerNumber, fsaId: id }] : []))
  })
  const { rows: contracts } = await sql<Contract>`
    select c.customer_number, c.fsa_id, c.currency, c.price - c.ordered as available from fsa_contract c
     where (c.customer_number, c.fsa_id) in (
       select * from unnest(${column(named, 'customerNumber')}::text[], ${column(named, 'fsaId')}::text[]))
     order by c.customer_number, c.fsa_id for no key update`.execute(tx)
  return new Map(
    contracts.map((one) => [
      `${one.customer_number} ${one.fsa_id}`,
      { currency: one.currency, available: toHundredths(one.available) },
    ]),
  )
}

/** The last day of what was ordered from spending accounts, by customer and fsaId. */
export async function findOrderEnds(
  tx: Transaction<DB>,
  contracts: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ customer_number: string; fsa_id: string; last_end: string }>`
    select e.customer_number, e.fsa_id, max(e.end_date) as last_end
      from unnest(${column(contracts, 'customerNumber')}::text[], ${column(contracts, 'fsaId')}::text[])
           as k (customer_number, fsa_id)
           join entitlement e using (customer_number, fsa_id)
     where e.state = 'Deployed' group by 1, 2`.execute(tx)
  return new Map(rows.map((one) => [`${one.customer_number} ${one.fsa_id}`, one.last_end]))
}
