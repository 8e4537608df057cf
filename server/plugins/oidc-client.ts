import type { FastifyInstance } from 'fastify'
import * as oidc from 'openid-client'
import { isStaffRole, type StaffRole } from '#domain/access/roles.ts'
import type { SignInConfig } from '#server/config.ts'

/** Discovers the provider when it is first needed, and forgets a failure so that the next sign-in tries again. */
export function providerOf(settings: SignInConfig, fetchBy?: oidc.CustomFetch): () => Promise<oidc.Configuration> {
  let discovered: Promise<oidc.Configuration> | undefined
  return () => {
    discovered ??= oidc
      .discovery(
        new URL(settings.issuer),
        settings.clientId,
        undefined,
        oidc.ClientSecretBasic(settings.clientSecret),
        {
          execute: settings.issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
          ...(fetchBy ? { [oidc.customFetch]: fetchBy } : {}),
        },
      )
      .catch((error: unknown) => {
        discovered = undefined
        throw error
      })
    return discovered
  }
}

/** The demo provider lives in this very process: asking it needs no port and no reachable address. */
export function fetchFromApp(app: FastifyInstance, origin: string): oidc.CustomFetch {
  return async (url, options) => {
    const answer = await app.inject({
      method: options.method as 'GET' | 'POST',
      url: url.slice(origin.length),
      headers: { ...(options.headers as Record<string, string>), host: new URL(origin).host },
      ...(options.body ? { payload: String(options.body) } : {}),
    })
    return new Response(answer.body, {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]),
    })
  }
}

export type Identity = { email: string; firstName: string; lastName: string; roles: StaffRole[] }

/** Who the provider says this is; a text is the reason why the portal does not believe it. */
export function identityOf(claims: oidc.IDToken, settings: SignInConfig): Identity | string {
  const email = typeof claims.email === 'string' ? claims.email.trim().toLowerCase() : ''
  if (!email) return 'The identity provider sent no e-mail address.'
  const verified = claims.email_verified === true || (claims.email_verified === undefined && settings.trustEmail)
  if (!verified) return `The identity provider has not verified the e-mail address ${email}.`
  const [first = '', ...rest] = text(claims.name).split(' ')
  return {
    email,
    firstName: text(claims.given_name) || first,
    lastName: text(claims.family_name) || rest.join(' '),
    roles: rolesOf(claims, settings),
  }
}

function rolesOf(claims: oidc.IDToken, settings: SignInConfig): StaffRole[] {
  if (!settings.roleClaim) return []
  const values = [claims[settings.roleClaim]].flat().map(String)
  const roles = values.map((value) => settings.roleMap.get(value) ?? value).filter(isStaffRole)
  return [...new Set(roles)]
}

const text = (claim: unknown): string => (typeof claim === 'string' ? claim.trim().slice(0, 200) : '')
