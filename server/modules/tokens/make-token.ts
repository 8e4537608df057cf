import { randomUUID } from 'node:crypto'
import type { createToken, revokeToken, rollToken } from '#contract/tokens/tokens.ts'
import { isTokenScope } from '#domain/tokens/token-areas.ts'
import {
  DAY,
  DEFAULT_OVERLAP,
  DEFAULT_POLICY,
  endOfOverlap,
  MAX_TOKENS,
  type NewToken,
  newTokenErrors,
  tidiedAddresses,
  tokenState,
} from '#domain/tokens/token-rules.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import {
  countUsableApiTokens,
  findApiTokenById,
  findTokenPolicy,
  insertApiToken,
  lockApiTokens,
  replaceApiToken,
  revokeApiToken,
} from '#server/identity/api-tokens.queries.ts'
import { createApiToken } from '#server/identity/api-tokens.ts'
import type { Call, Result } from '#server/operations/route.ts'

const NO_SUCH_TOKEN = 'There is no such token.'

type MakingCall = Pick<Call<typeof createToken> | Call<typeof rollToken>, 'actor' | 'db' | 'now' | 'standing'>

export async function create(call: Call<typeof createToken>): Promise<Result<typeof createToken>> {
  const { body, db, now, standing } = call
  const { customerNumber } = standing
  await lockApiTokens(db, customerNumber)
  if ((await countUsableApiTokens(db, customerNumber, now)) >= MAX_TOKENS)
    throw new BusinessRefusal('TOO_MANY_TOKENS', `An account can have ${MAX_TOKENS} tokens. Revoke one first.`)
  const { name, scopes, days, addresses = [] } = body
  const { after, ...made } = await make(call, { name, scopes, days, addresses })
  await call.audit({ target: made.id, after })
  return { data: made }
}

export async function roll(call: Call<typeof rollToken>): Promise<Result<typeof rollToken>> {
  const { body, db, now, standing } = call
  const { customerNumber } = standing
  await lockApiTokens(db, customerNumber)
  const old = await findApiTokenById(db, customerNumber, body.id)
  if (!old) throw new HttpError(404, NO_SUCH_TOKEN)
  const state = tokenState(
    { expires: old.expires_at, revoked: old.revoked_at, isReplaced: old.replaced_by !== null },
    now,
  )
  if (state !== 'Active')
    throw new BusinessRefusal('TOKEN_NOT_ACTIVE', `This token is ${state.toLowerCase()}. Create a new token instead.`)
  const { name, addresses } = old
  const scopes = old.scopes.filter(isTokenScope)
  const { after, ...made } = await make(call, { name, scopes, days: body.days, addresses })
  const endsAt = endOfOverlap(old.expires_at, now, body.overlapHours ?? DEFAULT_OVERLAP)
  await replaceApiToken(db, old, { by: made.id, endsAt })
  await call.audit({
    target: made.id,
    before: { id: old.id, expires: old.expires_at.toISOString() },
    after: { ...after, oldExpires: endsAt.toISOString() },
  })
  return { data: made }
}

/** The caller becomes the owner. */
async function make({ actor, db, now, standing }: MakingCall, token: NewToken) {
  const { customerNumber } = standing
  const policy = (await findTokenPolicy(db, customerNumber)) ?? DEFAULT_POLICY
  const [error] = Object.values(newTokenErrors(token, policy))
  if (error !== undefined) throw new HttpError(400, error)
  const { token: text, secretHash } = createApiToken()
  const id = randomUUID()
  const expires = new Date(now.getTime() + token.days * DAY)
  const row = {
    name: token.name,
    scopes: token.scopes.toSorted(),
    addresses: tidiedAddresses(token.addresses),
  }
  await insertApiToken(db, {
    ...row,
    customer_number: customerNumber,
    id,
    secret_hash: secretHash,
    owner: actor.email,
    created_at: now,
    expires_at: expires,
  })
  return { id, token: text, expires: expires.toISOString(), after: { ...row, expires: expires.toISOString() } }
}

export async function revoke(call: Call<typeof revokeToken>): Promise<Result<typeof revokeToken>> {
  const { body, db, now, standing } = call
  const token = await revokeApiToken(db, standing.customerNumber, body.id, now)
  if (!token) throw new HttpError(404, NO_SUCH_TOKEN)
  await call.audit({ target: body.id, before: { name: token.name, owner: token.owner } })
  return { data: null }
}
