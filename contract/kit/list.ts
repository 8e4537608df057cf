import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { type Access, LIST_BODY_LIMIT, type Operation, operation } from '#contract/kit/operation.ts'
import { requestFields } from '#contract/kit/schema.ts'
import { download } from '#domain/audit/words.ts'
import type { FieldDeclaration, FieldType } from '#domain/filter/fields.ts'
import { type FilterInput, METHODS, type SortInput } from '#domain/filter/filter.ts'

export const MAX_PAGE = 1000
export const MAX_FETCH_ALL = 30_000
export const MAX_DISTINCT = 500
/** A larger number in a request is a mistake. */
export const MAX_NUMBER = 1_000_000_000

/** A field of a list on the wire: its type, and how it is filtered and sorted on both sides. */
export type ListField = FieldDeclaration & {
  /** The value may be missing: null on the wire. */
  readonly nullable?: true
  /** Describes the value more closely than its type does. */
  readonly schema?: TSchema
}
export type ListFields = Readonly<Record<string, ListField>>

export type WireForms = {
  text: string
  number: number
  instant: string
  day: string
  boolean: boolean
  'text-list': string[]
  json: unknown
}
type WireValue<F extends ListField> =
  | (F['schema'] extends TSchema ? Static<F['schema']> : WireForms[F['type']])
  | (F['nullable'] extends true ? null : never)

/** A row as it goes over the wire; a request for some attributes only leaves the others out. */
export type WireRow<F extends ListFields> = { -readonly [K in keyof F]: WireValue<F[K]> }

/** The declaration of a list: the operations, the server's routes and the browser's source are derived from it. */
type Declaration<
  A extends Access,
  P extends TProperties,
  F extends ListFields,
  C extends TProperties,
  N extends string,
  M extends string | false,
  G extends false | undefined,
> = {
  /** The name of the page operation, and its path below /api; the others follow it with /count, /distinct, … */
  readonly name: N
  /** What the rows are, for the summaries: 'emails of an account'. */
  readonly rows: string
  readonly access: A
  readonly token: Operation['token']
  /** The fields of every request that say whose rows are meant. */
  readonly scope: P
  readonly fields: F
  /** Fields that are never missing and together unique within a scope: they identify a row and break ties. */
  readonly key: readonly (keyof F & string)[]
  /** The order when the request names none. */
  readonly defaultSort: readonly (SortInput & { readonly name: keyof F & string })[]
  /** The field whose values `distinct` lists when the request names none; false for a list without distinct values. */
  readonly distinct: (keyof F & string) | false
  /** False for a list that another operation answers as a whole. */
  readonly page?: G
  /** The count under another name than `{name}/count`; false for a list that is not counted. */
  readonly count?: M
  /** Number fields that can be added up, with a separate sum for each value of another field, such as the currency. */
  readonly sum?: { readonly fields: readonly (keyof F & string)[]; readonly by: keyof F & string }
  /** Can be exported as CSV; what the audit log calls the rows, and further fields of the request. */
  readonly csv?: { readonly summary: string; readonly noun: string; readonly body?: C }
}

/** Describes the outer shape only: `parseFilter` in domain names the part that is wrong, which a schema cannot do. */
export const FilterSchema = Type.Unsafe<FilterInput>({
  title: 'Filter',
  type: 'object',
  description:
    '{condition: ANY|ALL, criteria: [...]}; an element is {name, method, value, not, casefold, tostring} or another such filter, at most 4 deep and 600 criteria in all, 20 of them with tostring.',
})

const SortingSchema = Type.Unsafe<SortInput[]>({
  title: 'Sorting',
  type: 'array',
  maxItems: 20,
  description: 'Sort rules, the first the strongest: {name, direction: asc|desc}.',
  items: { type: 'object' },
})

/** Describes, for the documentation, what the parsers check beyond `FilterSchema` and `SortingSchema`. By title. */
export const FULL_SCHEMAS = {
  Filter: {
    ...FilterSchema,
    // Not in the schema itself: the example of a call must have fields of its own list.
    examples: [
      { condition: 'ANY', criteria: [{ name: 'AccountName', method: 'CONTAINS', value: 'aero', casefold: true }] },
    ],
    required: ['condition', 'criteria'],
    properties: {
      condition: { type: 'string', enum: ['ANY', 'ALL'] },
      criteria: {
        type: 'array',
        items: {
          anyOf: [
            { $ref: '#/components/schemas/Filter' },
            {
              type: 'object',
              required: ['name', 'method'],
              properties: {
                name: { type: 'string', description: 'A field of the list' },
                method: { type: 'string', enum: METHODS },
                value: { description: 'What the method compares with' },
                not: { type: 'boolean', default: false },
                casefold: { type: 'boolean', default: true, description: 'Ignore upper and lower case' },
                tostring: { type: 'boolean', default: false, description: 'Compare the value as text' },
              },
            },
          ],
        },
      },
    },
  },
  Sorting: {
    ...SortingSchema,
    items: {
      type: 'object',
      required: ['name', 'direction'],
      properties: {
        name: { type: 'string', description: 'A field of the list' },
        direction: { type: 'string', enum: ['asc', 'desc', 'ASC', 'DESC'] },
      },
    },
  },
}

const filtered = { filter: Type.Optional(FilterSchema) }
/** Fields that every list request without pages takes. */
export const sortedFields = { ...filtered, sorting: Type.Optional(SortingSchema) }
const paged = {
  ...sortedFields,
  attributes: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_NUMBER })),
  token: Type.Optional(Type.Union([Type.String({ maxLength: 4000 }), Type.Null()])),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_NUMBER,
      description: `How many rows to answer. More than ${MAX_PAGE} are refused with the code TOO_MANY_ROWS.`,
      examples: [20],
    }),
  ),
}
const valued = {
  ...filtered,
  key: Type.Optional(Type.String({ maxLength: 100 })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_NUMBER,
      description: `From this many values on, ${MAX_DISTINCT} at most, the call is refused with the code TOO_MANY_DISTINCT.`,
    }),
  ),
}
const summed = {
  ...filtered,
  fields: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 20, description: 'What to add up' }),
  ),
}
const SumSchema = Type.Object({
  by: Type.Union([Type.String(), Type.Null()], { description: 'The value that these rows have in common' }),
  sums: Type.Record(Type.String(), Type.String(), { description: 'By field; exact decimals as text' }),
})
export type Sum = Static<typeof SumSchema>
const continuation = { token: Type.Union([Type.String(), Type.Null()]) }

/** An export has all rows that match the filter, so it takes no page size and no token. */
export const exportBody = <const P extends TProperties>(scope: P) => requestFields({ ...scope, ...sortedFields })

/**
 * Declares a list once. `operations` has everything that the list offers; single operations are for those who call or
 * route them.
 */
export function declareList<
  const A extends Access,
  const P extends TProperties,
  const F extends ListFields,
  const C extends TProperties = Record<never, never>,
  const N extends string = string,
  const M extends string | false = never,
  const G extends false | undefined = undefined,
>(declaration: Declaration<A, P, F, C, N, M, G>) {
  const { name, rows, access, token, scope, fields, key, defaultSort } = declaration
  const common = { access, token, writes: false, bodyLimit: LIST_BODY_LIMIT } as const
  const row = Type.Unsafe<WireRow<F>>(rowSchema(fields))
  const page = operation({
    ...common,
    refusals: ['TOO_MANY_ROWS'],
    name,
    summary: `A page of the ${rows}`,
    body: requestFields({ ...scope, ...paged }),
    data: Type.Array(Type.Unsafe<Partial<WireRow<F>>>(Type.Partial(row))),
    extraFields: continuation,
  })
  const countName = (declaration.count || `${name}/count`) as Extract<M, string> | `${N}/count`
  const count = operation({
    ...common,
    name: countName,
    summary: `How many of the ${rows} match`,
    body: requestFields({ ...scope, ...filtered }),
    data: Type.Integer(),
  })
  const { sum: adds } = declaration
  const sum = operation({
    ...common,
    name: `${name}/sum` as `${N}/sum`,
    summary: `What number fields of the ${rows} add up to, for each ${adds?.by} (${adds?.fields.join(', ')} unless fields says otherwise)`,
    body: requestFields({ ...scope, ...summed }),
    data: Type.Array(SumSchema),
  })
  const distinctKey = declaration.distinct || undefined
  const distinct = operation({
    ...common,
    refusals: ['TOO_MANY_DISTINCT'],
    name: `${name}/distinct` as `${N}/distinct`,
    summary: `Distinct values of one field of the ${rows}, null among them if it is missing somewhere (${distinctKey} unless key says otherwise)`,
    body: requestFields({ ...scope, ...valued }),
    data: Type.Array(Type.Unsafe<string | number | boolean | null>({})),
    extraFields: continuation,
  })
  const exportCsv = operation({
    ...common,
    refusals: ['TOO_MANY_ROWS'],
    name: `${name}/export` as `${N}/export`,
    summary: declaration.csv?.summary ?? '',
    body: requestFields({ ...scope, ...sortedFields, ...(declaration.csv?.body as C) }),
    data: Type.Unknown(),
    media: 'text/csv',
    audit: download(declaration.csv?.noun ?? ''),
  })
  const operations = [
    ...(declaration.page === false ? [] : [page]),
    ...(declaration.count === false ? [] : [count]),
    ...(adds ? [sum] : []),
    ...(distinctKey ? [distinct] : []),
    ...(declaration.csv ? [exportCsv] : []),
  ] as readonly (
    | (G extends false ? never : typeof page)
    | typeof count
    | typeof sum
    | typeof distinct
    | typeof exportCsv
  )[]
  return { name, fields, row, key, defaultSort, distinctKey, adds, page, count, sum, distinct, exportCsv, operations }
}

const WIRE_SCHEMAS: Readonly<Record<FieldType, TSchema>> = {
  text: Type.String(),
  number: Type.Number(),
  instant: Type.String({ format: 'date-time' }),
  day: Type.String({ format: 'date', description: 'A calendar day of the account, yyyy-mm-dd' }),
  boolean: Type.Boolean(),
  'text-list': Type.Array(Type.String()),
  json: Type.Unknown(),
}

function rowSchema(fields: ListFields) {
  const properties = Object.entries(fields).map(([name, { type, nullable, schema = WIRE_SCHEMAS[type] }]) => [
    name,
    nullable ? Type.Union([schema, Type.Null()]) : schema,
  ])
  return Type.Object(Object.fromEntries(properties) as TProperties)
}

/** The result type of `declareList` for these types of access, scope, fields and export fields. */
export type List<
  A extends Access,
  P extends TProperties,
  F extends ListFields,
  C extends TProperties = Record<never, never>,
> = ReturnType<typeof declareList<A, P, F, C, string, string>>
