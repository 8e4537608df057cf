import { type Kysely, sql } from 'kysely'
import { add, toFixedText } from '#domain/money/decimal.ts'
import type { DB } from '#server/db/schema.ts'
import { brokenRules } from '#server/testing/host-plans.ts'
import type { Journal, Promised } from '#server/testing/load/journal.ts'
import { driftedDays } from '#server/testing/usage.ts'

type Kind = Promised['kind']
type Of<K extends Kind> = Extract<Promised, { kind: K }>
/** One thing in the database: how often it is there, and the value that a client was told. */
type Found = { readonly id: string; readonly times: number; readonly value: string | null }

/** Whether no plan is under way and no email is waiting. Before that, the database is not compared. */
export async function isAtRest(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (select 1 from host_plan where finished_at is null)
        or exists (select 1 from outbox_message where state = 'queued') as busy`.execute(db)
  return rows[0]?.busy === false
}

/**
 * Compares what clients were told with the database, once everything is at rest: acknowledged writes that are lost, writes
 * that are there twice or that nobody was told of, values that differ, sums, balances, seats, emails and audit entries
 * that do not match. Empty if every promise was kept.
 */
export async function findBrokenPromises(
  db: Kysely<DB>,
  { promised, unknown }: Pick<Journal, 'promised' | 'unknown'>,
): Promise<string[]> {
  const customers = [...new Set(promised.map(({ customerNumber }) => customerNumber))]
  const broken: string[] = []
  for (const customer of customers) {
    const told = promised.filter(({ customerNumber }) => customerNumber === customer)
    const of = <K extends Kind>(kind: K) => told.filter((one): one is Of<K> => one.kind === kind)
    const mayBe = (kind: Kind) => unknown.filter((one) => one.customerNumber === customer && one.kind === kind).length
    const compare = (kind: Kind, expected: ReadonlyMap<string, string | undefined>, found: readonly Found[]) => {
      for (const line of differences(expected, found, mayBe(kind))) broken.push(`${customer}: ${kind} ${line}`)
    }
    compare('usage', new Map(of('usage').map(({ id }) => [id, undefined])), await findUsage(db, customer))
    compare('order', new Map(of('order').map((one) => [one.activationId, one.price])), await findOrders(db, customer))
    // The end of a session comes after its start: the last entry counts.
    compare('session', new Map(of('session').map(({ id, charge }) => [id, charge])), await findSessions(db, customer))
    compare(
      'checkout',
      new Map(of('checkout').map(({ id, hours }) => [id, hours?.toFixed(2)])),
      await findCheckouts(db, customer),
    )
    compare('plan', new Map(of('plan').map(({ id }) => [id, undefined])), await findPlans(db, customer))
    if (mayBe('plan') === 0) broken.push(...(await wrongSeats(db, customer, of('plan'))))
    if (mayBe('order') === 0) broken.push(...(await wrongBalance(db, customer, of('order'))))
    broken.push(...(await wrongAudit(db, customer)), ...(await wrongEmails(db, customer)))
  }
  const drifts = await driftedDays(db, customers)
  if (drifts.length > 0) broken.push(`usage sums differ from the transactions: ${JSON.stringify(drifts).slice(0, 300)}`)
  return [...broken, ...(await brokenRules({ db }))]
}

function differences(
  expected: ReadonlyMap<string, string | undefined>,
  found: readonly Found[],
  mayBeUntold: number,
): string[] {
  const lines: string[] = []
  const byId = new Map(found.map((one) => [one.id, one]))
  for (const [id, value] of expected) {
    const one = byId.get(id)
    if (!one) lines.push(`${id} was acknowledged and is lost`)
    else if (one.times !== 1) lines.push(`${id} is there ${one.times} times`)
    else if (value !== undefined && one.value !== value) lines.push(`${id} is ${one.value}, and ${value} was told`)
  }
  const untold = found.filter(({ id }) => !expected.has(id))
  if (untold.length > mayBeUntold)
    lines.push(`: ${untold.length} are there that nobody was told of, such as ${untold[0]?.id}`)
  return lines
}

/** What writers have sent: the world's own usage has other ids. */
async function findUsage(db: Kysely<DB>, customer: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select session_id as id, count(*)::int as times, null as value from usage_transaction
     where customer_number = ${customer} and not continues and session_id like 'els-load-%-j%' group by 1`.execute(db)
  return rows
}

async function findOrders(db: Kysely<DB>, customer: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select activation_id as id, count(*)::int as times, min(price)::text as value from entitlement
     where customer_number = ${customer} and fsa_id is not null and subtype = 'FSA' group by 1`.execute(db)
  return rows
}

async function findSessions(db: Kysely<DB>, customer: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select session_id as id, (count(*) filter (where not continues))::int as times, sum(charge)::text as value
      from usage_transaction
     where customer_number = ${customer} and session_id like ${`${customer}.%`} group by 1`.execute(db)
  return rows
}

async function findCheckouts(db: Kysely<DB>, customer: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select checkout_id as id, count(*)::int as times, min(hours)::text as value from web_checkout
     where customer_number = ${customer} group by 1`.execute(db)
  return rows
}

/** A plan that failed has broken its promise as well. */
async function findPlans(db: Kysely<DB>, customer: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select plan_id as id, count(*)::int as times, null as value from host_plan
     where customer_number = ${customer} and state = 'done' group by 1`.execute(db)
  return rows
}

/** A license server has the seats of the last plan. */
async function wrongSeats(db: Kysely<DB>, customer: string, plans: readonly Of<'plan'>[]): Promise<string[]> {
  const wanted = new Map(plans.map(({ hostId, seats }) => [hostId, seats]))
  const { rows } = await sql<{ host: string; seats: number }>`
    select host_id as host, sum(seats)::int as seats from host_seats where customer_number = ${customer}
     group by 1`.execute(db)
  const found = new Map(rows.map(({ host, seats }) => [host, seats]))
  return [...wanted]
    .filter(([host, seats]) => found.get(host) !== seats)
    .map(([host, seats]) => `${customer}: ${host} has ${found.get(host) ?? 0} seats, and ${seats} were saved last`)
}

/** What was drawn from the spending account is what all orders cost. */
async function wrongBalance(db: Kysely<DB>, customer: string, orders: readonly Of<'order'>[]): Promise<string[]> {
  const told = toFixedText(
    orders.reduce((sum, { price }) => add(sum, price), '0'),
    2,
  )
  const { rows } = await sql<{ ordered: string }>`
    select sum(ordered)::text as ordered from fsa_contract where customer_number = ${customer}`.execute(db)
  const ordered = rows[0]?.ordered ?? '0.00'
  return ordered === told ? [] : [`${customer}: ${ordered} was drawn from the spending account, and ${told} was told`]
}

/** Every order and every step of a plan is in the audit log once. */
async function wrongAudit(db: Kysely<DB>, customer: string): Promise<string[]> {
  const { rows } = await sql<{ id: string; times: number }>`
    with noted as (
      select line ->> 'activationId' as id from audit_log, jsonb_array_elements(after -> 'lines') line
       where customer_number = ${customer} and action = 'entitlements' and outcome = 'done'
      union all
      select (after ->> 'plan') || ' ' || coalesce(after ->> 'step', 'start') from audit_log
       where customer_number = ${customer} and action = 'fulfillments/save' and outcome = 'done'),
    done as (
      select activation_id as id from entitlement
       where customer_number = ${customer} and fsa_id is not null and subtype = 'FSA'
      union all
      select plan_id || ' ' || step from host_plan, unnest(array['start', 'create', 'generate', 'email']) step
       where customer_number = ${customer} and state = 'done')
    select coalesce(d.id, n.id) as id, count(n.id)::int as times from done d full join noted n using (id)
     group by 1, d.id having count(n.id) <> 1 and d.id is not null or count(n.id) > 1`.execute(db)
  return rows.map(({ id, times }) => `${customer}: ${id} is in the audit log ${times} times`)
}

/** Every plan has sent one email, and no delivered one is to be sent again. */
async function wrongEmails(db: Kysely<DB>, customer: string): Promise<string[]> {
  const { rows } = await sql<{ plans: number; emails: number; again: number; stuck: number }>`
    select (select count(*)::int from host_plan where customer_number = ${customer} and state = 'done') as plans,
           (select count(*)::int from mail
             where customer_number = ${customer} and subject like '%License file for%') as emails,
           (select count(*)::int from mail m join outbox_message o on o.payload ->> 'mailId' = m.id
             where m.customer_number = ${customer} and m.delivered_at is not null) as again,
           (select count(*)::int from mail m
             where m.customer_number = ${customer} and m.state = 'queued'
               and not exists (select 1 from outbox_message o where o.payload ->> 'mailId' = m.id)) as stuck`.execute(
    db,
  )
  const { plans = 0, emails = 0, again = 0, stuck = 0 } = rows[0] ?? {}
  const broken: string[] = []
  if (plans !== emails) broken.push(`${customer}: ${plans} plans were done, and ${emails} emails were written`)
  if (again > 0) broken.push(`${customer}: ${again} delivered emails are still in the outbox`)
  if (stuck > 0) broken.push(`${customer}: ${stuck} queued emails are not in the outbox`)
  return broken
}
