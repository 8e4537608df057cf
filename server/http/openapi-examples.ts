import type { Operation } from '#contract/kit/operation.ts'

type Schema = {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly minItems?: number
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  ipv4: '192.0.2.1',
  email: 'ada.admin@aerodyne.example',
}

/** A value that the schema allows: its first example, or the smallest one with the required fields. */
function exampleOf(schema: Schema): unknown {
  if (schema.examples?.length) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (schema.enum?.length) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {})
  switch (schema.type) {
    case 'object':
      return exampleOfObject(schema)
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => exampleOf(schema.items ?? {}))
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return FORMATS[schema.format ?? ''] ?? 'example'
  }
}

function exampleOfObject({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const shown = Object.entries(properties).filter(([name, { examples }]) => required.includes(name) || examples?.length)
  return Object.fromEntries(shown.map(([name, schema]) => [name, exampleOf(schema)]))
}

const asSchema = (schema: object | undefined) => (schema ?? {}) as Schema

export type RequestExample = {
  readonly params: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly body: unknown
}

export function requestExample({ params, query, body, documentedBody, upload }: Operation): RequestExample {
  return {
    params: exampleOfObject(asSchema(params)),
    query: exampleOfObject(asSchema(query)),
    body: body && !upload ? exampleOf(asSchema(documentedBody ?? body)) : undefined,
  }
}

/** The call as a command. The address and the secret are variables of the shell. */
export function curlOf(operation: Operation): string {
  const { params, query, body } = requestExample(operation)
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const secret = operation.access.kind === 'service' ? 'SERVICE_KEY' : 'TOKEN'
  return [
    `curl -sS${operation.media ? 'OJ' : ''} -X ${operation.method} "$PORTAL${path}${search ? `?${search}` : ''}"`,
    ...(operation.access.kind === 'public' ? [] : [`-H "Authorization: Bearer $${secret}"`]),
    ...(operation.upload ? [`-F "customerNumber=100001" -F "file=@license.lic"`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`]),
  ].join(' \\\n  ')
}
