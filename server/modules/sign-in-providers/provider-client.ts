import { hash } from 'node:crypto'
import * as oidc from 'openid-client'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'
import type { Clock } from '#server/doors/clock.ts'
import { ProviderUnreachable } from '#server/doors/provider-fetch.ts'
import { openProviderSecret, PROVIDER_SECRET } from '#server/modules/sign-in-providers/provider-secret.seal.ts'
import type { ProviderRow } from '#server/modules/sign-in-providers/providers.queries.ts'
import type { Services } from '#server/services.ts'

/** Addresses and keys of a provider are read again after this many milliseconds. A key that is not known is looked up earlier. */
const KEPT_FOR = 10 * 60_000
const MAX_KEPT = 500
/** Timeout of each call to a provider, in seconds. */
const TIMEOUT = 10

type Kept = { readonly stamp: string; readonly until: number; readonly found: Promise<oidc.Configuration> }
type Needs = Pick<Services, 'config' | 'db' | 'secrets'> & { readonly clock: Clock; readonly fetch: oidc.CustomFetch }

/** Keeps what providers of accounts say about themselves, for some minutes. A failure is not kept, so the next sign-in asks again. */
export function createProviderClients(needs: Needs): (row: ProviderRow) => Promise<oidc.Configuration> {
  const kept = new Map<string, Kept>()
  return (row) => {
    const { customer_number: customerNumber } = row
    const stamp = stampOf(row)
    const now = needs.clock.now().getTime()
    const known = kept.get(customerNumber)
    if (known?.stamp === stamp && known.until > now) return known.found
    if (kept.size >= MAX_KEPT) kept.clear()
    const found = discover(needs, row).catch((error: unknown) => {
      if (kept.get(customerNumber)?.found === found) kept.delete(customerNumber)
      throw error
    })
    kept.set(customerNumber, { stamp, until: now + KEPT_FOR, found })
    return found
  }
}

/** Tells apart what was ever saved: each sealed secret is another one, even of the same text. */
const stampOf = ({ issuer, client_id, client_auth, client_secret, private_key }: ProviderRow): string =>
  hash('sha256', JSON.stringify([issuer, client_id, client_auth, client_secret, private_key]))

async function discover(needs: Needs, row: ProviderRow): Promise<oidc.Configuration> {
  const { config, fetch } = needs
  const { isHttpAllowed } = config.webhooks
  const issuer = new URL(row.issuer)
  const configuration = await oidc.discovery(issuer, row.client_id, undefined, await authenticationOf(needs, row), {
    // By default, signatures of ID tokens are not verified, because they come directly from the provider over TLS.
    execute: [oidc.enableNonRepudiationChecks, ...(isHttpAllowed ? [oidc.allowInsecureRequests] : [])],
    timeout: TIMEOUT,
    [oidc.customFetch]: fetch,
  })
  const metadata = configuration.serverMetadata()
  // The library lets issuers pass that stand for all tenants of a directory.
  if (new URL(metadata.issuer).href !== issuer.href)
    throw new ProviderUnreachable(`The provider calls itself ${metadata.issuer}`)
  const page = metadata.authorization_endpoint
  const isPage = page !== undefined && URL.canParse(page) && isLed(new URL(page), isHttpAllowed)
  if (!isPage) throw new ProviderUnreachable('The provider names no address where people sign in')
  return configuration
}

/** People are sent there by their browsers. */
const isLed = ({ protocol }: URL, isHttpAllowed: boolean) =>
  protocol === 'https:' || (isHttpAllowed && protocol === 'http:')

async function authenticationOf(needs: Needs, row: ProviderRow): Promise<oidc.ClientAuth> {
  const { customer_number: customerNumber, client_auth, client_secret, private_key } = row
  const installation = await loadProviderSecret(needs)
  if (client_auth === 'private_key_jwt') {
    const key = openProviderSecret(installation, customerNumber, 'private key', private_key)
    if (key === undefined) throw new ProviderUnreachable('The key of the provider cannot be read. Make a new one')
    const { kid, ...jwk } = JSON.parse(key) as JsonWebKey & { kid: string }
    return oidc.PrivateKeyJwt({ key: await crypto.subtle.importKey('jwk', jwk, SIGNING, false, ['sign']), kid })
  }
  const secret = openProviderSecret(installation, customerNumber, 'client secret', client_secret)
  if (secret === undefined) throw new ProviderUnreachable('The client secret cannot be read. Enter it again')
  return client_auth === 'client_secret_post' ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret)
}

/** RS256, which every provider knows. */
const SIGNING = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const

export const loadProviderSecret = ({
  db,
  secrets,
}: {
  db: Services['db']
  secrets: InstallationSecrets
}): Promise<Buffer> => secrets.load(db, PROVIDER_SECRET)
