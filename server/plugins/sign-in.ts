import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as oidc from 'openid-client'
import type { SignInConfig } from '#server/config.ts'
import { DEMO_COOKIE } from '#server/doors/demo-identity.ts'
import { writeAudit } from '#server/plugins/audit.queries.ts'
import { hashOfId } from '#server/plugins/caller.queries.ts'
import { refuseCrossSite } from '#server/plugins/cross-site.ts'
import { emailOf, identityOf } from '#server/plugins/oidc-claims.ts'
import { isProviderAway, providerFault } from '#server/plugins/oidc-client.ts'
import { safeReturnTo } from '#server/plugins/return-to.ts'
import type { Services } from '#server/plugins/services.ts'
import { cookieName, endSession, startSession } from '#server/plugins/session.ts'
import { keepAttempt, rememberPerson, takeAttempt } from '#server/plugins/sign-in.queries.ts'
import { providerUnavailable, refuseSignIn } from '#server/plugins/sign-in-answers.ts'

const ATTEMPT_LIFE = 10 * 60 * 1000
type Login = { Querystring: { login_hint?: string; returnTo?: string } }

export type SignIn = {
  settings: SignInConfig
  provider(): Promise<oidc.Configuration>
  /** Set when the provider is the demo one, in this process. */
  endDemoSession: ((sessionId: string) => void) | undefined
}

/** OpenID Connect, authorization code with PKCE, all of it on the server: the browser never sees a token. */
export function signInRoutes(app: FastifyInstance, services: Services, signIn: SignIn): void {
  const { config, db, clock } = services
  const callback = `${config.origin}/auth/callback`

  app.get<Login>('/auth/login', ROUTE, async (request, reply) => {
    let provider: oidc.Configuration
    try {
      provider = await signIn.provider()
    } catch (error) {
      return providerUnavailable(request, reply, error, request.url)
    }
    const hint = single(request.query.login_hint)
    // A named person begins anew: with a session of somebody else the provider would ask for confirmation.
    if (hint && signIn.endDemoSession) forgetDemoCookies(reply)
    const id = randomBytes(24).toString('base64url')
    const state = oidc.randomState()
    const nonce = oidc.randomNonce()
    const verifier = oidc.randomPKCECodeVerifier()
    const now = clock.now()
    const attempt = {
      id_hash: hashOfId(id),
      state,
      nonce,
      verifier,
      return_to: safeReturnTo(single(request.query.returnTo), config.origin),
      expires_at: new Date(now.getTime() + ATTEMPT_LIFE),
    }
    await keepAttempt(db, attempt, now)
    reply.setCookie(attemptCookie(config, state), id, { ...attemptOptions(config), maxAge: ATTEMPT_LIFE / 1000 })
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: callback,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(hint ? { login_hint: hint } : {}),
      ...(hint && signIn.endDemoSession ? { prompt: 'login' } : {}),
    })
    return reply.header('cache-control', 'no-store').redirect(url.href)
  })

  app.get('/auth/callback', ROUTE, async (request, reply) => {
    const address = new URL(request.url, config.origin)
    const name = attemptCookie(config, address.searchParams.get('state') ?? '')
    const id = request.cookies[name]
    const attempt = id ? await takeAttempt(db, hashOfId(id)) : undefined
    reply.clearCookie(name, attemptOptions(config))
    if (!attempt || attempt.expires_at <= clock.now())
      return refuseSignIn(request, reply, 400, 'This sign-in has expired or was already used.')
    let claims: oidc.IDToken | undefined
    try {
      claims = await exchange(address, attempt)
    } catch (error) {
      return notConfirmed(request, reply, error, attempt.return_to)
    }
    if (!claims) throw new Error('openid-client answered without an ID token')
    const who = identityOf(claims, signIn.settings)
    const context = (email: string) => ({ at: clock.now(), email, address: request.ip, requestId: request.id })
    if (typeof who === 'string') {
      await writeAudit(
        db,
        context(emailOf(claims) ?? 'Unknown'),
        { action: 'sign-in' },
        { outcome: 'refused', reason: who },
      )
      return refuseSignIn(request, reply, 403, who)
    }
    await rememberPerson(db, { ...who, at: clock.now() })
    await startSession(services, reply, who.email, who.roles)
    await writeAudit(db, context(who.email), { action: 'sign-in' })
    return reply.header('cache-control', 'no-store').redirect(attempt.return_to)
  })

  async function exchange(address: URL, attempt: { verifier: string; state: string; nonce: string }) {
    const tokens = await oidc.authorizationCodeGrant(await signIn.provider(), address, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    })
    return tokens.claims()
  }

  /** Answers where to go next: the provider's own sign-out, so that its session ends as well. */
  app.post('/auth/logout', { schema: { hide: true } }, async (request, reply) => {
    refuseCrossSite(request, config)
    const email = await endSession(services, request, reply)
    if (email)
      await writeAudit(
        db,
        { at: clock.now(), email, address: request.ip, requestId: request.id },
        { action: 'sign-out' },
      )
    return { status: 'SUCCESS', data: { location: await leaveProvider(request, reply, email) } }
  })

  async function leaveProvider(
    request: FastifyRequest,
    reply: FastifyReply,
    email: string | undefined,
  ): Promise<string> {
    if (signIn.endDemoSession) {
      const demoSession = request.cookies[DEMO_COOKIE]
      if (demoSession) signIn.endDemoSession(demoSession)
      forgetDemoCookies(reply)
      return '/'
    }
    const provider = await signIn.provider().catch(() => undefined)
    if (!provider?.serverMetadata().end_session_endpoint) return '/'
    return oidc.buildEndSessionUrl(provider, {
      post_logout_redirect_uri: `${config.origin}/`,
      ...(email ? { logout_hint: email } : {}),
    }).href
  }
}

const ROUTE = {
  schema: { hide: true },
  // Either call changes something, so a HEAD, which browsers and scanners send to look, must not make it.
  exposeHeadRoute: false,
  // Signing in is a matter of a few calls; a flood of them is somebody guessing.
  config: { rateLimit: { max: 120, timeWindow: 60_000 } },
}

/** Several tabs may sign in at once, each with an attempt of its own. */
function attemptCookie(config: Services['config'], state: string): string {
  return cookieName(config, `sign_in_${state.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 12)}`)
}

function attemptOptions(config: Services['config']) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: config.origin.startsWith('https:') } as const
}

function forgetDemoCookies(reply: FastifyReply): void {
  for (const name of [DEMO_COOKIE, `${DEMO_COOKIE}.sig`]) reply.clearCookie(name, { path: '/' })
}

const single = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 2000 ? value : undefined

function notConfirmed(request: FastifyRequest, reply: FastifyReply, error: unknown, returnTo: string) {
  if (isProviderAway(error))
    return providerUnavailable(request, reply, error, `/auth/login?returnTo=${encodeURIComponent(returnTo)}`)
  request.log.warn({ fault: providerFault(error) }, 'sign-in failed')
  return refuseSignIn(request, reply, 400, 'The identity provider did not confirm this sign-in.')
}
