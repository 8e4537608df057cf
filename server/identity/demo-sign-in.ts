import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { DEMO_PATH, type DemoPerson } from '#server/doors/demo-identity.ts'
import { mountDemoIdentity } from '#server/identity/demo-identity.ts'
import { createProviderLoader, fetchFromApp, type SignIn } from '#server/identity/oidc-client.ts'

type Options = { readonly config: Config; readonly people: readonly DemoPerson[] }

/** The demo identity provider, in this process. */
export function demoSignIn(app: FastifyInstance, { config, people }: Options): SignIn {
  const secret = randomBytes(24).toString('base64url')
  const client = {
    id: 'portal',
    secret,
    redirectUri: `${config.origin}/auth/callback`,
    afterSignOut: `${config.origin}/`,
  }
  const endDemoSession = mountDemoIdentity(app, { config, people, client })
  const settings = {
    issuer: `${config.origin}${DEMO_PATH}`,
    clientId: client.id,
    clientSecret: client.secret,
    clientAuth: 'basic' as const,
    trustEmail: false,
    roleClaim: undefined,
    roleMap: new Map(),
  }
  return { settings, provider: createProviderLoader(settings, fetchFromApp(app, config.origin)), endDemoSession }
}
