import type { FastifyInstance } from 'fastify'
import * as oidc from 'openid-client'
import type { SignInConfig } from '#server/config.ts'
import { ProviderUnreachable } from '#server/doors/provider-fetch.ts'

export type SignIn = {
  settings: SignInConfig
  provider(): Promise<oidc.Configuration>
  /** Set when the provider is the demo one, in this process. */
  endDemoSession: ((sessionId: string) => Promise<unknown>) | undefined
}

/** Timeout of each call to the provider, in seconds. */
const TIMEOUT = 10

/** Discovers the provider when it is first needed. A failure is not cached, so the next sign-in tries again. */
export function createProviderLoader(
  settings: SignInConfig,
  fetchBy?: oidc.CustomFetch,
): () => Promise<oidc.Configuration> {
  const authentication = settings.clientAuth === 'post' ? oidc.ClientSecretPost : oidc.ClientSecretBasic
  let discovered: Promise<oidc.Configuration> | undefined
  return () => {
    discovered ??= oidc
      .discovery(new URL(settings.issuer), settings.clientId, undefined, authentication(settings.clientSecret), {
        // By default, signatures of ID tokens are not verified, because they come directly from the provider over TLS.
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(settings.issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
        ],
        timeout: TIMEOUT,
        ...(fetchBy ? { [oidc.customFetch]: fetchBy } : {}),
      })
      .catch((error: unknown) => {
        discovered = undefined
        throw error
      })
    return discovered
  }
}

/** The demo provider is in this process: calling it needs no port and no reachable address. */
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

/** Whether the provider did not answer: unreachable, too slow, or broken. A retry may help. */
export function isProviderAway(error: unknown): boolean {
  if (error instanceof oidc.AuthorizationResponseError)
    return error.error === 'temporarily_unavailable' || error.error === 'server_error'
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500
  // What fetch throws when there is no connection; other type errors of the library carry a code.
  if (error instanceof ProviderUnreachable) return true
  if (error instanceof TypeError) return !('code' in error)
  if (!(error instanceof oidc.ClientError)) return false
  if (error.code === 'OAUTH_TIMEOUT') return true
  return error.cause instanceof Response && (error.cause.status >= 500 || error.cause.status === 429)
}

/**
 * The part of an error that may be logged: the library's errors contain whole answers with tokens. Values from the
 * query of the callback are left out, because anybody can send them.
 */
export function providerError(error: unknown) {
  const { name, message, code, error: reason, error_description: description, cause } = error as Record<string, unknown>
  if (error instanceof oidc.AuthorizationResponseError) return { name, message, code }
  return { name, message, code, reason, description, cause: cause instanceof Error ? cause.message : undefined }
}

const MAX_REASON = 300

/** Why a test of a provider failed, for those who set it up. */
export function providerErrorText(error: unknown): string {
  const { message, code, cause, ...answered } = error as Record<string, unknown>
  const challenge = error instanceof oidc.WWWAuthenticateChallengeError ? error.cause[0]?.parameters : undefined
  const { error: reason, error_description: description } = challenge?.error ? challenge : answered
  const parts = [
    typeof reason === 'string' ? `The provider answered ${reason}` : message,
    description,
    cause instanceof Error ? cause.message : undefined,
    typeof reason === 'string' ? undefined : code,
  ]
  const known = parts.filter((part): part is string => typeof part === 'string' && part !== '')
  return [...new Set(known)]
    .join(': ')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, MAX_REASON)
}
