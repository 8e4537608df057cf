import { readFileSync } from 'node:fs'
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FULL_SCHEMAS } from '#contract/kit/list.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { OPERATIONS } from '#contract/operations.ts'
import { EVENT_SCHEMAS } from '#contract/webhooks/webhook-events.ts'
import type { Config } from '#server/config.ts'
import {
  documentedAnswer,
  refusalResponses,
  refusalStatuses,
  unchangedAnswer,
} from '#server/http/documented-answers.ts'
import { HttpError } from '#server/http/http-error.ts'
import { componentsOf, type JsonObject, pascal } from '#server/http/openapi-components.ts'
import { curlOf, requestExample } from '#server/http/openapi-examples.ts'
import { PROBLEM_TYPE } from '#server/http/problem.ts'
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
  /** Who may read the documentation, unless the setting opens it to everybody. */
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
          'Every answer carries status SUCCESS or FAILURE. Programs that send `Accept: application/problem+json` with a token or service key get errors (HTTP 4xx and 5xx) in the form of RFC 9457, with our `code`. Every answer of a call has `RateLimit-Policy` and `RateLimit`; a 429 has `Retry-After`. Calls that change something take an optional `Idempotency-Key`; with a session they need the header `X-Requested-With: portal`. A call with the header `X-Background: 1` does not extend the session: send it with polls and refreshes that nobody asked for.',
      },
      servers: [{ url: config.origin }],
      components: { securitySchemes },
    },
    transform: ({ schema, url, route }) => {
      const { documentedBody } = route.config ?? {}
      return { schema: documentedBody ? { ...schema, body: documentedBody } : schema, url }
    },
    transformObject: (made) => ('openapiObject' in made ? named(made.openapiObject as Document) : {}) as OpenApi,
  })
  const refuseUnknown = async (request: FastifyRequest, reply: FastifyReply) => {
    if (await isKnown(request)) return
    if (request.headers.accept?.includes('text/html')) return reply.redirect(`/auth/login?returnTo=${DOCS_PATH}/`)
    throw new HttpError(401, 'Sign in to continue, or send a token or service key')
  }
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: false,
    theme: {
      title: `${config.brand.name} API`,
      css: [{ filename: 'portal.css', content: DOCS_STYLE }],
      favicon: [{ filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: FAVICON }],
    },
    // Runs after the rate limit, which is an onRequest hook.
    ...(config.publicApiDocs ? {} : { uiHooks: { preHandler: refuseUnknown } }),
  })
}

const FAVICON = readFileSync(new URL('../../web/public/favicon.svg', import.meta.url))
/** The font of the web app, and no bar with the name of the program that draws the page. */
const DOCS_STYLE = `@font-face { font-family: Inter; src: url(/assets/inter.woff2); font-weight: 100 900 }
.swagger-ui :not(code, code *, pre, pre *, textarea) { font-family: Inter, system-ui, sans-serif }
.swagger-ui .topbar { display: none }`

type Content = Record<string, { schema: JsonObject; example?: unknown }>
type Documented = {
  requestBody?: { content: Content }
  parameters?: { name: string; in: string; example?: unknown }[]
  responses: Record<string, object>
  'x-codeSamples'?: object[]
}
type Document = {
  webhooks?: Record<string, object>
  paths: Record<string, Record<string, Documented>>
  components?: Record<string, object>
}

const JSON_TYPE = 'application/json'

/** Adds the documented answers to every operation, and moves schemas to named components. */
function named(document: Document): Document {
  const operations = OPERATIONS.map((operation) => {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    const documented = document.paths[path]?.[operation.method.toLowerCase()]
    if (!documented) throw new Error(`${operation.name} is not in the OpenAPI document`)
    return { operation, documented, name: pascal(operation.name), answer: documentedAnswer(operation) }
  })
  const requests = operations.flatMap(({ documented: { requestBody }, name }) => {
    const json = requestBody?.content[JSON_TYPE]
    return json ? [{ json, name: `${name}Request` }] : []
  })
  const answers = operations.map(({ answer, name }) => ({ json: answer.content[JSON_TYPE], name: `${name}Answer` }))
  const refusals = refusalResponses()
  const events = EVENT_SCHEMAS.map(({ type, body }) => ({
    json: { schema: body as unknown as JsonObject },
    name: `${pascal(type)}Event`,
  }))
  const places = [
    ...requests,
    ...answers,
    ...events,
    ...Object.values(refusals).flatMap(({ content }) => [
      { json: content[JSON_TYPE], name: 'Failure' },
      { json: content[PROBLEM_TYPE], name: 'Problem' },
    ]),
  ].flatMap(({ json, name }) => (json ? [{ json, name }] : []))
  const { schemas, refs } = componentsOf(
    places.map(({ name, json }) => [name, json.schema]),
    FULL_SCHEMAS as unknown as Record<string, JsonObject>,
  )
  places.forEach(({ json }, index) => {
    json.schema = refs[index] ?? json.schema
  })
  for (const { operation, documented, answer } of operations) {
    addExamples(operation, documented)
    documented.responses = {
      200: answer,
      ...(operation.isConditional ? { 304: unchangedAnswer } : {}),
      ...Object.fromEntries(
        refusalStatuses(operation).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
      ),
    }
  }
  return {
    ...document,
    webhooks: Object.fromEntries(
      EVENT_SCHEMAS.map(({ type, summary }, index) => [type, webhookOf(summary, events[index])]),
    ),
    components: { ...document.components, schemas: Object.fromEntries(schemas), responses: refusals },
  }
}

/** Values for every field of a request, and the whole call as a command where a program can make it. */
function addExamples(operation: Operation, documented: Documented): void {
  const { params, query, body } = requestExample(operation)
  const json = documented.requestBody?.content[JSON_TYPE]
  if (json) json.example = body
  for (const parameter of documented.parameters ?? []) {
    const values = parameter.in === 'path' ? params : query
    if (values[parameter.name] !== undefined) parameter.example = values[parameter.name]
  }
  const { kind } = operation.access
  if (kind === 'public' || kind === 'service' || operation.token !== null)
    documented['x-codeSamples'] = [{ lang: 'Shell', label: 'curl', source: curlOf(operation) }]
}

const SIGNED_HEADERS = [
  ['webhook-id', 'The same at every attempt: by it, a receiver notices an event that it has already'],
  ['webhook-timestamp', 'The time of the attempt, in seconds since 1970'],
  ['webhook-signature', 'One signature for each valid secret, as Standard Webhooks says: v1,<base64>'],
] as const

/** What an endpoint receives, and what it should answer. */
function webhookOf(summary: string, event: { readonly json: { schema: JsonObject } } | undefined): object {
  return {
    post: {
      summary,
      tags: ['webhooks'],
      parameters: SIGNED_HEADERS.map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      requestBody: { required: true, content: { [JSON_TYPE]: event?.json } },
      responses: {
        '2XX': {
          description: 'The event was received. Anything else, or no answer within 15 seconds, is tried again.',
        },
        410: { description: 'The endpoint wants no more events: it is switched off.' },
      },
    },
  }
}
