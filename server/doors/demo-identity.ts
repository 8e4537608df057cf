import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import Provider, { type Configuration, interactionPolicy, type JWKS } from 'oidc-provider'

export type DemoPerson = { email: string; firstName: string; lastName: string; about: string; emailVerified?: boolean }
export type DemoClient = { id: string; redirectUri: string; afterSignOut: string }

/** Where the provider is mounted, and the cookie that holds its session. */
export const DEMO_PATH = '/demo-idp'
export const DEMO_COOKIE = 'demo_idp'

/** What all processes of a portal have in common, so that any of them can go on with a sign-in. */
export type DemoKeys = { readonly clientSecret: string; readonly cookieKey: string; readonly jwks: JWKS }
export type DemoProvider = { readonly keys: DemoKeys; readonly adapter: (model: string) => Adapter }

export const createDemoProvider = (): DemoProvider => ({
  keys: {
    clientSecret: randomBytes(24).toString('base64url'),
    cookieKey: randomBytes(24).toString('hex'),
    jwks: signingKeys(),
  },
  adapter: new DemoStore().adapter,
})

/** A standards-compliant provider that knows the demo people and needs no password. Never used in production. */
export function demoIdentity(
  issuer: string,
  people: readonly DemoPerson[],
  client: DemoClient,
  { keys, adapter }: DemoProvider,
) {
  const policy = interactionPolicy.base()
  // Our own client needs no consent: the grant is made in loadExistingGrant.
  policy.remove('consent')
  const configuration: Configuration = {
    adapter,
    clients: [
      {
        client_id: client.id,
        client_secret: keys.clientSecret,
        redirect_uris: [client.redirectUri],
        post_logout_redirect_uris: [client.afterSignOut],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    cookies: {
      keys: [keys.cookieKey],
      names: { session: DEMO_COOKIE, interaction: `${DEMO_COOKIE}_int`, resume: `${DEMO_COOKIE}_res` },
    },
    jwks: keys.jwks,
    findAccount: (_context, id) => {
      const person = people.find((one) => one.email === id)
      if (!person) return undefined
      return {
        accountId: id,
        claims: async () => ({
          sub: id,
          email: id,
          email_verified: person.emailVerified ?? true,
          given_name: person.firstName,
          family_name: person.lastName,
        }),
      }
    },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    // Email and name go into the id token: no second call to userinfo.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { policy, url: (_context, interaction) => `${DEMO_PATH}/interaction/${interaction.uid}` },
    ttl: { Session: 43_200, Interaction: 600, Grant: 43_200, IdToken: 3600, AccessToken: 3600, AuthorizationCode: 60 },
    async loadExistingGrant(context) {
      const { client: asking, session, result, provider: self } = context.oidc
      if (!asking || !session?.accountId) return undefined
      const grantId = result?.consent?.grantId ?? session.grantIdFor(asking.clientId)
      if (grantId) return self.Grant.find(grantId)
      const grant = new self.Grant({ clientId: asking.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
  const provider = new Provider(issuer, configuration)
  provider.proxy = true
  return { provider, endSession: (id: string) => adapter('Session').destroy(id) }
}

function signingKeys(): JWKS {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] } as JWKS
}

type Kept = { payload: AdapterPayload; expiresAt: number }

/** A call of an adapter that one process makes and another answers. */
export type DemoCall = { readonly model: string; readonly method: keyof Adapter; readonly args: readonly unknown[] }

export const answerDemoCall = ({ adapter }: DemoProvider, { model, method, args }: DemoCall): Promise<unknown> =>
  (adapter(model)[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args)

/** An adapter whose calls another process answers. */
export function remoteAdapter(ask: (call: DemoCall) => Promise<unknown>): DemoProvider['adapter'] {
  const methods = ['upsert', 'find', 'findByUid', 'findByUserCode', 'consume', 'destroy', 'revokeByGrantId'] as const
  return (model) =>
    Object.fromEntries(
      methods.map((method) => [method, (...args: readonly unknown[]) => ask({ model, method, args })]),
    ) as unknown as Adapter
}

/** The demo provider keeps its sessions, codes and grants in memory. They are lost when the process ends. */
export class DemoStore {
  readonly #kept = new Map<string, Kept>()
  readonly #byUid = new Map<string, string>()
  readonly #byGrant = new Map<string, Set<string>>()

  adapter = (model: string): Adapter => ({
    upsert: async (id, payload, expiresIn) => {
      this.#sweep()
      const key = `${model}:${id}`
      this.#kept.set(key, { payload, expiresAt: Date.now() + (expiresIn || 3600) * 1000 })
      if (payload.uid) this.#byUid.set(`${model}:${payload.uid}`, id)
      if (payload.grantId)
        this.#byGrant.set(payload.grantId, (this.#byGrant.get(payload.grantId) ?? new Set()).add(key))
    },
    find: async (id) => this.#find(`${model}:${id}`),
    findByUid: async (uid) => this.#find(`${model}:${this.#byUid.get(`${model}:${uid}`)}`),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const kept = this.#kept.get(`${model}:${id}`)
      if (kept) kept.payload.consumed = Math.floor(Date.now() / 1000)
    },
    destroy: async (id) => {
      this.#kept.delete(`${model}:${id}`)
    },
    revokeByGrantId: async (grantId) => {
      for (const key of this.#byGrant.get(grantId) ?? []) this.#kept.delete(key)
      this.#byGrant.delete(grantId)
    },
  })

  #find(key: string): AdapterPayload | undefined {
    const kept = this.#kept.get(key)
    return kept && kept.expiresAt > Date.now() ? kept.payload : undefined
  }

  /** A demo that runs for weeks must not use more and more memory. */
  #sweep(): void {
    if (this.#kept.size < 10_000) return
    const now = Date.now()
    for (const [key, kept] of this.#kept) if (kept.expiresAt <= now) this.#kept.delete(key)
  }
}
