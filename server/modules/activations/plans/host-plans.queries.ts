import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'
import type { FailureCode } from '#contract/kit/failure-code.ts'
import type { PlanAction, PlanRequest } from '#domain/activations/plans/host-plan.ts'
import type { PlanStep, SeatStep } from '#domain/activations/plans/plan.ts'
import type { HostIdType } from '#domain/entitlements/fulfillment.ts'
import { namesCustomers } from '#server/db/named-customers.ts'
import type { DB } from '#server/db/schema.ts'
import type { PlanOrigin } from '#server/modules/activations/activations.tables.ts'
import type { Machine } from '#server/modules/activations/hosts/hosts.queries.ts'

export type PlanKey = { readonly customerNumber: string; readonly id: string }
export type StoredPlan = Selectable<DB['host_plan']>

/** A host of one customer. */
export type CustomerMachine = { readonly customerNumber: string; readonly machine: Machine }
export type ReservedSeats = { readonly customerNumber: string; readonly activationId: string; readonly seats: number }

type NewPlan = {
  readonly key: PlanKey
  readonly action: PlanAction
  readonly request: PlanRequest
  readonly origin: PlanOrigin
  readonly at: Date
  readonly steps: readonly PlanStep[]
  readonly reserved: readonly ReservedSeats[]
}

export async function insertPlan(tx: Transaction<DB>, plan: NewPlan): Promise<void> {
  const { customerNumber: customer_number, id: plan_id } = plan.key
  await tx
    .insertInto('host_plan')
    .values({
      customer_number,
      plan_id,
      action: plan.action,
      request: JSON.stringify(plan.request),
      requested_by: plan.origin.email,
      requested_at: plan.at,
      requested_from: JSON.stringify(plan.origin),
    })
    .execute()
  await sql`
    insert into host_plan_step (customer_number, plan_id, position, step)
    select ${customer_number}, ${plan_id}, position, step
      from jsonb_array_elements(${JSON.stringify(plan.steps)}::jsonb) with ordinality as s (step, position)`.execute(tx)
  if (plan.reserved.length)
    await tx
      .insertInto('reserved_seats')
      .values(
        plan.reserved.map((one) => ({
          customer_number: one.customerNumber,
          activation_id: one.activationId,
          plan_id,
          seats: one.seats,
        })),
      )
      .execute()
}

/**
 * Claims hosts for a plan, and returns those that another plan has claimed. Waits for a call that is claiming the same
 * ones.
 */
export async function claimHosts(
  tx: Transaction<DB>,
  planId: string,
  machines: readonly CustomerMachine[],
): Promise<CustomerMachine[]> {
  if (machines.length === 0) return []
  const { rows } = await sql<{ customer_number: string; host_id_type: HostIdType; machine_id: string }>`
    insert into busy_host (customer_number, host_id_type, machine_id, plan_id)
    select c, t, m, ${planId}
      from unnest(${machines.map((one) => one.customerNumber)}::text[],
                  ${machines.map((one) => one.machine.hostIdType)}::text[],
                  ${machines.map((one) => one.machine.machineId)}::text[]) as h (c, t, m)
     order by c, t, m
    on conflict do nothing returning customer_number, host_id_type, machine_id`.execute(tx)
  const isTaken = ({ customerNumber, machine }: CustomerMachine) =>
    rows.some(
      (row) =>
        row.customer_number === customerNumber &&
        row.host_id_type === machine.hostIdType &&
        row.machine_id === machine.machineId,
    )
  return machines.filter((one) => !isTaken(one))
}

export async function isBusy(db: Kysely<DB>, { customerNumber, machine }: CustomerMachine): Promise<boolean> {
  const found = await db
    .selectFrom('busy_host')
    .select('plan_id')
    .where('customer_number', '=', customerNumber)
    .where('host_id_type', '=', machine.hostIdType)
    .where('machine_id', '=', machine.machineId)
    .executeTakeFirst()
  return found !== undefined
}

/** Seats of entitlements that plans hold at the moment. Ask once the entitlements are locked. */
export async function findReserved(
  db: Kysely<DB>,
  customerNumber: string,
  activationIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ activation_id: string; seats: number }>`
    select activation_id, sum(seats)::int as seats from reserved_seats
     where customer_number = ${customerNumber} and activation_id = any (${[...activationIds]}) group by 1`.execute(db)
  return new Map(rows.map((row) => [row.activation_id, row.seats]))
}

/** Seats that plans hold, of entitlements of several customers. */
export async function countReserved(
  db: Kysely<DB>,
  keys: readonly Omit<ReservedSeats, 'seats'>[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ activation_id: string; seats: number }>`
    select activation_id, sum(r.seats)::int as seats
      from unnest(${keys.map((key) => key.customerNumber)}::text[], ${keys.map((key) => key.activationId)}::text[])
           as k (customer_number, activation_id) join reserved_seats r using (customer_number, activation_id)
     where ${namesCustomers(
       'r',
       keys.map((key) => key.customerNumber),
     )}
     group by 1`.execute(db)
  return new Map(rows.map((row) => [row.activation_id, row.seats]))
}

/** Seats of entitlements that one plan holds. */
export async function findReservedBy(
  tx: Transaction<DB>,
  planId: string,
  customerNumber: string,
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('reserved_seats')
    .select(['activation_id', 'seats'])
    .where('customer_number', '=', customerNumber)
    .where('plan_id', '=', planId)
    .execute()
  return new Map(rows.map((row) => [row.activation_id, row.seats]))
}

/** Adds seats to those that the plan holds, or removes them. The plan keeps only seats that it will activate again. */
export async function changeReserved(
  tx: Transaction<DB>,
  planId: string,
  customerNumber: string,
  changes: readonly { readonly activationId: string; readonly seats: number }[],
): Promise<void> {
  await sql`
    update reserved_seats r set seats = r.seats + c.seats
      from (select a, sum(s)::int as seats
              from unnest(${changes.map((one) => one.activationId)}::text[], ${changes.map((one) => one.seats)}::int[])
                as u (a, s) group by a) c
     where r.customer_number = ${customerNumber} and r.activation_id = c.a and r.plan_id = ${planId}`.execute(tx)
}

/** A failed plan that holds hosts was stopped by a rule, and continues once the rule allows it. */
async function listHoldingPlans(db: Kysely<DB>, planId?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('busy_host')
    .select('plan_id')
    .distinct()
    .$if(planId !== undefined, (all) => all.where('plan_id', '=', planId!))
    .execute()
  return rows.map(({ plan_id }) => plan_id)
}

/**
 * Locks a plan with work left until the end of the transaction, so that its steps are done one at a time. No statement
 * asks for plans and their hosts together: on shards they are on different nodes.
 */
export async function lockPlan(tx: Transaction<DB>, { customerNumber, id }: PlanKey): Promise<StoredPlan | undefined> {
  const plan = await tx
    .selectFrom('host_plan')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('plan_id', '=', id)
    .where(sql<boolean>`(finished_at is null or state = 'failed')`)
    .forUpdate()
    .executeTakeFirst()
  if (plan?.finished_at && (await listHoldingPlans(tx, id)).length === 0) return undefined
  return plan
}

const selectSteps = (db: Kysely<DB>, { customerNumber, id }: PlanKey) =>
  db.selectFrom('host_plan_step').where('customer_number', '=', customerNumber).where('plan_id', '=', id)

/** The first step that is not done, leaving out those of customers for whom a rule has stopped the plan. */
export function findNextStep(
  tx: Transaction<DB>,
  key: PlanKey,
  stoppedFor: readonly string[] = [],
): Promise<{ position: number; step: PlanStep } | undefined> {
  return selectSteps(tx, key)
    .select(['position', 'step'])
    .where('done_at', 'is', null)
    .where(sql<boolean>`coalesce(step ->> 'customerNumber', '') <> all (${[...stoppedFor]}::text[])`)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
}

/** The steps of a plan that have generated a license file, in their order. */
export async function listGenerated(db: Kysely<DB>, key: PlanKey): Promise<Extract<PlanStep, { kind: 'generate' }>[]> {
  const rows = await selectSteps(db, key)
    .select('step')
    .where('done_at', 'is not', null)
    .where(sql<boolean>`step ->> 'kind' = 'generate' and not step ? 'isSkipped'`)
    .orderBy('position')
    .execute()
  return rows.flatMap(({ step }) => (step.kind === 'generate' ? [step] : []))
}

/** The steps of a plan that have returned or activated seats, in their order. */
export async function listDoneSeats(db: Kysely<DB>, key: PlanKey): Promise<SeatStep[]> {
  const rows = await selectSteps(db, key)
    .select('step')
    .where('done_at', 'is not', null)
    .where(sql<boolean>`step ->> 'kind' in ('return', 'create')`)
    .orderBy('position')
    .execute()
  return rows.flatMap(({ step }) => (step.kind === 'return' || step.kind === 'create' ? [step] : []))
}

/** Notes that a step is done; with the last one, the plan is. */
export async function noteDone(tx: Transaction<DB>, plan: StoredPlan, position: number, now: Date): Promise<boolean> {
  const { customer_number, plan_id } = plan
  await tx
    .updateTable('host_plan_step')
    .set({ done_at: now })
    .where('customer_number', '=', customer_number)
    .where('plan_id', '=', plan_id)
    .where('position', '=', position)
    .execute()
  const next = await findNextStep(tx, { customerNumber: customer_number, id: plan_id })
  if (next)
    await update(tx, plan).set({ state: 'running', finished_at: null, failure_code: null, failure: null }).execute()
  else await finishPlan(tx, plan, now)
  return next === undefined
}

/** Notes with a step what it has done: which seats, or that it makes no file, as the customer has no licenses. */
export async function noteOutcome(
  tx: Transaction<DB>,
  { customer_number, plan_id }: StoredPlan,
  step: PlanStep,
  outcome: Pick<SeatStep, 'did'> | { readonly isSkipped: true },
): Promise<void> {
  await sql`
    update host_plan_step set step = step || ${JSON.stringify(outcome)}::jsonb
     where customer_number = ${customer_number} and plan_id = ${plan_id} and step = ${JSON.stringify(step)}::jsonb`.execute(
    tx,
  )
}

/** Ends a plan of which nothing is left to do. */
export async function finishPlan(tx: Transaction<DB>, plan: StoredPlan, now: Date): Promise<void> {
  await update(tx, plan).set({ state: 'done', finished_at: now, failure_code: null, failure: null }).execute()
  await letGo(tx, plan)
}

type Failure = { readonly code: FailureCode; readonly message: string }

/** Ends a plan that cannot go on: it lets go of its hosts and of the seats in its hands. */
export async function failPlan(tx: Transaction<DB>, plan: StoredPlan, failure: Failure, now: Date): Promise<void> {
  await noteFailure(tx, plan, failure, now)
  await letGo(tx, plan)
}

/** Stops a plan that continues later: it keeps its seats, and the hosts of customers whose seats are waiting. */
export async function stopPlan(
  tx: Transaction<DB>,
  plan: StoredPlan,
  failure: Failure,
  now: Date,
  waiting: readonly string[],
): Promise<void> {
  await noteFailure(tx, plan, failure, now)
  await tx
    .deleteFrom('busy_host')
    .where('plan_id', '=', plan.plan_id)
    .where('customer_number', 'not in', waiting)
    .execute()
}

async function noteFailure(
  tx: Transaction<DB>,
  plan: StoredPlan,
  { code, message }: Failure,
  now: Date,
): Promise<void> {
  await update(tx, plan).set({ state: 'failed', finished_at: now, failure_code: code, failure: message }).execute()
}

/** Customers whose seats the plan has returned and not yet activated. */
export async function listWaitingCustomers(tx: Transaction<DB>, { plan_id, request }: StoredPlan): Promise<string[]> {
  const waiting: string[] = []
  for (const customerNumber of request.customers) {
    const seats = await findReservedBy(tx, plan_id, customerNumber)
    if ([...seats.values()].some((count) => count > 0)) waiting.push(customerNumber)
  }
  return waiting
}

/** A finished plan holds no seats and no hosts. */
async function letGo(tx: Transaction<DB>, { plan_id, request }: StoredPlan): Promise<void> {
  for (const customerNumber of request.customers)
    await tx
      .deleteFrom('reserved_seats')
      .where('customer_number', '=', customerNumber)
      .where('plan_id', '=', plan_id)
      .execute()
  await tx.deleteFrom('busy_host').where('plan_id', '=', plan_id).execute()
}

function update(tx: Transaction<DB>, { customer_number, plan_id }: StoredPlan) {
  return tx.updateTable('host_plan').where('customer_number', '=', customer_number).where('plan_id', '=', plan_id)
}

/** A plan and its progress. */
export type PlanRow = StoredPlan & {
  done: number
  total: number
  amounts: Record<'returned' | 'activated' | 'files', { done: number; total: number }>
  server_ids: string[]
  licensed: string[]
  next_step: PlanStep | null
  /** The email that was sent. */
  sent_step: PlanStep | null
}

const LISTED = 50

/** The newest plans of an account, or one of them. */
export async function listPlanRows(db: Kysely<DB>, customerNumber: string, planId?: string): Promise<PlanRow[]> {
  const isMeant = planId === undefined ? sql`true` : sql`p.plan_id = ${planId}`
  const amount = (kind: PlanStep['kind'], of: RawBuilder<unknown>) => sql`
    jsonb_build_object(
      'done', coalesce(sum(${of}) filter (where step->>'kind' = ${sql.lit(kind)} and done_at is not null), 0),
      'total', coalesce(sum(${of}) filter (where step->>'kind' = ${sql.lit(kind)}), 0))`
  const seats = sql`(
    select sum(coalesce((a->>'seats')::int, abs((a->>'count')::int)))
      from jsonb_array_elements(coalesce(step->'did', step->'activations')) a)`
  const { rows } = await sql<PlanRow>`
    select p.*, s.done, s.total, s.amounts, s.server_ids, s.licensed, n.step as next_step, m.step as sent_step
      from (select * from host_plan p where p.customer_number = ${customerNumber} and ${isMeant}
             order by p.finished_at is not null, p.requested_at desc, p.plan_id limit ${LISTED}) p
      cross join lateral (
        select count(*) filter (where done_at is not null)::int as done, count(*)::int as total,
               jsonb_build_object('returned', ${amount('return', sql`seats`)}, 'activated', ${amount('create', sql`seats`)},
                                  'files', ${amount('generate', sql`1`)}) as amounts,
               coalesce(jsonb_agg(distinct step->'host'->'serverId') filter (where not step ? 'isSkipped'), '[]') as server_ids,
               coalesce(jsonb_agg(step->'customerNumber' order by position) filter (where step->>'kind' = 'generate' and not step ? 'isSkipped'), '[]') as licensed
          from host_plan_step s
          cross join lateral (select ${seats} as seats) of_step
         where s.customer_number = ${customerNumber} and s.plan_id = p.plan_id) s
      left join lateral (
        select step from host_plan_step s
         where s.customer_number = ${customerNumber} and s.plan_id = p.plan_id and s.done_at is null
         order by position limit 1) n on true
      left join lateral (
        select step from host_plan_step s
         where s.customer_number = ${customerNumber} and s.plan_id = p.plan_id and s.done_at is not null
           and step->>'kind' = 'email' limit 1) m on true
     order by p.requested_at desc, p.plan_id`.execute(db)
  return rows
}

/** Plans with work left: unfinished ones, and those that a rule has stopped. */
export async function listPlansToCarryOut(db: Kysely<DB>): Promise<PlanKey[]> {
  const holding = await listHoldingPlans(db)
  const rows = await db
    .selectFrom('host_plan')
    .select(['customer_number', 'plan_id'])
    .where(sql<boolean>`(finished_at is null or state = 'failed' and plan_id = any (${holding}))`)
    .orderBy('requested_at')
    .execute()
  return rows.map((row) => ({ customerNumber: row.customer_number, id: row.plan_id }))
}

type ForcedReturn = { time: Date; requested_by: string; reason: string }

/** When, by whom and why seats of a host were returned by force. The time of the step is that of the ledger entry. */
export async function listForcedReturns(
  db: Kysely<DB>,
  customerNumber: string,
  hostId: string,
): Promise<ForcedReturn[]> {
  const { rows } = await sql<ForcedReturn>`
    select s.done_at as time, p.requested_by, coalesce(p.request ->> 'reason', '') as reason
      from host_plan p join host_plan_step s using (customer_number, plan_id)
     where p.customer_number = ${customerNumber} and s.customer_number = ${customerNumber} and p.action = 'FORCE_RETURN'
       and p.request -> 'source' ->> 'serverId' = ${hostId}
       and s.step ->> 'kind' = 'return' and s.done_at is not null`.execute(db)
  return rows
}
