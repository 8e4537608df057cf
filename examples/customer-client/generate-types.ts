/**
 * Writes the types of the calls that the client makes, from the OpenAPI document of a portal:
 *
 *   curl -sS -H "Authorization: Bearer $TOKEN" "$PORTAL_URL/api/docs/json" > openapi.json
 *   node examples/customer-client/generate-types.ts openapi.json > examples/customer-client/portal-api.ts
 */
import fs from 'node:fs'

const PATHS = [
  '/api/fetchEntitlements/active',
  '/api/fulfillments/servers',
  '/api/fulfillments/download',
  '/api/fetchUsage/export',
]

const NAMED = ['Filter', 'Sorting']

type Schema = {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
}
type Content = Record<string, { schema: Schema }>
type Document = {
  paths: Record<
    string,
    { post: { requestBody: { content: Content }; responses: Record<string, { content: Content }> } }
  >
  components: { schemas: Record<string, Schema> }
}

/** The text of portal-api.ts. */
function typesOf(document: Document): string {
  const named = new Map<string, string>()
  /** Other schemas are written where they are used. */
  const typeOfRef = (ref: string): string => {
    const key = ref.split('/').at(-1) ?? ''
    // New codes may come at any time.
    if (key === 'FailureCode') return 'string'
    const schema = document.components.schemas[key] ?? {}
    if (!NAMED.includes(key)) return typeOf(schema)
    if (!named.has(key)) {
      // Before its fields are written: a filter contains filters.
      named.set(key, '')
      named.set(key, `export type ${key} = ${typeOf(schema)}\n`)
    }
    return key
  }
  const typeOf = (schema: Schema): string => {
    if (schema.$ref) return typeOfRef(schema.$ref)
    if ('const' in schema) return JSON.stringify(schema.const)
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
    if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
    if (schema.type === 'array') return `(${typeOf(schema.items ?? {})})[]`
    if (schema.type === 'integer' || schema.type === 'number') return 'number'
    if (schema.type === 'string' || schema.type === 'boolean' || schema.type === 'null') return schema.type
    if (schema.type !== 'object') return 'unknown'
    const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
      const isRequired = schema.required?.includes(name)
      return `${JSON.stringify(name)}${isRequired ? '' : '?'}: ${typeOf(field)}`
    })
    const [rest] = Object.values(schema.patternProperties ?? {})
    return `{ ${[...fields, ...(rest ? [`[name: string]: ${typeOf(rest)}`] : [])].join('; ')} }`
  }
  const calls = PATHS.map((path) => {
    const { requestBody, responses } = document.paths[path]!.post
    const answer = responses[200]?.content['application/json']?.schema ?? {}
    return `  '${path}': { request: ${typeOf(requestBody.content['application/json']?.schema ?? {})}; answer: ${typeOf(answer)} }\n`
  })
  const head = '/** Made by generate-types.ts from the OpenAPI document. Do not edit it. */\n'
  return `${head}export type Calls = {\n${calls.join('')}}\n\n${[...named.values()].join('\n')}`
}

process.stdout.write(typesOf(JSON.parse(fs.readFileSync(process.argv[2] ?? 'openapi.json', 'utf8'))))
