import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Selectable } from 'kysely'
import * as oidc from 'openid-client'
import { can } from '#domain/access/can.ts'
import { EMAIL_FORMAT, readEmail } from '#domain/settings/email-address.ts'
import { domainOf } from '#domain/sign-in-providers/domain-name.ts'
import { type AuditContext, writeAudit, writeRefusals } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { AccountProviders } from '#server/identity/account-providers.ts'
import { callbackOf } from '#server/identity/callback-address.ts'
import { emailOf, identityOf, identityOfAccount } from '#server/identity/oidc-claims.ts'
import { isProviderAway, providerError, providerErrorText, type SignIn } from '#server/identity/oidc-client.ts'
import { hashOfId } from '#server/identity/principal.queries.ts'
import { auditContextOf, providerName } from '#server/identity/principal.ts'
import { findProvenDomain, isAnyProviderOn, seesOnly } from '#server/identity/proven-domains.queries.ts'
import {
  ASK_EMAIL,
  askEmailPage,
  continuePage,
  providerUnavailable,
  refuseSignIn,
  sendPage,
} from '#server/identity/sign-in-pages.ts'
import { findAttempt, keepAttempt, rememberPerson, takeAttempt } from '#server/identity/sign-in-session.queries.ts'
import {
  ABSOLUTE_LIMIT,
  accountOfSession,
  cookieName,
  findCaller,
  signInSessionIdOf,
  startSignInSession,
} from '#server/identity/sign-in-session.ts'
import { endSignInSessionOfRequest, forgetDemoCookies, signOutRoute } from '#server/identity/sign-out.ts'
import type { Services } from '#server/services.ts'

const ATTEMPT_LIFE = 10 * 60 * 1000
/** In seconds: a fresh sign-in asks the person anew, unless they have just been asked. */
const FRESH = 60
/** In bytes: an email address and a page to return to. */
const FORM_LIMIT = 8 * 1024

type Login = {
  Querystring: {
    login_hint?: string
    returnTo?: string
    fresh?: string
    /** Through the provider of the installation, without asking for an email address. */
    portal?: string
    /** The account whose provider is to be tested. */
    test?: string
    /** Goes on with the sign-in that an email address began. */
    attempt?: string
  }
}
type Callback = { Params: { account?: string } }
type Attempt = Selectable<DB['sign_in_attempt']>
type Begun = Pick<Attempt, 'account_provider'> & Partial<Pick<Attempt, 'login_hint' | 'tested_by' | 'tested_version'>>

/** OpenID Connect, authorization code with PKCE, all of it on the server: the browser never sees a token. */
export function signInRoutes(
  app: FastifyInstance,
  services: Services,
  signIn: SignIn,
  accountProviders: AccountProviders,
): void {
  const { config, db, clock } = services
  const { roleClaim } = signIn.settings
  signOutRoute(app, services, signIn, accountProviders)

  async function providerOf({ account_provider }: Begun): Promise<oidc.Configuration> {
    if (account_provider === null) return signIn.provider()
    const provider = await accountProviders.load(account_provider)
    if (!provider) throw new HttpError(400, 'This account has no sign-in provider any more.')
    return provider.configuration()
  }

  async function begin(request: FastifyRequest<Login>, reply: FastifyReply, begun: Begun, isFresh: boolean) {
    const id = randomBytes(24).toString('base64url')
    const now = clock.now()
    const attempt = {
      login_hint: null,
      tested_by: null,
      tested_version: null,
      ...begun,
      id_hash: hashOfId(id),
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      return_to: safeReturnTo(returnToOf(request), config.origin),
      max_age: isFresh ? FRESH : null,
      expires_at: new Date(now.getTime() + ATTEMPT_LIFE),
    }
    await keepAttempt(db, attempt, now)
    const cookie = { ...attemptOptions(config), maxAge: ATTEMPT_LIFE / 1000 }
    reply.setCookie(attemptCookie(config, attempt.state), id, cookie)
    return attempt
  }

  /** Redirects to the provider. */
  async function leave(reply: FastifyReply, provider: oidc.Configuration, attempt: Attempt): Promise<FastifyReply> {
    const { account_provider, login_hint: hint, max_age, state, nonce, verifier } = attempt
    const demo = account_provider === null ? signIn.endDemoSession : undefined
    // A named person starts without the provider's session: with another person's session it would ask for
    // confirmation.
    if (hint && demo) forgetDemoCookies(reply)
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: callbackOf(config.origin, account_provider),
      scope: scopeOf(provider, account_provider === null ? roleClaim : undefined),
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...maxAgeOf(config, max_age !== null),
      ...(hint ? { login_hint: hint } : {}),
      ...(hint && demo ? { prompt: 'login' } : {}),
    })
    return reply.header('cache-control', 'no-store').redirect(url.href)
  }

  app.get<Login>('/auth/login', ROUTE, async (request, reply) => {
    const { query } = request
    const state = single(query.attempt)
    if (state !== undefined) return goOn(request, reply, state)
    const hint = single(query.login_hint)
    const isFresh = query.fresh === '1'
    const tested = single(query.test)
    const test = tested === undefined ? undefined : await testOf(request, tested)
    const sessionId = signInSessionIdOf(request, config)
    const account =
      test?.account_provider ?? (isFresh && sessionId ? await accountOfSession(services, sessionId) : null)
    const isDirect = hint !== undefined || isFresh || account !== null || query.portal === '1'
    if (!isDirect && (await isAnyProviderOn(db)))
      return askEmailPage(reply, config, safeReturnTo(single(query.returnTo), config.origin))
    const begun = { account_provider: account, login_hint: hint ?? null, ...test }
    let provider: oidc.Configuration
    try {
      provider = await providerOf(begun)
    } catch (error) {
      if (test) return finishTest(request, reply, begun, error)
      return providerUnavailable(request, reply, error, request.url)
    }
    return leave(reply, provider, await begin(request, reply, begun, isFresh))
  })

  /** The answers and the work are equal for every address: whether a domain has a provider is known only where the person is led to. */
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.post<{ Body?: { email?: string; returnTo?: string } }>(ASK_EMAIL, REALM, async (request, reply) => {
      const email = readEmail(request.body?.email ?? '')
      const returnTo = safeReturnTo(request.body?.returnTo, config.origin)
      if (email === undefined) return askEmailPage(reply.code(400), config, returnTo, EMAIL_FORMAT)
      const found = await findProvenDomain(db, domainOf(email))
      const isLed = found?.is_on === true && found.break_glass !== email
      const begun = { account_provider: isLed ? found.customer_number : null, login_hint: email }
      const { state } = await begin(request as FastifyRequest<Login>, reply, begun, false)
      return continuePage(reply, config, `/auth/login?${new URLSearchParams({ attempt: state })}`)
    })
  })

  async function goOn(request: FastifyRequest<Login>, reply: FastifyReply, state: string) {
    const id = request.cookies[attemptCookie(config, state)]
    const attempt = id ? await findAttempt(db, hashOfId(id)) : undefined
    if (!attempt || attempt.state !== state || attempt.expires_at <= clock.now())
      return refuseSignIn(request, reply, 400, OVER)
    try {
      return await leave(reply, await providerOf(attempt), attempt)
    } catch (error) {
      return providerUnavailable(request, reply, error, request.url)
    }
  }

  /** A test begins like a sign-in, for those who may manage the provider. */
  async function testOf(request: FastifyRequest, customerNumber: string) {
    const sessionId = signInSessionIdOf(request, config)
    const caller = sessionId && (await findCaller(services, sessionId, [customerNumber], false))
    if (!caller) throw new HttpError(401, 'Sign in to continue')
    const decision = can(caller.actor, 'sign-in-provider.manage', caller.standing)
    const refusal = !decision.allowed ? decision.reason : caller.viewedBy === undefined ? undefined : VIEWING
    if (refusal !== undefined) {
      const entry = { action: 'sign-in-provider.test', customerNumber, reason: refusal } as const
      const from = {
        at: clock.now(),
        address: request.ip,
        requestId: request.id,
        program: request.headers['user-agent'],
      }
      await writeRefusals(db, auditContextOf({ kind: 'session', caller }, from), [entry])
      throw new HttpError(!decision.allowed && decision.hidden ? 404 : 403, refusal)
    }
    const provider = await accountProviders.load(customerNumber)
    if (!provider) throw new HttpError(404, 'Save the provider first.')
    return {
      account_provider: customerNumber,
      login_hint: caller.actor.email,
      tested_by: caller.actor.email,
      tested_version: provider.version,
    }
  }

  for (const path of ['/auth/callback', '/auth/callback/:account'])
    app.get<Callback>(path, ROUTE, async (request, reply) => {
      const address = new URL(request.url, config.origin)
      const name = attemptCookie(config, address.searchParams.get('state') ?? '')
      const id = request.cookies[name]
      const attempt = id ? await takeAttempt(db, hashOfId(id)) : undefined
      reply.clearCookie(name, attemptOptions(config))
      if (!attempt || attempt.expires_at <= clock.now()) return refuseSignIn(request, reply, 400, OVER)
      if (attempt.account_provider !== (request.params.account ?? null))
        return refuseSignIn(request, reply, 400, NOT_CONFIRMED)
      let tokens: Tokens
      try {
        tokens = await exchange(address, attempt)
      } catch (error) {
        if (attempt.tested_by !== null) return finishTest(request, reply, attempt, error)
        return notConfirmed(request, reply, error, attempt)
      }
      if (attempt.tested_by !== null) return finishTest(request, reply, attempt, undefined, tokens)
      return attempt.account_provider === null
        ? signInByPortal(request, reply, attempt, tokens)
        : signInByAccount(request, reply, { ...attempt, account_provider: attempt.account_provider }, tokens)
    })

  type Tokens = Awaited<ReturnType<typeof exchange>>

  async function exchange(address: URL, attempt: Attempt) {
    const tokens = await oidc.authorizationCodeGrant(await providerOf(attempt), address, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
      // Whoever controls the address bar could remove max_age from the request: the answer is checked as well.
      ...(attempt.max_age === null ? {} : { maxAge: attempt.max_age }),
    })
    const claims = tokens.claims()
    if (!claims || !tokens.id_token) throw new Error('openid-client let an answer without an ID token pass')
    const isRefreshed = roleClaim !== undefined && attempt.account_provider === null
    return { claims, idToken: tokens.id_token, refreshToken: isRefreshed ? tokens.refresh_token : undefined }
  }

  const contextOf = (request: FastifyRequest, email: string, account: string | null): AuditContext => ({
    at: clock.now(),
    email,
    principal: 'session',
    ...(account === null ? {} : { credential: providerName(account) }),
    address: request.ip,
    requestId: request.id,
    program: request.headers['user-agent'],
  })
  const fromOf = ({ ip, id, headers }: FastifyRequest) => ({
    address: ip,
    requestId: id,
    program: headers['user-agent'],
  })

  async function signInByPortal(request: FastifyRequest, reply: FastifyReply, attempt: Attempt, tokens: Tokens) {
    const who = identityOf(tokens.claims, signIn.settings)
    if (typeof who === 'string') return refuseClaims(request, reply, tokens, who, null)
    const domain = await findProvenDomain(db, domainOf(who.email))
    const isEnforced = domain?.is_enforced === true && who.roles.length === 0
    if (isEnforced && domain.break_glass === who.email)
      await accountProviders.noteBreakGlass(domain.customer_number, who.email, fromOf(request))
    else if (isEnforced && (await seesOnly(db, who.email, domain.customer_number)))
      return refuseClaims(request, reply, tokens, OWN_SIGN_IN, domain.customer_number)
    return finish(request, reply, attempt, tokens, who)
  }

  async function signInByAccount(
    request: FastifyRequest,
    reply: FastifyReply,
    attempt: Attempt & { account_provider: string },
    tokens: Tokens,
  ) {
    const { account_provider: account } = attempt
    const who = await identityOfAccount(db, account, tokens.claims, 'in use')
    if (typeof who === 'string') return refuseClaims(request, reply, tokens, who, account)
    await accountProviders.applyGroups(account, who.email, tokens.claims, fromOf(request))
    return finish(request, reply, attempt, tokens, { ...who, roles: [] })
  }

  async function refuseClaims(
    request: FastifyRequest,
    reply: FastifyReply,
    { claims }: Tokens,
    reason: string,
    account: string | null,
  ) {
    const context = contextOf(request, emailOf(claims) ?? 'Unknown', account)
    const entry = { action: 'sign-in' as const, ...(account === null ? {} : { customerNumber: account }) }
    await writeAudit(db, context, entry, { outcome: 'refused', reason })
    return refuseSignIn(request, reply, 403, reason)
  }

  async function finish(
    request: FastifyRequest,
    reply: FastifyReply,
    { account_provider: account, return_to }: Attempt,
    { claims, idToken, refreshToken }: Tokens,
    who: Exclude<ReturnType<typeof identityOf>, string>,
  ) {
    const authenticatedAt = typeof claims.auth_time === 'number' ? new Date(claims.auth_time * 1000) : null
    await rememberPerson(db, { ...who, at: clock.now() })
    // The previous session of this browser ends, so that nobody who knows its id can use the new one (session
    // fixation).
    await endSignInSessionOfRequest(request, services, signIn)
    const session = { ...who, subject: claims.sub, idToken, refreshToken, authenticatedAt, accountProvider: account }
    await startSignInSession(services, reply, session)
    const on = account === null ? {} : { customerNumber: account }
    await writeAudit(db, contextOf(request, who.email, account), { action: 'sign-in', ...on })
    return reply.header('cache-control', 'no-store').redirect(return_to)
  }

  async function finishTest(
    request: FastifyRequest,
    reply: FastifyReply,
    { account_provider: account, tested_by: by, tested_version: version }: Begun,
    error: unknown,
    tokens?: Tokens,
  ) {
    if (account === null || !by || !version) throw new Error('a test without an account')
    const { claims } = tokens ?? {}
    const who = claims && (await identityOfAccount(db, account, claims, 'proven'))
    const reason = claims === undefined ? providerErrorText(error) : typeof who === 'string' ? who : undefined
    const outcome = { version, by, reason, claims, email: claims && emailOf(claims) }
    const body = await accountProviders.finishTest(account, outcome, fromOf(request))
    return sendPage(reply, 'Test of the sign-in', body)
  }

  function notConfirmed(request: FastifyRequest, reply: FastifyReply, error: unknown, attempt: Attempt) {
    const retry = new URLSearchParams({ returnTo: attempt.return_to })
    if (isProviderAway(error)) return providerUnavailable(request, reply, error, `/auth/login?${retry}`)
    request.log.warn({ error: providerError(error) }, 'sign-in failed')
    return refuseSignIn(request, reply, 400, NOT_CONFIRMED)
  }
}

const OVER = 'This sign-in has expired or was already used.'
const NOT_CONFIRMED = 'The identity provider did not confirm this sign-in.'
const OWN_SIGN_IN = 'Your company requires its own sign-in. Enter your email address on the sign-in page to go there.'
const VIEWING = 'You are viewing the portal as somebody else. Stop viewing to test the sign-in.'

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
/** Few people behind one address sign in within a minute; whoever asks for many domains explores them. */
const REALM = { ...ROUTE, config: { rateLimit: { max: 30, timeWindow: 60_000 } } }

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

const returnToOf = ({ body, query }: FastifyRequest<Login>): string | undefined =>
  single((body as { returnTo?: unknown } | undefined)?.returnTo ?? query.returnTo)

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
