import { normalizedEmail } from '#domain/settings/email-address.ts'
import { type GroupRule, MAX_GROUP_NAME, MAX_GROUP_RULES } from '#domain/sign-in-providers/group-access.ts'
import { typedUrlError, URL_REQUIRED } from '#domain/webhooks/endpoint.ts'

/** `optional`: people of the domains are led to the provider, and may sign in otherwise. `enforced`: they may not. */
export const MODES = ['off', 'optional', 'enforced'] as const
export type Mode = (typeof MODES)[number]

/** How the portal proves to the provider who it is. */
export const CLIENT_AUTHS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const
export type ClientAuth = (typeof CLIENT_AUTHS)[number]

export const MAX_ISSUER = 500
export const MAX_CLIENT_ID = 200
export const MAX_CLIENT_SECRET = 500
export const MAX_CLAIM = 100

export const ISSUER_REQUIRED = 'Enter the issuer of the provider.'
export const ISSUER_IS_DISCOVERY = 'Enter the issuer, without /.well-known/openid-configuration.'
export const ISSUER_HAS_QUERY = 'The issuer must not have a part after ? or #.'
export const ISSUER_OF_MANY =
  'This issuer signs in people of any company. Enter the issuer of your own tenant, which has its id.'
export const CLIENT_ID_REQUIRED = 'Enter the client id.'
export const SECRET_REQUIRED = 'Enter the client secret.'
export const CLAIM_REQUIRED = 'Enter the claim that has the groups.'
export const GROUP_REQUIRED = 'Enter a group.'
export const GROUP_TWICE = 'This group is in the list twice.'

/** What is typed on the screen. An empty secret keeps the stored one. */
export type ProviderSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientAuth: ClientAuth
  readonly clientSecret: string
  readonly groupClaim: string
  readonly rules: readonly GroupRule[]
}

/** Errors by field. Where the host of the issuer leads is checked by the server. */
export function providerErrors(
  { issuer, clientId, clientAuth, clientSecret, groupClaim, rules }: ProviderSettings,
  hasSecret: boolean,
): Readonly<Record<string, string>> {
  const found: Record<string, string | undefined> = {
    issuer: issuerError(issuer),
    clientId: clientId.trim() === '' ? CLIENT_ID_REQUIRED : undefined,
    clientSecret:
      clientAuth !== 'private_key_jwt' && clientSecret.trim() === '' && !hasSecret ? SECRET_REQUIRED : undefined,
    groupClaim: rules.length > 0 && groupClaim.trim() === '' ? CLAIM_REQUIRED : undefined,
    ...ruleErrors(rules),
  }
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, error]) => (error === undefined ? [] : [[name, error]])),
  )
}

/** Issuers of Entra ID that stand for every company: with them, a tenant of anybody could name any email address. */
const OF_MANY_TENANTS =
  /^https:[/][/]login[.]microsoftonline[.](?:com|us)[/](?:common|organizations|consumers)(?:[/]|$)/i

function issuerError(text: string): string | undefined {
  const error = typedUrlError(text)
  if (error === URL_REQUIRED) return ISSUER_REQUIRED
  if (error !== undefined) return error
  if (text.includes('/.well-known/')) return ISSUER_IS_DISCOVERY
  if (/[?#]/.test(text)) return ISSUER_HAS_QUERY
  return OF_MANY_TENANTS.test(text.trim()) ? ISSUER_OF_MANY : undefined
}

function ruleErrors(rules: readonly GroupRule[]): Record<string, string | undefined> {
  const seen = new Set<string>()
  return Object.fromEntries(
    rules.slice(0, MAX_GROUP_RULES).map(({ group }, index) => {
      const name = group.trim().slice(0, MAX_GROUP_NAME)
      const error = name === '' ? GROUP_REQUIRED : seen.has(name) ? GROUP_TWICE : undefined
      seen.add(name)
      return [`rules.${index}.group`, error]
    }),
  )
}

export const NO_PROVIDER = 'Save the provider first.'
export const NOT_TESTED = 'Test the sign-in first. It has to succeed with the settings as they are now.'
export const NO_PROVEN_DOMAIN = 'Prove a domain first.'
export const BREAK_GLASS_NEEDED =
  'Choose a break-glass address: an administrator of the account who can still sign in without the provider.'

type Ready = {
  readonly isTested: boolean
  readonly hasDomain: boolean
  /** The administrators and coordinators of the account. */
  readonly administrators: readonly string[]
}

/** Why the provider cannot be switched to a mode; undefined if it can. */
export function switchRefusal(
  { mode, breakGlass }: { readonly mode: Mode; readonly breakGlass: string | null },
  { isTested, hasDomain, administrators }: Ready,
): string | undefined {
  if (mode === 'off') return undefined
  if (!hasDomain) return NO_PROVEN_DOMAIN
  if (!isTested) return NOT_TESTED
  if (mode === 'optional') return undefined
  return breakGlass !== null && administrators.includes(normalizedEmail(breakGlass)) ? undefined : BREAK_GLASS_NEEDED
}
