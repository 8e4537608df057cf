import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { planFilesName } from '#contract/activations/plans/host-plans.ts'
import type { HostPlan, PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { call, fetchFile } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { hostFields, reloadActivations } from '#web/modules/activations/activations.api.ts'
import { HISTORY_KEY } from '#web/modules/activations/history/host-history.api.ts'

type Target = HostIdentity & { readonly portNumber: number }

/** What is to be done to a host, or to all of the account. */
export type PlanRequest = { readonly customerNumber: string } & (
  | { readonly action: 'REHOST'; readonly host: HostIdentity; readonly target: Target }
  | { readonly action: 'DEACTIVATE' | 'FORCE_RETURN'; readonly host: HostIdentity }
  | { readonly action: 'RENEW'; readonly host: HostIdentity | undefined }
  | { readonly action: 'REGENERATE'; readonly host: undefined }
)

export type Kept = readonly { readonly customerNumber: string; readonly id: string; readonly hostId?: string }[]
export type PlannedChange = PlanPreview['changes'][number]

const targetFields = ({ serverName, serverId, serverIdType, portNumber }: Target) => ({
  serverName,
  serverId,
  serverIdType,
  portNumber,
})

export function previewQuery(request: PlanRequest, kept: Kept) {
  const { customerNumber, action, host } = request
  const target = action === 'REHOST' ? { target: targetFields(request.target) } : {}
  const body = { customerNumber, action, ...(host && hostFields(host)), ...target, kept: [...kept] }
  return queryOptions({
    ...query('fulfillments/plans/preview', { body }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

/** What a person has confirmed. */
export type Confirmed = { readonly kept: Kept; readonly basis: string; readonly reason: string }

/** Begins the plan that was confirmed; the server carries it out. */
export function startPlan(request: PlanRequest, confirmed: Confirmed, idempotencyKey: string): Promise<HostPlan> {
  const { customerNumber, action, host } = request
  const { basis, reason } = confirmed
  const kept = [...confirmed.kept]
  switch (action) {
    case 'REHOST': {
      const target = targetFields(request.target)
      const body = { customerNumber, ...hostFields(host), target, kept, basis }
      return call('fulfillments/rehost', { body, idempotencyKey })
    }
    case 'DEACTIVATE':
      return call('fulfillments/deactivate', {
        body: { customerNumber, ...hostFields(host), kept, basis },
        idempotencyKey,
      })
    case 'FORCE_RETURN':
      return call('fulfillments/forcereturn', {
        body: { customerNumber, ...hostFields(host), reason, basis },
        idempotencyKey,
      })
    case 'RENEW': {
      const body = { customerNumber, ...(host && hostFields(host)), kept, basis }
      return call('fulfillments/renew', { body, idempotencyKey })
    }
    case 'REGENERATE':
      return call('fulfillments/regenerate', { body: { customerNumber, basis }, idempotencyKey })
  }
}

const POLL = 400

/** How far a plan is, again and again until it has ended. */
export const planQuery = (customerNumber: string, plan: HostPlan | undefined) =>
  queryOptions({
    ...query('fulfillments/plan', { body: { customerNumber, id: plan?.id ?? '' } }),
    enabled: plan !== undefined,
    refetchInterval: ({ state }) => (state.data?.finishedAt ? false : POLL),
    ...(plan && { initialData: plan }),
  })

/** Downloads the license files of a plan as one zip file. Returns its name. */
export async function downloadPlanFiles(customerNumber: string, planId: string): Promise<string> {
  const name = planFilesName(customerNumber)
  saveFile(await fetchFile('fulfillments/plan/files', { body: { customerNumber, id: planId } }), name)
  return name
}

const PLANS = 'host-plans'
const SLOW_POLL = 1000

/** The plans of the account. They are polled while one of them is running. */
export function plansQuery(customerNumber: string) {
  return queryOptions({
    queryKey: [PLANS, customerNumber],
    queryFn: ({ signal }) => call('fulfillments/plans', { body: { customerNumber }, signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ finishedAt }) => finishedAt === null) ? SLOW_POLL : false),
  })
}

export function reloadPlans(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: [PLANS] })
}

/** After a change of seats: both tables, every opened host, plans, and what other screens have loaded. */
export async function reloadHistory(queries: QueryClient): Promise<void> {
  const history = queries.invalidateQueries({ queryKey: [HISTORY_KEY] })
  await Promise.all([reloadActivations(queries), history, reloadPlans(queries)])
}
