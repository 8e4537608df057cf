import { type FilterField, parseFilter, type ScimFilter } from '#domain/provisioning/scim-filter.ts'
import { DEFAULT_RESULTS, MAX_RESULTS, type Projection } from '#domain/provisioning/scim-resources.ts'
import { ScimError } from '#server/http/http-error.ts'
import { type ScimRequest, understood } from '#server/modules/provisioning/scim/scim-act.ts'

export type ListQuery = {
  readonly filter: ScimFilter
  /** Counted from 1. */
  readonly startIndex: number
  readonly count: number
  readonly projection: Projection
}

export function readListQuery({ query = {} }: ScimRequest, fields: readonly FilterField[]): ListQuery {
  const { filter } = query
  return {
    filter: typeof filter === 'string' && filter !== '' ? understood(() => parseFilter(fields, filter)) : [],
    // Less than 1 is 1, and less than 0 is 0 (RFC 7644, section 3.4.2.4).
    startIndex: Math.max(1, numberIn(query.startIndex, 'startIndex') ?? 1),
    count: Math.min(MAX_RESULTS, Math.max(0, numberIn(query.count, 'count') ?? DEFAULT_RESULTS)),
    projection: projectionIn({ query }),
  }
}

export function projectionIn({ query = {} }: ScimRequest): Projection {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return { attributes: text(query.attributes), excludedAttributes: text(query.excludedAttributes) }
}

const MAX_INDEX = 2_000_000_000

function numberIn(value: unknown, name: string): number | undefined {
  if (value === undefined || value === '') return undefined
  const number = Number(value)
  if (!Number.isInteger(number)) throw new ScimError(400, `${name} must be a whole number.`, 'invalidValue')
  return Math.min(MAX_INDEX, number)
}
