import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getPlan, previewPlan } from '#contract/activations/host-plans.ts'
import type { HostPlan, PlanPreview } from '#contract/activations/plan-fields.ts'
import { deactivateServer, rehostServer } from '#contract/activations/start-plans.ts'
import type { HostIdentity } from '#domain/activations/host.ts'
import { call } from '#web/lib/api-client.ts'
import { hostFields, reloadActivations } from '#web/modules/activations/activations.api.ts'
import { HISTORY_KEY } from '#web/modules/activations/history/host-history.api.ts'

/** What is to be done to a host: everything on it is returned, and with a target activated there. */
export type PlanRequest = {
  readonly customerNumber: string
  readonly host: HostIdentity
  readonly target: (HostIdentity & { readonly portNumber: number }) | undefined
}

export type Kept = readonly { readonly customerNumber: string; readonly id: string }[]
export type PlannedChange = PlanPreview['changes'][number]

function bodyOf({ customerNumber, host, target }: PlanRequest, kept: Kept) {
  const named = target && {
    serverName: target.serverName,
    serverId: target.serverId,
    serverIdType: target.serverIdType,
    portNumber: target.portNumber,
  }
  return { customerNumber, ...hostFields(host), kept: [...kept], ...(named && { target: named }) }
}

export function previewQuery(request: PlanRequest, kept: Kept) {
  const action = request.target ? 'REHOST' : 'DEACTIVATE'
  return queryOptions({
    queryKey: ['plan-preview', action, request, kept],
    queryFn: ({ signal }) => call(previewPlan, { body: { action, ...bodyOf(request, kept) }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

/** Begins the plan that was confirmed; the server carries it out. */
export function startPlan(request: PlanRequest, kept: Kept, basis: string, idempotencyKey: string): Promise<HostPlan> {
  const { target, ...body } = bodyOf(request, kept)
  return target
    ? call(rehostServer, { body: { ...body, target, basis }, idempotencyKey })
    : call(deactivateServer, { body: { ...body, basis }, idempotencyKey })
}

const POLL = 400

/** How far a plan is, again and again until it has ended. */
export function planQuery(customerNumber: string, plan: HostPlan | undefined) {
  return queryOptions({
    queryKey: ['host-plan', customerNumber, plan?.id ?? ''],
    queryFn: ({ signal }) => call(getPlan, { body: { customerNumber, id: plan?.id ?? '' }, signal }),
    enabled: plan !== undefined,
    refetchInterval: ({ state }) => (state.data?.finishedAt ? false : POLL),
    ...(plan && { initialData: plan }),
  })
}

/** After a change of seats: both tables, every opened host, and what other screens have loaded. */
export async function reloadHistory(queries: QueryClient): Promise<void> {
  await Promise.all([reloadActivations(queries), queries.invalidateQueries({ queryKey: [HISTORY_KEY] })])
}
