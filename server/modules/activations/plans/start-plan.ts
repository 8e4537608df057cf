import { randomUUID } from 'node:crypto'
import type { HostPlan } from '#contract/activations/plans/plan-fields.ts'
import type * as start from '#contract/activations/plans/start-plans.ts'
import type { OperationName } from '#contract/operations.ts'
import { busyText, NO_FILE_OUT_OF_DATE, NOTHING_TO_DO, NOTHING_TO_RENEW } from '#domain/activations/plans/host-plan.ts'
import { MAINTENANCE_EXPIRED, maintenanceObstacles } from '#domain/activations/seats/expired-maintenance.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import type { Machine } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readMachine } from '#server/modules/activations/hosts/named-host.ts'
import { inCatalog } from '#server/modules/activations/license-files/generate-license.ts'
import { loadUnseated } from '#server/modules/activations/license-files/license-files.queries.ts'
import { hostPlansJob } from '#server/modules/activations/plans/carry-out-plan.ts'
import { checkSave, draftSave, type SaveCall } from '#server/modules/activations/plans/draft-save.ts'
import { toHostPlan } from '#server/modules/activations/plans/host-plans.mapping.ts'
import {
  claimHosts,
  findReserved,
  insertPlan,
  listPlanRows,
} from '#server/modules/activations/plans/host-plans.queries.ts'
import { basisOf, type PlanDraft, type StoredDraft } from '#server/modules/activations/plans/plan-draft.ts'
import { refuseOtherBasis } from '#server/modules/activations/plans/save-basis.ts'
import { lockEntitlements } from '#server/modules/entitlements/entitlements.public.ts'
import { auditContext } from '#server/operations/guard.ts'
import type { Call } from '#server/operations/route.ts'

type MoveCall = Call<
  | typeof start.rehostServer
  | typeof start.deactivateServer
  | typeof start.forceReturn
  | typeof start.renewEntitlements
  | typeof start.regenerateFiles
>
type StartCall = Pick<MoveCall, 'db' | 'now' | 'request' | 'services' | 'standing' | 'audit'>

const CHANGED =
  'The activations of this license server have changed in the meantime. Check the changes again before you confirm them.'

/** Starts a plan that a person has previewed, unless it would now change something else. */
export function startMove(
  call: MoveCall,
  operation: OperationName,
  makeDraft: () => Promise<PlanDraft>,
): Promise<{ data: HostPlan }> {
  return startPlan(call, operation, makeDraft, async (draft) => {
    const { basis } = call.body
    if (basis !== undefined && basis !== basisOf(draft)) throw new HttpError(409, CHANGED)
    refuseDraft(draft)
    await refuseTakenSeats(call, draft)
    return draft.changes.filter((one) => one.isTicked && one.isMaintenanceExpired).map((one) => one.activationid)
  })
}

/** Starts a save. The customer of its first element is the one whose plan it is. */
export function startSave(
  call: Call<typeof start.saveActivations>,
  operation: OperationName,
): Promise<{ data: HostPlan }> {
  const standing = call.standings.get(call.body.customers[0]?.customerNumber ?? '')
  if (!standing) throw new Error('The guard has let a save pass without a customer')
  const saveCall: SaveCall = { ...call, standing }
  return startPlan(
    saveCall,
    operation,
    () => draftSave(saveCall),
    async (draft) => {
      await refuseOtherBasis(saveCall, draft)
      return checkSave(saveCall, draft)
    },
  )
}

/**
 * Accepts a plan: stores it with its steps, claims its hosts and seats, and queues its job. The draft is made again
 * once the hosts are claimed, because other plans can no longer change its facts then. `check` refuses it, or answers
 * the entitlements whose expired maintenance is overridden.
 */
async function startPlan<D extends StoredDraft>(
  call: StartCall,
  operation: OperationName,
  makeDraft: () => Promise<D>,
  check: (draft: D) => Promise<readonly string[]>,
): Promise<{ data: HostPlan }> {
  const { db, now, request, services, standing } = call
  const key = { customerNumber: standing.customerNumber, id: randomUUID() }
  const first = await makeDraft()
  await takeHosts(call, key.id, first)
  const draft = await makeDraft()
  if (basisOf(first) !== basisOf(draft)) throw new HttpError(409, CHANGED)
  const overridden = new Set(await check(draft))
  await refuseUnknownProducts(call, draft)

  const { at: _, ...from } = auditContext(services, request, request.principal)
  const origin = { ...from, operation }
  const { action, request: about, steps, reserved } = draft
  await insertPlan(db, { key, action, request: about, origin, at: now, steps, reserved })
  await services.jobs.send(db, hostPlansJob, key)
  const ticked = draft.changes.filter(({ isTicked }) => isTicked)
  await call.audit({
    customerNumber: key.customerNumber,
    target: about.source?.serverId ?? '',
    after: {
      plan: key.id,
      ...(about.target ? { target: about.target.serverId } : {}),
      ...(about.reason === undefined ? {} : { reason: about.reason }),
      customers: about.customers,
      changes: ticked.map(({ kind, customerNumber, server, activationid, count }) => ({
        kind,
        customerNumber,
        serverId: server.serverId,
        id: activationid,
        count,
      })),
      ...(overridden.size ? { maintenanceOverridden: [...overridden] } : {}),
    },
  })
  const [row] = await listPlanRows(db, key.customerNumber, key.id)
  if (!row) throw new Error(`The plan ${key.id} was not stored`)
  return { data: toHostPlan(row) }
}

async function takeHosts({ db }: StartCall, planId: string, { machines, request, steps }: StoredDraft): Promise<void> {
  const [busy] = await claimHosts(db, planId, machines)
  if (!busy) return
  const hosts = [request.source, request.target, ...steps.map(({ host }) => host)].filter((one) => one !== null)
  const host = hosts.find(({ serverId, serverIdType }) => isSame(readMachine(serverId, serverIdType), busy.machine))
  throw new BusinessRefusal('HOST_BUSY', host ? busyText(host) : NOTHING_TO_DO)
}

const isSame = (one: Machine, other: Machine) =>
  one.hostIdType === other.hostIdType && one.machineId === other.machineId

function refuseDraft({ action, changes, steps, mayOverrideMaintenance }: PlanDraft): void {
  if (action === 'REGENERATE') {
    if (steps.length === 0) throw new BusinessRefusal('NOTHING_TO_DO', NO_FILE_OUT_OF_DATE)
    return
  }
  if (action !== 'FORCE_RETURN' && maintenanceObstacles(changes, mayOverrideMaintenance).length > 0)
    throw new BusinessRefusal('MAINTENANCE_EXPIRED', MAINTENANCE_EXPIRED)
  const ticked = changes.filter(({ isTicked }) => isTicked)
  if (ticked.length > 0 && (action !== 'REHOST' || ticked.some(({ kind }) => kind === 'activate'))) return
  throw new BusinessRefusal(
    'NOTHING_TO_DO',
    action === 'RENEW' && changes.length === 0 ? NOTHING_TO_RENEW : NOTHING_TO_DO,
  )
}

/** Seats must not go where no license file can be made for them. */
async function refuseUnknownProducts({ db }: StartCall, { changes }: StoredDraft): Promise<void> {
  const arriving = changes.filter(({ isTicked, kind }) => isTicked && kind === 'activate')
  for (const [customerNumber, own] of Map.groupBy(arriving, (one) => one.customerNumber)) {
    const ids = [...new Set(own.map(({ activationid }) => activationid))]
    for (const activation of await loadUnseated(db, customerNumber, ids)) inCatalog(activation)
  }
}

/** Seats of renewals must be free at this moment; from then on the plan holds them. */
async function refuseTakenSeats({ db, standing }: StartCall, { reserved }: PlanDraft): Promise<void> {
  const wanted = reserved.filter(({ seats }) => seats > 0)
  if (wanted.length === 0) return
  const ids = wanted.map(({ activationId }) => activationId)
  const entitlements = await lockEntitlements(db, standing.customerNumber, ids)
  const taken = await findReserved(db, standing.customerNumber, ids)
  for (const { activationId, seats } of wanted) {
    const one = entitlements.get(activationId)
    const free = one ? one.line_item_quantity - one.activated_count - (taken.get(activationId) ?? 0) : 0
    if (free < seats) throw new HttpError(409, CHANGED)
  }
}
