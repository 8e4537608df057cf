import { randomUUID } from 'node:crypto'
import type { removeRenewalPlan as Remove, saveRenewalPlan as Save, SavedPlan } from '#contract/planner/planner.ts'
import { BusinessRefusal, ConflictError, HttpError } from '#server/http/http-error.ts'
import { loadPlanner, readEnds, readRange } from '#server/modules/planner/load-planner.ts'
import {
  findPlan,
  insertPlan,
  listPlanRows,
  type PlanRow,
  removePlan,
  updatePlan,
} from '#server/modules/planner/planner.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const MAX_PLANS = 100
export const NO_SUCH_PLAN = 'There is no such plan.'
const CHANGED_MEANWHILE = 'Somebody else has saved this plan in the meantime.'

export const toSavedPlan = (row: PlanRow): SavedPlan => ({
  id: row.plan_id,
  name: row.name,
  from: row.measured_from,
  to: row.measured_to,
  endsFrom: row.ends_from,
  endsBy: row.ends_by,
  lines: row.lines,
  savedBy: row.saved_by,
  savedAt: row.saved_at.toISOString(),
  revision: row.revision,
})

/** Seats of today and prices are those of the server, not of the caller. */
export async function saveRenewalPlan(call: Call<typeof Save>): Promise<Result<typeof Save>> {
  const { actor, body, db, now, standing } = call
  const { customerNumber } = standing
  const range = readRange(call)
  const { endsFrom, endsBy } = readEnds(body)
  const products = new Map((await loadPlanner(call, { ...range, endsFrom, endsBy })).map((one) => [one.product, one]))
  const lines = body.lines.map(({ product, seats }): SavedPlan['lines'][number] => {
    const known = products.get(product)
    if (!known) throw new BusinessRefusal('UNKNOWN_PRODUCT', `This account has no ${product} for license servers.`)
    const { partNumber, bought, staying, unitCost, currency, duration } = known
    return { product, seats, partNumber, bought, staying, unitCost, currency, duration }
  })
  const content = {
    name: body.name,
    measured_from: range.from,
    measured_to: range.to,
    ends_from: endsFrom ?? null,
    ends_by: endsBy ?? null,
    lines: JSON.stringify(lines),
    saved_by: actor.email,
    saved_at: now,
  }
  const row = body.id === undefined ? await addPlan(call, content) : await changePlan(call, body.id, content)
  await call.audit({ target: row.plan_id, after: { name: row.name, revision: row.revision, lines: body.lines } })
  return { data: toSavedPlan(row) }

  async function addPlan({ db: tx }: typeof call, added: typeof content): Promise<PlanRow> {
    if ((await listPlanRows(tx, customerNumber)).length >= MAX_PLANS)
      throw new BusinessRefusal('TOO_MANY_PLANS', `An account can have ${MAX_PLANS} plans. Remove some of them first.`)
    return insertPlan(tx, { customer_number: customerNumber, plan_id: randomUUID(), ...added })
  }

  async function changePlan({ db: tx }: typeof call, id: string, changed: typeof content): Promise<PlanRow> {
    const saved = await updatePlan(tx, { customerNumber, id, revision: body.revision ?? 0 }, changed)
    if (saved) return saved
    const current = await findPlan(db, customerNumber, id)
    if (!current) throw new HttpError(404, NO_SUCH_PLAN)
    throw new ConflictError(CHANGED_MEANWHILE, { current: toSavedPlan(current), yours: body.lines })
  }
}

export async function removeRenewalPlan({
  audit,
  body,
  db,
  standing,
}: Call<typeof Remove>): Promise<Result<typeof Remove>> {
  const name = await removePlan(db, standing.customerNumber, body.id)
  if (name === undefined) throw new HttpError(404, NO_SUCH_PLAN)
  await audit({ target: body.id, before: { name } })
  return { data: null }
}
