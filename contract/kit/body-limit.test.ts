import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { BATCH_BODY_LIMIT, BODY_LIMIT } from '#contract/kit/operation.ts'
import { OPERATIONS } from '#contract/operations.ts'

type Node = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Node[]
  maxLength?: number
  maxItems?: number
  items?: Node
  properties?: Record<string, Node>
}

/** The longest ASCII JSON that a schema allows; parts that the schema leaves open count as empty. */
function longest(schema: Node): number {
  if (schema.anyOf) return Math.max(...schema.anyOf.map(longest))
  const fixed = schema.enum ?? ('const' in schema ? [schema.const] : undefined)
  if (fixed) return Math.max(...fixed.map((value) => JSON.stringify(value).length))
  if (schema.type === 'array') return 2 + (schema.maxItems ?? 0) * (longest(schema.items ?? {}) + 1)
  if (schema.type === 'object')
    return Object.entries(schema.properties ?? {}).reduce((sum, [name, one]) => sum + name.length + 4 + longest(one), 2)
  return schema.type === 'string' ? 2 + (schema.maxLength ?? 0) : 20
}

test.each(
  OPERATIONS.flatMap(({ name, body, upload, bodyLimit }) =>
    body && !upload ? [[name, body, bodyLimit] as const] : [],
  ),
)('%s has room for every body that its schema allows, up to 1 MB', (_, body, limit = BODY_LIMIT) => {
  expect(limit).toBeGreaterThanOrEqual(Math.min(longest(body as TSchema as Node), BATCH_BODY_LIMIT))
})
