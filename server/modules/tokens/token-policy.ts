import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { SavedTokenPolicy, saveTokenPolicy } from '#contract/tokens/tokens.ts'
import { DEFAULT_POLICY } from '#domain/tokens/token-rules.ts'
import type { DB } from '#server/db/schema.ts'
import { ConflictError } from '#server/http/http-error.ts'
import { findTokenPolicy, lockApiTokens, saveTokenPolicyOf } from '#server/identity/api-tokens.queries.ts'
import { countSave, type Edited, findRevision } from '#server/operations/revisions.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const CHANGED_MEANWHILE = 'The policy for tokens was changed by somebody else in the meantime.'

const edited = (customerNumber: string): Edited => ({ customerNumber, subject: 'token policy' })

export async function loadPolicy(db: Kysely<DB>, customerNumber: string): Promise<SavedTokenPolicy> {
  const revision = await findRevision(db, edited(customerNumber))
  return { ...((await findTokenPolicy(db, customerNumber)) ?? DEFAULT_POLICY), revision }
}

export async function savePolicy(call: Call<typeof saveTokenPolicy>): Promise<Result<typeof saveTokenPolicy>> {
  const { body, db, standing } = call
  const { customerNumber } = standing
  await lockApiTokens(db, customerNumber)
  const saved = await loadPolicy(db, customerNumber)
  const { revision: _, ...before } = saved
  if (isDeepStrictEqual(before, body.policy)) return { data: saved }
  const revision = await countSave(db, edited(customerNumber), body.revision)
  if (revision === undefined) throw new ConflictError(CHANGED_MEANWHILE, { current: saved, yours: body.policy })
  await saveTokenPolicyOf(db, customerNumber, body.policy)
  await call.audit({ before, after: body.policy })
  return { data: { ...body.policy, revision } }
}
