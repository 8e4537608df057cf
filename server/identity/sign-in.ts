import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as oidc from 'openid-client'
import { codeOfStatus } from '#contract/kit/failure-code.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { failure } from '#server/http/envelope.ts'
import { escapeHtml, page } from '#server/http/plain-page.ts'
import { emailOf, identityOf } from '#server/identity/oidc-claims.ts'
import { isProviderAway, providerError, type SignIn } from '#server/identity/oidc-client.ts'
import { hashOfId } from '#server/identity/principal.queries.ts'
import { keepAttempt, rememberPerson, takeAttempt } from '#server/identity/sign-in-session.queries.ts'
import { ABSOLUTE_LIMIT, cookieName, startSignInSession } from '#server/identity/sign-in-session.ts'
import { endSignInSessionOfRequest, forgetDemoCookies, signOutRoute } from '#server/identity/sign-out.ts'
import type { Services } from '#server/services.ts'

const ATTEMPT_LIFE = 10 * 60 * 1000
/** In seconds: a fresh sign-in asks the person anew, unless they have just been asked. */
const FRESH = 60
type Login = { Querystring: { login_hint?: string; returnTo?: string; fresh?: string } }

/** OpenID Connect, authorization code with PKCE, all of it on the server: the browser never sees a token. */
export function signInRoutes(app: FastifyInstance, services: Services, signIn: SignIn): void {
  const { config, db, clock } = services
  const { roleClaim } = signIn.settings
  const callback = `${config.origin}/auth/callback`
  signOutRoute(app, services, signIn)

  app.get<Login>('/auth/login', ROUTE, async (request, reply) => {
    let provider: oidc.Configuration
    try {
      provider = await signIn.provider()
    } catch (error) {
      return providerUnavailable(request, reply, error, request.url)
    }
    const hint = single(request.query.login_hint)
    // A named person starts without the provider's session: with another person's session it would ask for
    // confirmation.
    if (hint && signIn.endDemoSession) forgetDemoCookies(reply)
    const id = randomBytes(24).toString('base64url')
    const state = oidc.randomState()
    const nonce = oidc.randomNonce()
    const verifier = oidc.randomPKCECodeVerifier()
    const isFresh = request.query.fresh === '1'
    const now = clock.now()
    const attempt = {
      id_hash: hashOfId(id),
      state,
      nonce,
      verifier,
      return_to: safeReturnTo(single(request.query.returnTo), config.origin),
      max_age: isFresh ? FRESH : null,
      expires_at: new Date(now.getTime() + ATTEMPT_LIFE),
    }
    await keepAttempt(db, attempt, now)
    reply.setCookie(attemptCookie(config, state), id, { ...attemptOptions(config), maxAge: ATTEMPT_LIFE / 1000 })
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: callback,
      scope: scopeOf(provider, roleClaim),
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...maxAgeOf(config, isFresh),
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
    let tokens: Awaited<ReturnType<typeof exchange>>
    try {
      tokens = await exchange(address, attempt)
    } catch (error) {
      return notConfirmed(request, reply, error, attempt.return_to)
    }
    const { claims, idToken, refreshToken } = tokens
    const authenticatedAt = typeof claims.auth_time === 'number' ? new Date(claims.auth_time * 1000) : null
    const who = identityOf(claims, signIn.settings)
    const context = (email: string) => ({
      at: clock.now(),
      email,
      principal: 'session' as const,
      address: request.ip,
      requestId: request.id,
      program: request.headers['user-agent'],
    })
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
    // The previous session of this browser ends, so that nobody who knows its id can use the new one (session
    // fixation).
    await endSignInSessionOfRequest(request, services, signIn)
    await startSignInSession(services, reply, { ...who, subject: claims.sub, idToken, refreshToken, authenticatedAt })
    await writeAudit(db, context(who.email), { action: 'sign-in' })
    return reply.header('cache-control', 'no-store').redirect(attempt.return_to)
  })

  async function exchange(address: URL, attempt: Attempt) {
    const tokens = await oidc.authorizationCodeGrant(await signIn.provider(), address, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
      // Whoever controls the address bar could remove max_age from the request: the answer is checked as well.
      ...(attempt.max_age === null ? {} : { maxAge: attempt.max_age }),
    })
    const claims = tokens.claims()
    if (!claims || !tokens.id_token) throw new Error('openid-client let an answer without an ID token pass')
    return { claims, idToken: tokens.id_token, refreshToken: roleClaim ? tokens.refresh_token : undefined }
  }
}

type Attempt = { verifier: string; state: string; nonce: string; max_age: number | null }

/** Asked for a `max_age`, a provider says when it last asked the person (auth_time). */
function maxAgeOf({ freshSignInMinutes }: Services['config'], isFresh: boolean): { max_age?: string } {
  if (isFresh) return { max_age: String(FRESH) }
  return freshSignInMinutes > 0 ? { max_age: String(ABSOLUTE_LIMIT / 1000) } : {}
}

const ROUTE = {
  schema: { hide: true },
  // Both calls change something, so a HEAD request, which browsers and scanners send, must not run them.
  exposeHeadRoute: false,
  // A sign-in takes a few calls; many calls indicate guessing.
  config: { rateLimit: { max: 120, timeWindow: 60_000 } },
}

/** With a role claim, requests a refresh token if the provider supports them: the roles are read again with it. */
function scopeOf(provider: oidc.Configuration, roleClaim: string | undefined): string {
  const mayRefresh = roleClaim && provider.serverMetadata().scopes_supported?.includes('offline_access')
  return mayRefresh ? 'openid email profile offline_access' : 'openid email profile'
}

/** Several tabs may sign in at once, each with a separate attempt. */
function attemptCookie(config: Services['config'], state: string): string {
  return cookieName(config, `sign_in_${state.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 12)}`)
}

function attemptOptions(config: Services['config']) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: config.origin.startsWith('https:') } as const
}

const single = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 2000 ? value : undefined

function notConfirmed(request: FastifyRequest, reply: FastifyReply, error: unknown, returnTo: string) {
  if (isProviderAway(error))
    return providerUnavailable(request, reply, error, `/auth/login?returnTo=${encodeURIComponent(returnTo)}`)
  request.log.warn({ error: providerError(error) }, 'sign-in failed')
  return refuseSignIn(request, reply, 400, 'The identity provider did not confirm this sign-in.')
}

/** A sign-in that was refused: a page for people, the usual error for programs. */
function refuseSignIn(request: FastifyRequest, reply: FastifyReply, status: 400 | 403, reason: string) {
  return answer(request, reply, status, {
    title: 'Sign-in did not finish',
    err: reason,
    text: `${reason} Nothing was changed.`,
    link: { to: '/auth/login', text: 'Sign in again' },
  })
}

function providerUnavailable(request: FastifyRequest, reply: FastifyReply, error: unknown, retry: string) {
  request.log.error({ error: providerError(error) }, 'the identity provider does not answer')
  const err = `The identity provider does not answer. Please try again. reference id [${request.id}]`
  return answer(request, reply, 503, {
    title: 'Sign-in is not available',
    err,
    text: err,
    link: { to: retry, text: 'Retry' },
  })
}

type Content = { title: string; err: string; text: string; link: { to: string; text: string } }

function answer(request: FastifyRequest, reply: FastifyReply, status: number, { title, err, text, link }: Content) {
  reply.code(status).header('cache-control', 'no-store')
  if (!request.headers.accept?.includes('text/html')) return reply.send(failure(codeOfStatus(status), err))
  return reply
    .type('text/html; charset=utf-8')
    .send(
      page(
        title,
        reply.raw.cspNonce,
        `<h1>${title}</h1><p>${escapeHtml(text)}</p><p><a href="${escapeHtml(link.to)}">${link.text}</a></p>`,
      ),
    )
}

/** Paths that are no pages. In the API, only the documentation is a page. */
const NO_PAGES = /^\/(auth|api(?!\/docs\/$)|demo-idp)(\/|$)/

/** After sign-in, people return to a page of the portal or to Home, never to another site. */
export function safeReturnTo(wanted: string | undefined, origin: string): string {
  if (!wanted || wanted.length > 2000 || !/^\/[^/\\\p{Cc}][^\\\p{Cc}]*$/u.test(wanted)) return '/home'
  if (!URL.canParse(wanted, origin)) return '/home'
  const url = new URL(wanted, origin)
  // The parser removes the dots of /..//evil.example, which then is an address on another site.
  if (url.origin !== origin || url.pathname.startsWith('//') || NO_PAGES.test(url.pathname)) return '/home'
  return url.pathname + url.search + url.hash
}
