import type { Access } from '#contract/kit/operation.ts'
import type { Config } from '#server/config.ts'
import { sessionCookieName } from '#server/session/session.ts'

/** How the OpenAPI document says who may call: people with a session, the vendor's systems with a service key. */
export const securitySchemes = (config: Config) => ({
  session: {
    type: 'apiKey' as const,
    in: 'cookie',
    name: sessionCookieName(config),
    description: 'Set at sign-in (`/auth/login`). Calls that change something also need `X-Requested-With: portal`.',
  },
  serviceKey: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'lpk_…',
    description: 'Made on the command line (`keys create`). Each call names the scope that the key must have.',
  },
})

export function securityOf(access: Access): Record<string, string[]>[] {
  if (access.kind === 'public') return []
  if (access.kind === 'service') return [{ serviceKey: access.scope === undefined ? [] : [access.scope] }]
  return [{ session: [] }]
}
