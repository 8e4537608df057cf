import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { HttpError } from '#server/http/http-error.ts'
import { DOCS_PATH } from '#server/http/security-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the documentation shows as the body. */
    documentedBody?: object
  }
}

type OpenApi = NonNullable<FastifyDynamicSwaggerOptions['openapi']>
type About = {
  version: string
  securitySchemes: NonNullable<NonNullable<OpenApi['components']>['securitySchemes']>
  /** Who may read it, unless the setting opens it to everybody. */
  isKnown: (request: FastifyRequest) => Promise<boolean>
}

export async function openApi(
  app: FastifyInstance,
  config: Config,
  { version, securitySchemes, isKnown }: About,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${config.brand.name} API`,
        version,
        description:
          'Every answer carries status SUCCESS or FAILURE. Calls that change something take an optional `Idempotency-Key`; with a session they need the header `X-Requested-With: portal`. A call with the header `X-Background: 1` does not extend the session: send it with polls and refreshes that nobody asked for.',
      },
      servers: [{ url: config.origin }],
      components: { securitySchemes },
    },
    transform: ({ schema, url, route }) => {
      const { documentedBody } = route.config ?? {}
      return { schema: documentedBody ? { ...schema, body: documentedBody } : schema, url }
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `schema-${i}`) },
  })
  const refuseUnknown = async (request: FastifyRequest, reply: FastifyReply) => {
    if (await isKnown(request)) return
    if (request.headers.accept?.includes('text/html')) return reply.redirect(`/auth/login?returnTo=${DOCS_PATH}/`)
    throw new HttpError(401, 'Sign in to continue, or send a service key')
  }
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: false,
    theme: { title: 'Licensing Portal API' },
    // After the rate limit, which is an onRequest hook.
    ...(config.publicApiDocs ? {} : { uiHooks: { preHandler: refuseUnknown } }),
  })
}
