import { sql } from 'kysely'
import { listServers, type Server } from '#contract/activations/hosts/servers.ts'
import type { HostPlan } from '#contract/activations/plans/plan-fields.ts'
import { serverEntitlements } from '#contract/activations/seats/activations.ts'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { type Checkpoint, carryOutPlan, hostPlansJob } from '#server/modules/activations/plans/carry-out-plan.ts'
import { type Call, rowsOf } from '#server/testing/activations.ts'
import { type Answer, type Portal, startPortal } from '#server/testing/portal.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

/** A portal whose plans wait until a test carries them out. */
export function startPlanPortal(settings: Record<string, string> = {}): Promise<Portal> {
  return startPortal(settings, { background: [{ ...hostPlansJob, run: async () => undefined }] })
}

export const planOf = (answer: Answer) => answer.body.data as HostPlan

/** Carries out the plan that was accepted. */
export async function carryOut(
  portal: Pick<Portal, 'db' | 'clock' | 'config'>,
  customerNumber: string,
  answer: Answer,
  checkpoint: Checkpoint = () => undefined,
): Promise<void> {
  if (answer.body.status !== 'SUCCESS') throw new Error(JSON.stringify(answer.body))
  await carryOutPlan({ ...portal, secrets: UNWRAPPED }, { customerNumber, id: planOf(answer).id }, checkpoint)
}

let hosts = 0
/** A host that no other test knows. */
export function newHost(serverName = 'lic-plan'): HostIdentity {
  return { serverName, serverId: `e${(++hosts).toString(16).padStart(11, '0')}`, serverIdType: 'ETHERNET' }
}

export function newTriad(): HostIdentity {
  const three = [newHost(), newHost(), newHost()]
  return {
    serverName: 'core-a,core-b,core-c',
    serverId: three.map(({ serverId }) => serverId).join(','),
    serverIdType: 'ETHERNET,ETHERNET,ETHERNET',
  }
}

export async function activate(call: Call, customerNumber: string, host: HostIdentity, seats: Record<string, number>) {
  const activations = Object.entries(seats).map(([id, count]) => ({ id, count }))
  const { body } = await call(createFulfillments, { body: { customerNumber, ...host, activations } })
  if (body.status !== 'SUCCESS') throw new Error(JSON.stringify(body))
}

/** Seats per entitlement that a customer has on a host. */
export async function seatsOn(call: Call, customerNumber: string, { serverId }: HostIdentity) {
  const answer = await call(serverEntitlements, { body: { customerNumber, serverId, activeOnly: true } })
  return Object.fromEntries(
    rowsOf(answer).map((row) => [
      row.ActivationId,
      row.AnsysFulfillments.reduce((sum, { FulfillCount }) => sum + FulfillCount, 0),
    ]),
  )
}

/** The state of a host in the account's list; undefined if it is not listed. */
export async function stateIn(call: Call, customerNumber: string, { serverId }: HostIdentity) {
  const { body } = await call(listServers, { body: { customerNumber } })
  return (body.data as Server[]).find(({ id }) => id === serverId)
}

/** Describes every broken rule of the ledger; empty if there is none. */
export async function brokenRules({ db }: Pick<Portal, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ broken: string }>`
    with sums as (
      select customer_number, activation_id, host_id_type, host_id, sum(fulfill_count) as seats from fulfillment
       group by 1, 2, 3, 4)
    select 'host_seats differs from the ledger: ' || coalesce(s.activation_id, k.activation_id) as broken
      from sums s full join host_seats k using (customer_number, activation_id, host_id_type, host_id)
     where s.seats is distinct from k.seats::bigint
    union all select 'below zero on a host: ' || activation_id from sums where seats < 0
    union all
    select 'activated_count differs from the ledger: ' || e.activation_id
      from entitlement e left join (select customer_number, activation_id, sum(seats) as seats from sums group by 1, 2) t
        using (customer_number, activation_id)
     where e.activated_count <> coalesce(t.seats, 0)
    union all
    select 'over its quantity: ' || e.activation_id from entitlement e
      left join (select customer_number, activation_id, sum(seats) as seats from reserved_seats group by 1, 2) r
        using (customer_number, activation_id)
     where e.activated_count + coalesce(r.seats, 0) > e.line_item_quantity
    union all
    select 'a deleted host holds seats: ' || h.host_id from host h
      join sums s using (customer_number, host_id_type, host_id) where h.removed_at is not null
     group by h.host_id having sum(s.seats) > 0
    union all
    select 'a finished plan holds something: ' || p.plan_id from host_plan p
     where p.state = 'done' and (p.plan_id in (select plan_id from reserved_seats)
        or p.plan_id in (select plan_id from busy_host))
    union all
    select 'a failed plan holds seats that it will never activate: ' || p.plan_id from host_plan p
     where p.state = 'failed' and p.plan_id in (select plan_id from reserved_seats)
       and p.plan_id not in (select plan_id from busy_host)`.execute(db)
  return rows.map(({ broken }) => broken)
}
