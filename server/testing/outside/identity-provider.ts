import { createPrivateKey, type JsonWebKey, sign } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { type ProviderOptions, startOpenIdProvider } from '#server/testing/outside/openid-provider.ts'
import { CookieJar, ORIGIN, type Portal } from '#server/testing/portal.ts'

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

/** A provider for the portals of server tests. */
export const startIdentityProvider = (options: Omit<ProviderOptions, 'origin'>) =>
  startOpenIdProvider({ origin: ORIGIN, ...options })

/** Follows a sign-in from the portal to the provider and stops with the address that leads back to the portal. */
export function callbackFrom(portal: Portal, jar: CookieJar, subject: string, query = ''): Promise<string> {
  return callbackAfter(portal, jar, `/auth/login?login_hint=${encodeURIComponent(subject)}${query}`)
}

/** Follows a sign-in from any address of the portal that leads to a provider. */
export async function callbackAfter({ app }: Portal, jar: CookieJar, start: string): Promise<string> {
  const login = await app.inject({ url: start, headers: { cookie: jar.header() } })
  jar.take(login)
  let location = String(login.headers.location ?? `no-redirect:${login.statusCode}`)
  const cookies = new Map<string, string>()
  for (let hops = 0; hops < 10; hops++) {
    if (location.startsWith(`${ORIGIN}/`)) return location.slice(ORIGIN.length)
    const answer = await fetch(location, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    location = new URL(answer.headers.get('location') ?? `no-redirect:${answer.status}`, location).href
  }
  throw new Error(`no callback but ${location}`)
}

/** A complete sign-in; the jar then holds the session. */
export async function signInThrough(
  portal: Portal,
  subject: string,
  jar = new CookieJar(),
): Promise<{ answer: LightMyRequestResponse; jar: CookieJar; cookie: string }> {
  const url = await callbackFrom(portal, jar, subject)
  const answer = await portal.app.inject({ url, headers: { cookie: jar.header() } })
  jar.take(answer)
  return { answer, jar, cookie: `session=${jar.get('session')}` }
}

/** Valid claims with the algorithm "none". */
export function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  return `${header}.${token.split('.')[1]}.`
}

/** An ID token with other claims, signed by a key. */
export function signedAgain(token: string, change: Record<string, unknown>, key: JsonWebKey): string {
  const [head = '', body = ''] = token.split('.')
  const { alg: _, kid: __, ...header } = JSON.parse(Buffer.from(head, 'base64url').toString())
  const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), ...change }
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode({ ...header, alg: 'ES256' })}.${encode(claims)}`
  const privateKey = createPrivateKey({ key, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
