import type { HostPlan } from '#contract/activations/plans/plan-fields.ts'
import type { FailureCode } from '#contract/kit/failure-code.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { licenseRecipients } from '#domain/activations/license-files/license-file.ts'
import type { SeatStep } from '#domain/activations/plans/plan.ts'
import { planText } from '#domain/activations/seats/activation-texts.ts'
import type { PlanRow } from '#server/modules/activations/plans/host-plans.queries.ts'

export function toHostPlan(row: PlanRow): HostPlan {
  const { source, target } = row.request
  return {
    id: row.plan_id,
    action: row.action,
    state: row.state,
    text: row.next_step && row.finished_at === null ? planText(row.action, row.next_step, target) : '',
    step: row.next_step?.kind ?? null,
    done: row.done,
    total: row.total,
    amounts: row.amounts,
    source: source && toServer(source),
    target: target && toServer(target),
    requestedBy: row.requested_by,
    requestedAt: row.requested_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    serverIds: row.server_ids,
    licensed: row.licensed,
    mailedTo: mailedTo(row),
    failure: row.failure === null ? null : { code: row.failure_code as FailureCode, err: row.failure },
  }
}

function mailedTo({ sent_step, requested_by }: PlanRow): string[] {
  if (sent_step?.kind !== 'email') return []
  const { to, cc } = licenseRecipients(sent_step, requested_by)
  return [...to, ...cc]
}

/** What the steps have done to seats. */
export function toDoneChanges(steps: readonly SeatStep[]): NonNullable<HostPlan['changes']> {
  return steps.flatMap(({ kind, customerNumber, host, did = [] }) =>
    did.map(({ activationId, seats }) => ({
      kind: kind === 'return' ? ('deactivate' as const) : ('activate' as const),
      customerNumber,
      serverId: host.serverId,
      activationid: activationId,
      count: seats,
    })),
  )
}

export function toServer({ serverName, serverId, serverIdType }: HostIdentity) {
  return { serverName, serverId, serverIdType }
}
