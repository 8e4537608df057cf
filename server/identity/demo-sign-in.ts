import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { DEMO_PATH, type DemoPerson } from '#server/doors/demo-identity.ts'
import { createDemoProvider, type DemoProvider } from '#server/doors/demo-store.ts'
import { mountDemoIdentity } from '#server/identity/demo-identity.ts'
import { createProviderLoader, fetchFromApp, type SignIn } from '#server/identity/oidc-client.ts'

type Options = {
  readonly config: Config
  readonly people: readonly DemoPerson[]
  /** Of several processes that share the port, each has the same. */
  readonly demo?: DemoProvider | undefined
}

/** The demo identity provider, in this process. */
export function demoSignIn(app: FastifyInstance, { config, people, demo = createDemoProvider() }: Options): SignIn {
  const client = {
    id: 'portal',
    redirectUri: `${config.origin}/auth/callback`,
    afterSignOut: `${config.origin}/`,
  }
  const endDemoSession = mountDemoIdentity(app, { config, people, client, demo })
  const settings = {
    issuer: `${config.origin}${DEMO_PATH}`,
    clientId: client.id,
    clientSecret: demo.keys.clientSecret,
    clientAuth: 'basic' as const,
    trustEmail: false,
    roleClaim: undefined,
    roleMap: new Map(),
  }
  return { settings, provider: createProviderLoader(settings, fetchFromApp(app, config.origin)), endDemoSession }
}
