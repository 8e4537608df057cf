import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { saveRequestRules as operation, SavedRules } from '#contract/requests/requests.ts'
import type { DB } from '#server/db/schema.ts'
import { ConflictError } from '#server/http/http-error.ts'
import { loadRules, saveRules } from '#server/modules/requests/requests.queries.ts'
import { countSave, type Edited, findRevision } from '#server/operations/revisions.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const CHANGED_MEANWHILE = 'The rules for requests were changed by somebody else in the meantime.'

const edited = (customerNumber: string): Edited => ({ customerNumber, subject: 'request rules' })

export async function loadSavedRules(db: Kysely<DB>, customerNumber: string): Promise<SavedRules> {
  const revision = await findRevision(db, edited(customerNumber))
  return { ...(await loadRules(db, customerNumber)).rules, revision }
}

export async function saveRequestRules(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, standing } = call
  const { customerNumber } = standing
  const saved = await loadSavedRules(db, customerNumber)
  const { revision: stored, ...before } = saved
  if (body.revision === stored && isDeepStrictEqual(before, body.rules)) return { data: saved }
  const revision = await countSave(db, edited(customerNumber), body.revision)
  if (revision === undefined) {
    const current = await loadSavedRules(db, customerNumber)
    throw new ConflictError(CHANGED_MEANWHILE, { current, yours: body.rules })
  }
  await saveRules(db, customerNumber, body.rules, { email: actor.email, at: now })
  await call.audit({ before, after: body.rules })
  return { data: { ...body.rules, revision } }
}
