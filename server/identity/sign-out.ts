import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as oidc from 'openid-client'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { DEMO_COOKIE } from '#server/doors/demo-store.ts'
import { success } from '#server/http/envelope.ts'
import type { AccountProviders } from '#server/identity/account-providers.ts'
import { providerError, type SignIn } from '#server/identity/oidc-client.ts'
import { providerName, refuseCrossSite } from '#server/identity/principal.ts'
import { auditEndOfView } from '#server/identity/sign-in-session.queries.ts'
import { type EndedSignInSession, endSignInSession, forgetCookie } from '#server/identity/sign-in-session.ts'
import type { Services } from '#server/services.ts'

/** Returns where to go next: the provider's own sign-out, so that its session ends as well. */
export function signOutRoute(
  app: FastifyInstance,
  services: Services,
  signIn: SignIn,
  accountProviders: AccountProviders,
): void {
  const { config } = services
  app.post('/auth/logout', { schema: { hide: true } }, async (request, reply) => {
    refuseCrossSite(request, config)
    forgetCookie(config, reply)
    const ended = await endSignInSessionOfRequest(request, services, signIn)
    return success({ data: { location: await leaveProvider(request, reply, ended) } })
  })

  async function leaveProvider(request: FastifyRequest, reply: FastifyReply, ended: EndedSignInSession | undefined) {
    const account = ended?.accountProvider ?? null
    if (signIn.endDemoSession && account === null) {
      const demoSession = request.cookies[DEMO_COOKIE]
      if (demoSession) await signIn.endDemoSession(demoSession)
      forgetDemoCookies(reply)
      return '/'
    }
    const loading =
      account === null ? signIn.provider() : accountProviders.load(account).then((one) => one?.configuration())
    const provider = await loading.catch(() => undefined)
    if (!provider?.serverMetadata().end_session_endpoint) return '/'
    return oidc.buildEndSessionUrl(provider, {
      post_logout_redirect_uri: `${config.origin}/`,
      // Okta and others do not end the session without it.
      ...(ended?.idToken ? { id_token_hint: ended.idToken } : {}),
      ...(ended ? { logout_hint: ended.email } : {}),
    }).href
  }
}

/** Ends the session that a request came with, if any; at the provider its refresh token ends too. */
export async function endSignInSessionOfRequest(
  request: FastifyRequest,
  services: Services,
  signIn: SignIn,
): Promise<EndedSignInSession | undefined> {
  const ended = await endSignInSession(services, request)
  if (!ended) return undefined
  const context = {
    at: services.clock.now(),
    email: ended.email,
    principal: 'session' as const,
    ...(ended.accountProvider === null ? {} : { credential: providerName(ended.accountProvider) }),
    address: request.ip,
    requestId: request.id,
    program: request.headers['user-agent'],
  }
  await auditEndOfView(services.db, context, ended.viewing)
  const on = ended.accountProvider === null ? {} : { customerNumber: ended.accountProvider }
  await writeAudit(services.db, context, { action: 'sign-out', ...on })
  // Not awaited: without its session the token is of no use here.
  if (ended.refreshToken !== undefined)
    revoke(ended.refreshToken, signIn).catch((error: unknown) =>
      request.log.warn({ error: providerError(error) }, 'a refresh token was not revoked'),
    )
  return ended
}

async function revoke(refreshToken: string, signIn: SignIn): Promise<void> {
  const provider = await signIn.provider()
  if (provider.serverMetadata().revocation_endpoint) await oidc.tokenRevocation(provider, refreshToken)
}

export function forgetDemoCookies(reply: FastifyReply): void {
  for (const name of [DEMO_COOKIE, `${DEMO_COOKIE}.sig`]) reply.clearCookie(name, { path: '/' })
}
