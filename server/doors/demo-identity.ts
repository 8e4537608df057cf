import Provider, { type Configuration, interactionPolicy } from 'oidc-provider'
import { DEMO_COOKIE, type DemoProvider } from '#server/doors/demo-store.ts'

export type DemoPerson = { email: string; firstName: string; lastName: string; about: string; emailVerified?: boolean }
export type DemoClient = { id: string; redirectUri: string; afterSignOut: string }

/** Where the provider is mounted. */
export const DEMO_PATH = '/demo-idp'

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
