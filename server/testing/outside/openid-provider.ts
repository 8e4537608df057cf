import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { interactionPolicy, type JWKS, type KoaContextWithOIDC } from 'oidc-provider'
import { DemoStore } from '#server/doors/demo-store.ts'

const CLIENT = { id: 'portal', secret: 'a secret: with + and % in it, long enough for HS256' }

export type ProviderOptions = {
  /** Of the portal. */
  origin: string
  /** What the provider says about a person, by subject; may change between two sign-ins. */
  people: Record<string, Record<string, unknown>>
  /** Where people come back to; the provider of the installation has `/auth/callback`. */
  callback?: string
  /** The key that signs ID tokens, where a test signs some of its own. */
  key?: JsonWebKey
  /** The client proves itself with one of these keys instead of its secret. */
  clientKeys?: JWKS
  idTokenAlgorithm?: 'ES256' | 'HS256'
  refreshTokens?: boolean
  /** People who come with a name have signed in at the provider so many seconds ago. Asked anew, they sign in now. */
  secondsSignedIn?: number
  /** Answers instead of the provider, if it sets a body. */
  intercept?(context: KoaContextWithOIDC): void
  /** Changes an answer before it is sent. */
  tamper?(context: KoaContextWithOIDC): void | Promise<void>
}

type ClientAuth = 'basic' | 'post' | 'key'

/** A real OpenID Connect provider on a separate port. It needs no password: `login_hint` is the subject. */
export async function startOpenIdProvider(options: ProviderOptions) {
  const server = http.createServer()
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const clientAuth: ClientAuth[] = []
  const provider = configured(issuer, options, clientAuth)
  server.on('request', provider.callback())
  const stop = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return {
    issuer,
    /** How each request to the token endpoint brought the client's secret. */
    clientAuth,
    client: CLIENT,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    goAway: stop,
    comeBack: () => listen(port),
    async close() {
      if (server.listening) await stop()
    },
  }
}

function configured(issuer: string, options: ProviderOptions, clientAuth: ClientAuth[]): Provider {
  const policy = interactionPolicy.base()
  policy.remove('consent')
  const provider = new Provider(issuer, {
    adapter: new DemoStore().adapter,
    clients: [
      {
        client_id: CLIENT.id,
        ...(options.clientKeys
          ? { token_endpoint_auth_method: 'private_key_jwt', jwks: options.clientKeys }
          : { client_secret: CLIENT.secret }),
        redirect_uris: [`${options.origin}${options.callback ?? '/auth/callback'}`],
        post_logout_redirect_uris: [`${options.origin}/`],
        grant_types: ['authorization_code', ...(options.refreshTokens ? ['refresh_token'] : [])],
        response_types: ['code'],
        id_token_signed_response_alg: options.idTokenAlgorithm ?? 'ES256',
      },
    ],
    cookies: { keys: ['of the tests'] },
    ttl: { Session: 3600, Interaction: 600, Grant: 3600, IdToken: 3600, AccessToken: 3600, RefreshToken: 3600 },
    jwks: { keys: [options.key ?? signingKey()] } as JWKS,
    enabledJWA: { idTokenSigningAlgValues: ['ES256', 'HS256'] },
    scopes: options.refreshTokens ? ['openid', 'offline_access'] : ['openid'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name', 'groups'] },
    conformIdTokenClaims: false,
    issueRefreshToken: () => options.refreshTokens ?? false,
    rotateRefreshToken: true,
    findAccount: (_context, sub) => {
      const person = options.people[sub]
      return person && { accountId: sub, claims: async () => ({ sub, email_verified: true, ...person }) }
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true },
      revocation: { enabled: true, allowedPolicy: () => true },
    },
    interactions: { policy, url: (_context, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc: { client, session } }) {
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
      grant.addOIDCScope('openid email profile offline_access')
      await grant.save()
      return grant
    },
  })
  provider.use(async (context, next) => {
    if (context.path.startsWith('/interaction/')) {
      const { params, session } = await provider.interactionDetails(context.req, context.res)
      const { login_hint: hint } = params
      const ts = Math.floor(Date.now() / 1000) - (hint === undefined ? 0 : (options.secondsSignedIn ?? 0))
      const result = { login: { accountId: String(hint ?? session?.accountId), ts } }
      context.redirect(await provider.interactionResult(context.req, context.res, result))
      return
    }
    options.intercept?.(context as unknown as KoaContextWithOIDC)
    if (context.path === '/token')
      clientAuth.push(options.clientKeys ? 'key' : context.get('authorization') ? 'basic' : 'post')
    if (context.body) return
    await next()
    await options.tamper?.(context as unknown as KoaContextWithOIDC)
  })
  return provider
}

export function signingKey(): JsonWebKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }
}
