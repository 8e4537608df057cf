import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import * as oidc from 'openid-client'
import { RENEW_AFTER } from '#domain/access/roles.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import type { SignInConfig } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import type { Clock } from '#server/doors/clock.ts'
import {
  type DueSignInSession,
  isRenewing,
  postponeRenewal,
  saveClaimRoles,
  takeDueSignInSession,
} from '#server/identity/claim-roles.queries.ts'
import { rolesOf } from '#server/identity/oidc-claims.ts'
import { providerError } from '#server/identity/oidc-client.ts'
import { hashOfId } from '#server/identity/principal.queries.ts'
import { auditEndOfView, deleteSignInSession } from '#server/identity/sign-in-session.queries.ts'
import type { SignInTokens } from '#server/identity/sign-in-tokens.ts'

const MINUTE = 60_000
const RETRY_AFTER = MINUTE
/** Longer than discovery, refresh and keys may take together. If the process dies meanwhile, others wait this long. */
const LEASE = 45_000
const POLL = { every: 100, times: 100 }
/** Errors of the provider that mean that the person, not the portal, is no longer trusted. */
const REFUSALS = ['invalid_grant', 'access_denied', 'login_required', 'interaction_required', 'consent_required']

export type ClaimRoles = {
  /**
   * Requests the roles of a session from the provider, if they are due; concurrent calls share one request. Never
   * rejects.
   */
  renew(sessionId: string): Promise<void>
  /** Waits for the requests under way. */
  settle(): Promise<void>
}

type Needs = {
  db: Kysely<DB>
  clock: Clock
  tokens: SignInTokens
  settings: SignInConfig
  provider(): Promise<oidc.Configuration>
  log: FastifyBaseLogger
}

type Answer =
  | { refused: string }
  | { roles: string[]; idToken: Buffer | undefined; refreshToken: Buffer | undefined }
  | { error: unknown }

/** Keeps the staff roles that come from a claim as fresh as the provider allows. */
export function claimRoles({ db, clock, tokens, settings, provider, log }: Needs): ClaimRoles {
  const renewing = new Map<string, Promise<void>>()

  async function renew(sessionId: string): Promise<void> {
    const idHash = hashOfId(sessionId)
    const now = clock.now()
    const due = await takeDueSignInSession(db, idHash, {
      now,
      checkedBefore: new Date(now.getTime() - RENEW_AFTER),
      until: new Date(now.getTime() + LEASE),
    })
    if (!due) return waitForOther(idHash)
    const context = {
      at: now,
      email: due.email,
      principal: 'session' as const,
      address: 'identity provider',
      requestId: '',
    }
    const answer = await requestRoles(sessionId, due).catch((error: unknown): Answer => ({ error }))
    if ('error' in answer) {
      log.warn({ error: providerError(answer.error) }, 'the identity provider did not confirm roles')
      return postponeRenewal(db, idHash, new Date(now.getTime() + RETRY_AFTER))
    }
    await db.transaction().execute(async (tx) => {
      if ('refused' in answer) {
        const ended = await deleteSignInSession(tx, idHash)
        await auditEndOfView(tx, context, ended?.viewing)
        return writeAudit(tx, context, { action: 'sign-out' }, { outcome: 'refused', reason: answer.refused })
      }
      await saveClaimRoles(tx, idHash, { ...answer, checkedAt: now })
      if (String(answer.roles) !== String(due.claim_roles))
        await writeAudit(tx, context, { action: 'claim-roles', before: due.claim_roles, after: answer.roles })
    })
  }

  async function requestRoles(sessionId: string, due: DueSignInSession): Promise<Answer> {
    const refreshToken = tokens.open(sessionId, 'refresh token', due.refresh_token)
    if (refreshToken === undefined) return { refused: 'The refresh token of this session cannot be read' }
    const seal = (kind: 'id token' | 'refresh token', token: string | undefined) =>
      token === undefined ? undefined : tokens.seal(sessionId, kind, token)
    try {
      const renewed = await oidc.refreshTokenGrant(await provider(), refreshToken)
      const claims = renewed.claims()
      if (claims && claims.sub !== due.subject) return { refused: 'The identity provider confirmed another person' }
      return {
        // Without an ID token the provider has confirmed the person, but sent no new roles.
        roles: claims ? rolesOf(claims, settings) : due.claim_roles,
        idToken: seal('id token', renewed.id_token),
        refreshToken: seal('refresh token', renewed.refresh_token),
      }
    } catch (error) {
      if (error instanceof oidc.ResponseBodyError && REFUSALS.includes(error.error))
        return { refused: `The identity provider no longer confirms this person: ${error.error}` }
      throw error
    }
  }

  async function waitForOther(idHash: Buffer): Promise<void> {
    for (let time = 0; time < POLL.times && (await isRenewing(db, idHash, clock.now())); time++) await sleep(POLL.every)
  }

  return {
    renew(sessionId) {
      const known = renewing.get(sessionId)
      if (known) return known
      const begun = renew(sessionId)
        .catch((error: unknown) => log.error({ err: error }, 'roles were not renewed'))
        .finally(() => renewing.delete(sessionId))
      renewing.set(sessionId, begun)
      return begun
    },
    async settle() {
      await Promise.all(renewing.values())
    },
  }
}
