import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'

/** Checked by a parser with its own limits, or only compared with a stored value. */
const READ_ELSEWHERE = /\.(?:filter|sorting\[\]|history|file|licenseText|filterModel\.\*)$/

type Schema = TSchema & {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Record<string, Schema>
  readonly patternProperties?: Record<string, Schema>
  readonly [limit: string]: unknown
}

/** These formats limit the length as well: an address, an id, one of several words. */
const STRING_LIMITS = ['maxLength', 'pattern', 'format', 'enum', 'const']

/** Finds fields whose length is limited by the body limit only. */
function unboundedIn(schema: Schema, path: string): string[] {
  if (READ_ELSEWHERE.test(path)) return []
  if (schema.anyOf) return schema.anyOf.flatMap((one) => unboundedIn(one, path))
  const hasOne = (limits: readonly string[]) => limits.some((limit) => schema[limit] !== undefined)
  switch (schema.type) {
    case 'string':
      return hasOne(STRING_LIMITS) ? [] : [path]
    case 'array':
      return [...(hasOne(['maxItems']) ? [] : [path]), ...unboundedIn(schema.items as Schema, `${path}[]`)]
    case 'object': {
      const records = Object.values(schema.patternProperties ?? {})
      const isBounded = schema.properties ? records.length === 0 : hasOne(['maxProperties'])
      return [
        ...(isBounded ? [] : [path]),
        ...records.flatMap((one) => unboundedIn(one, `${path}.*`)),
        ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => unboundedIn(one, `${path}.${name}`)),
      ]
    }
    default:
      return []
  }
}

test('every text and list that a call takes has a limit', () => {
  const unbounded = OPERATIONS.flatMap((operation) =>
    (['body', 'query', 'params'] as const).flatMap((part) => {
      const schema = (operation as unknown as Record<string, Schema | undefined>)[part]
      return schema ? unboundedIn(schema, `${operation.name} ${part}`) : []
    }),
  )
  expect(unbounded).toEqual([])
})
