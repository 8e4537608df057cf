import { type TProperties, Type } from 'typebox'
import { requestBody } from '#contract/kit/schema.ts'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'

export const MAX_PAGE = 1000
export const MAX_FETCH_ALL = 30_000
export const MAX_DISTINCT = 500
/** Beyond this, a number in a request is a mistake. */
export const MAX_NUMBER = 1_000_000_000

/** Only the outer shape stands here: `parseFilter` in domain says exactly which part is wrong, which a schema cannot. */
const FilterSchema = Type.Unsafe<FilterInput>({
  type: 'object',
  description:
    '{condition: ANY|ALL, criteria: [...]}; an element is {name, method, value, not, casefold, tostring} or another such filter, at most 4 deep and 600 criteria in all, 20 of them with tostring.',
  examples: [
    { condition: 'ANY', criteria: [{ name: 'AccountName', method: 'CONTAINS', value: 'aero', casefold: true }] },
  ],
})

const SortingSchema = Type.Unsafe<SortInput[]>({
  type: 'array',
  maxItems: 20,
  description: 'Sort rules, the first the strongest: {name, direction: asc|desc}.',
  items: { type: 'object' },
})

/** The body of a list's page call. */
export function listBody<const P extends TProperties>(scope: P) {
  return requestBody({
    ...scope,
    filter: Type.Optional(FilterSchema),
    sorting: Type.Optional(SortingSchema),
    attributes: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_NUMBER })),
    token: Type.Optional(Type.Union([Type.String({ maxLength: 4000 }), Type.Null()])),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_NUMBER,
        description: `How many rows to answer. More than ${MAX_PAGE} are refused with the code TOO_MANY_ROWS.`,
      }),
    ),
  })
}

export function countBody<const P extends TProperties>(scope: P) {
  return requestBody({ ...scope, filter: Type.Optional(FilterSchema) })
}

export function distinctBody<const P extends TProperties>(scope: P) {
  return requestBody({
    ...scope,
    filter: Type.Optional(FilterSchema),
    key: Type.Optional(Type.String({ maxLength: 100 })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_NUMBER,
        description: `From this many values on, ${MAX_DISTINCT} at most, the call is refused with the code TOO_MANY_DISTINCT.`,
      }),
    ),
  })
}

/** Everything that matches: what a page is cut by has no say in an export. */
export function exportBody<const P extends TProperties>(scope: P) {
  return requestBody({ ...scope, filter: Type.Optional(FilterSchema), sorting: Type.Optional(SortingSchema) })
}

export const token = { token: Type.Union([Type.String(), Type.Null()]) }
