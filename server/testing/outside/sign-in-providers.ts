import { sql } from 'kysely'
import type { Operation } from '#contract/kit/operation.ts'
import {
  addSignInDomain,
  checkSignInDomain,
  saveSignInProvider,
  switchSignInProvider,
} from '#contract/sign-in-providers/sign-in-providers.ts'
import { recordName } from '#domain/sign-in-providers/domain-proof.ts'
import type { Mode } from '#domain/sign-in-providers/provider.ts'
import type { FindTexts } from '#server/doors/txt-records.ts'
import { type IdentityProvider, startIdentityProvider } from '#server/testing/outside/identity-provider.ts'
import type { ProviderOptions } from '#server/testing/outside/openid-provider.ts'
import { type CallParts, type CookieJar, callOperation, type Portal, signIn } from '#server/testing/portal.ts'

const OLIVIA = 'olivia.ops@vendor.example'

const MINUTE = 60_000
const cookies = new Map<string, Promise<string>>()
/** Calls as a signed-in person. A sign-in is over after 30 minutes without a call, and these tests turn the clock by days. */
export async function as(portal: Portal, email: string | null) {
  const key = `${portal.config.dataDir} ${email} ${Math.floor(portal.clock.now().getTime() / (10 * MINUTE))}`
  if (email !== null && !cookies.has(key)) cookies.set(key, signIn(portal.app, email))
  const cookie = await cookies.get(key)
  return (operation: Operation, parts: CallParts = {}) => callOperation(portal.app, operation, cookie, parts)
}

/** DNS of the tests: the texts by name; undefined for name servers that do not answer. */
export const records = () => {
  const texts = new Map<string, readonly string[] | undefined>()
  const findTexts: FindTexts = async (name) => (texts.has(name) ? texts.get(name) : [])
  return { texts, findTexts }
}

/** The provider of an account. */
export const startProviderOf = (account: string, options: Omit<ProviderOptions, 'origin' | 'callback'>) =>
  startIdentityProvider({ callback: `/auth/callback/${account}`, ...options })

/** The host and port by which WEBHOOK_ALLOW opens a provider of these tests. */
export const hostOf = ({ issuer }: Pick<IdentityProvider, 'issuer'>): string => new URL(issuer).host

type Given = {
  readonly account: string
  readonly domain: string
  readonly mode?: Mode
  readonly breakGlass?: string
  readonly settings?: object
}

export async function proveDomain(
  portal: Portal,
  texts: Map<string, readonly string[] | undefined>,
  account: string,
  domain: string,
) {
  const olivia = await as(portal, OLIVIA)
  const about = { customerNumber: account, domain }
  const added = await olivia(addSignInDomain, { body: about })
  const { recordValue: value } = added.body.data as { recordValue: string }
  texts.set(recordName(domain), [value])
  const checked = await olivia(checkSignInDomain, { body: about })
  if ((checked.body.data as { state?: string } | undefined)?.state !== 'proven')
    throw new Error(`${domain} is not proven: ${JSON.stringify(checked.body)}`)
}

/** Proves a domain for an account and switches its provider on, as if the test had succeeded. */
export async function giveProvider(
  portal: Portal,
  texts: Map<string, readonly string[] | undefined>,
  provider: Pick<IdentityProvider, 'issuer' | 'client'>,
  { account, domain, mode = 'optional', breakGlass, settings = {} }: Given,
): Promise<void> {
  const olivia = await as(portal, OLIVIA)
  await proveDomain(portal, texts, account, domain)
  const saved = await olivia(saveSignInProvider, {
    body: {
      customerNumber: account,
      issuer: provider.issuer,
      clientId: provider.client.id,
      clientAuth: 'client_secret_basic',
      clientSecret: provider.client.secret,
      groupClaim: '',
      rules: [],
      revision: 0,
      ...settings,
    },
  })
  if (saved.status !== 200) throw new Error(String(saved.body.err))
  await portal.db
    .updateTable('sign_in_provider')
    .set({ tested_version: sql<number>`version` })
    .where('customer_number', '=', account)
    .execute()
  const body = { customerNumber: account, mode, breakGlass: breakGlass ?? null, revision: 1 }
  const switched = await olivia(switchSignInProvider, { body })
  if (switched.body.status !== 'SUCCESS') throw new Error(String(switched.body.err))
}

/** Addresses of their own, because few sign-ins a minute are answered to one. */
let visitors = 0

/** Enters an email address on the sign-in page, and returns the address that it leads to. */
export async function enterEmail(portal: Portal, jar: CookieJar, email: string): Promise<string> {
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/auth/realm',
    remoteAddress: `198.51.${Math.floor(visitors / 200)}.${visitors++ % 200}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: jar.header() },
    payload: new URLSearchParams({ email, returnTo: '/home' }).toString(),
  })
  jar.take(answer)
  const refresh = String(answer.headers.refresh ?? '')
  if (!refresh.startsWith('0; url=')) throw new Error(`${answer.statusCode}: ${answer.body}`)
  return refresh.slice('0; url='.length)
}
