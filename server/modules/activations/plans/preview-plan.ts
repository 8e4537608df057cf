import type { previewPlan as operation, previewSave as saveOperation } from '#contract/activations/plans/host-plans.ts'
import type { PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import { can } from '#domain/access/can.ts'
import { HttpError } from '#server/http/http-error.ts'
import { toWireMember } from '#server/modules/activations/hosts/group-members.ts'
import { identityOf, readHost } from '#server/modules/activations/hosts/named-host.ts'
import { type PlannedFile, previewFile } from '#server/modules/activations/license-files/preview-file.ts'
import { draftDeactivation, draftForcedReturn, draftRehost } from '#server/modules/activations/plans/draft-move.ts'
import { draftRegeneration } from '#server/modules/activations/plans/draft-regeneration.ts'
import { draftRenewal } from '#server/modules/activations/plans/draft-renewal.ts'
import { planSeats } from '#server/modules/activations/plans/draft-save.ts'
import { toServer } from '#server/modules/activations/plans/host-plans.mapping.ts'
import {
  basisOf,
  type PlanDraft,
  type PlannedChange,
  seatDeltas,
} from '#server/modules/activations/plans/plan-draft.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** A renewal on all hosts can change very many files; nobody compares more than these. */
const MAX_FILES = 50

export async function previewPlan(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const draft = await makeDraft(call)
  const files: PlanPreview['files'] = []
  for (const file of draft.files.slice(0, MAX_FILES)) files.push(await toFile(call, file))
  return {
    data: {
      action: draft.action,
      basis: basisOf(draft),
      changes: draft.changes.map(toChange),
      endings: (draft.endings ?? []).map(({ host, ending, seats, unrenewed }) => ({
        server: toServer(host),
        activationid: ending.ActivationId,
        ansysproduct: ending.ProductName,
        enddate: ending.EndDate ?? '',
        count: seats,
        unrenewed,
      })),
      source: draft.request.source && toServer(draft.request.source),
      target: draft.request.target && toServer(draft.request.target),
      becomesInactive: draft.becomesInactive,
      leavingMembers: (draft.leavingMembers ?? []).map(toWireMember).map(({ customerNumber, customerName }) => ({
        customerNumber,
        customerName,
      })),
      mayOverrideMaintenance: draft.mayOverrideMaintenance,
      files,
      filesLeftOut: draft.files.length - files.length,
    },
  }
}

/** The license file after a save. */
export async function previewSave(call: Call<typeof saveOperation>): Promise<Result<typeof saveOperation>> {
  const { body } = call
  const named = readHost(body)
  const seats = await planSeats(call, { machine: named, mail: undefined, group: [] })
  const { customers, changes } = seats
  const file = { named, customers, isBorrowable: body.ansysborrowed, changes: seatDeltas(changes) }
  return { data: await previewFile(call, file) }
}

async function makeDraft(call: Call<typeof operation>): Promise<PlanDraft> {
  const { actor, body, refuse, standing } = call
  const { action, hostId, hostIdType, target, kept } = body
  if (action === 'RENEW') return draftRenewal(call, body)
  if (action === 'REGENERATE') return draftRegeneration(call)
  if (hostId === undefined || hostIdType === undefined) throw new HttpError(400, 'hostId and hostIdType are missing')
  const onHost = { hostId, hostIdType, ...(kept ? { kept } : {}) }
  if (action === 'DEACTIVATE') return draftDeactivation(call, onHost)
  if (action === 'FORCE_RETURN') {
    const decision = can(actor, 'activations.force-return', standing)
    return decision.allowed ? draftForcedReturn(call, onHost) : refuse(new HttpError(403, decision.reason))
  }
  if (target === undefined) throw new HttpError(400, 'target is missing')
  return draftRehost(call, { ...onHost, target })
}

function toChange(change: PlannedChange): PlanPreview['changes'][number] {
  const { fulfillments: _, server, ...row } = change
  return { ...row, server: toServer(server) }
}

async function toFile(call: Call<typeof operation>, file: PlannedFile): Promise<PlanPreview['files'][number]> {
  return {
    customerNumber: file.customers[0]?.customerNumber ?? '',
    server: identityOf(file.named),
    ...(await previewFile(call, file)),
  }
}
