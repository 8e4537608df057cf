import type { deleteDraft as deleteOperation, saveDraft as saveOperation } from '#contract/fsa/drafts.ts'
import type { WireOrderLine } from '#contract/fsa/order-entitlements.ts'
import { can, NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { lockContract } from '#server/modules/fsa/contracts.queries.ts'
import {
  type DraftRow,
  insertDraft,
  listDraftRows,
  lockDraft,
  removeDraft,
  updateDraft,
} from '#server/modules/fsa/drafts.queries.ts'
import {
  judgeDrafts,
  mayChangeDraft,
  NO_SUCH_DRAFT,
  requireRevision,
  seesDraft,
  toDraft,
} from '#server/modules/fsa/drafts.ts'
import type { Call, Result } from '#server/operations/route.ts'

const MAX_DRAFTS = 100

type SaveCall = Call<typeof saveOperation>

/** Saves an order for later. Lines need not be valid yet: the answer has their errors. */
export async function saveDraft(call: SaveCall): Promise<Result<typeof saveOperation>> {
  const { actor, body, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  const isBusops = can(actor, 'fsa.manual-lines', standing).allowed
  if (!isBusops && body.products.some(({ manualentry }) => manualentry))
    await call.refuse(new HttpError(403, NOT_ENOUGH_PERMISSIONS))
  // The lock also keeps the number of drafts exact.
  const contract = await lockContract(db, customerNumber, body.fsaID)
  if (!contract) throw new HttpError(404, `There is no FSA contract ${body.fsaID}`)
  const content = {
    fsa_id: body.fsaID,
    name: body.name,
    lines: JSON.stringify(body.products),
    saved_by: actor.email,
    saved_at: now,
  }
  const before = body.id === undefined ? undefined : await draftToChange(call, body.id, isBusops)
  if (!before && (await listDraftRows(db, customerNumber)).length >= MAX_DRAFTS)
    throw new BusinessRefusal('TOO_MANY_DRAFTS', `An account can have ${MAX_DRAFTS} drafts. Delete some of them first.`)
  const row = before ? await updateDraft(db, before, content) : await insertDraft(db, customerNumber, content)
  await call.audit({ target: row.draft_id, ...(before ? { before: toAudited(before) } : {}), after: toAudited(row) })
  const [draft] = await judgeDrafts(db, [row], { customerNumber, today: dayIn(timeZone, now), isBusops })
  return { data: toDraft(draft!) }
}

async function draftToChange(call: SaveCall, id: string, isBusops: boolean): Promise<DraftRow> {
  const { actor, body, db, standing } = call
  const found = await lockDraft(db, standing.customerNumber, id)
  const draft = requireRevision(found, isBusops, body.revision, { name: body.name, products: body.products })
  if (!mayChangeDraft(actor, standing, draft))
    await call.refuse(new HttpError(403, NOT_ENOUGH_PERMISSIONS), { target: id })
  return draft
}

export async function deleteDraft(call: Call<typeof deleteOperation>): Promise<Result<typeof deleteOperation>> {
  const { actor, body, db, standing } = call
  const draft = await lockDraft(db, standing.customerNumber, body.id)
  if (!draft || !seesDraft(can(actor, 'fsa.manual-lines', standing).allowed, draft))
    throw new HttpError(404, NO_SUCH_DRAFT)
  if (!mayChangeDraft(actor, standing, draft))
    await call.refuse(new HttpError(403, NOT_ENOUGH_PERMISSIONS), { target: body.id })
  await removeDraft(db, draft)
  await call.audit({ target: draft.draft_id, before: toAudited(draft) })
  return { data: null }
}

const toAudited = ({ fsa_id, name, revision, lines }: DraftRow) => ({
  fsaId: fsa_id,
  name,
  revision,
  lines: lines.map(({ ansysbpn, ansysquantity, startdate, enddate, ansysprice }: WireOrderLine) => ({
    ansysbpn,
    ansysquantity,
    startdate,
    enddate,
    ansysprice,
  })),
})
