import type { TSchema } from 'typebox'
import { answerSchema, FailureSchema, ProblemSchema, refusalSchema } from '#contract/kit/answer.ts'
import { type Operation, refusalsOf } from '#contract/kit/operation.ts'
import { SCIM_MEDIA } from '#contract/provisioning/scim.ts'
import type { JsonObject } from '#server/http/openapi-components.ts'
import { PROBLEM_TYPE } from '#server/http/problem.ts'

/** The meaning of a refusal with this HTTP status, for all operations. */
const MEANINGS = {
  400: 'The request is malformed. The text names the field.',
  401: 'The caller is not signed in, or the service key or token is not valid.',
  403: 'The caller may not do this.',
  404: 'There is no such thing, or the caller may not see it.',
  409: 'Something was changed in the meantime or is not ready, or the Idempotency-Key was sent with another body.',
  412: 'If-Match names another version than the current one.',
  413: 'The body is too large.',
  415: 'The body is not of the expected media type, or it is compressed.',
  429: 'Too many calls. Try again after the seconds in Retry-After.',
  500: 'The portal failed. Nothing was changed.',
  503: 'The portal or its database is not ready. Nothing was changed.',
} as const
type Status = keyof typeof MEANINGS
const STATUSES = Object.keys(MEANINGS).map(Number) as readonly Status[]

/** The HTTP statuses of refusals that an operation can answer. */
export function refusalStatuses(operation: Operation): readonly Status[] {
  const { access, writes, body, query, params, upload, media, wire } = operation
  const hasBody = body !== undefined || upload !== undefined
  const impossible = new Set<Status>([
    ...(hasBody ? [] : ([413, 415] as const)),
    ...(hasBody || query || params || writes ? [] : ([400, 404] as const)),
    ...(access.kind === 'public' ? ([401, 403] as const) : []),
    // Any signed-in person may read it. Changing something needs the cross-site header.
    ...(access.kind === 'signed-in' && !writes ? ([403] as const) : []),
    ...(wire === undefined ? ([412] as const) : []),
    // A file that is named by its id may not be ready yet.
    ...(writes || (media && params) ? [] : ([409] as const)),
  ])
  return STATUSES.filter((status) => !impossible.has(status))
}

/** The headers of every answer. */
const HEADERS = {
  'RateLimit-Policy': {
    description: 'How many calls (q) an address can make in how many seconds (w)',
    schema: { type: 'string', examples: ['"address";q=600;w=60'] },
  },
  RateLimit: {
    description: 'How many calls are left (r), and in how many seconds they are counted anew (t)',
    schema: { type: 'string', examples: ['"address";r=599;t=42'] },
  },
  'X-Request-Id': { description: 'The id of this call in the log', schema: { type: 'string' } },
}
const RETRY_AFTER = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } }
const FILE_HEADERS = {
  'Content-Disposition': { description: 'The name of the file', schema: { type: 'string' } },
}
const TAG_HEADER = {
  ETag: { description: 'For If-None-Match of the next call: 304 if nothing has changed', schema: { type: 'string' } },
}

/** HTTP 304 of an operation that sends an ETag. */
export const unchangedAnswer = { description: 'The caller has the file already', headers: HEADERS }

/** Serializable, without what TypeBox keeps for itself. */
const asJson = (schema: TSchema) => JSON.parse(JSON.stringify(schema)) as JsonObject

/** HTTP 200 of an operation, with the codes of its own business refusals only. */
export function documentedAnswer(operation: Operation) {
  const { data, extraFields, media, wire } = operation
  const refusals = refusalsOf(operation)
  const content: Record<string, { schema: JsonObject }> = {}
  if (media) content[media] = { schema: { type: 'string' } }
  if (wire) content[SCIM_MEDIA] = { schema: { type: 'object' } }
  else if (!media) content['application/json'] = { schema: asJson(answerSchema(data, extraFields, refusals)) }
  else if (refusals.length > 0) content['application/json'] = { schema: asJson(refusalSchema(refusals)) }
  const description = [media ? 'The file' : 'Done', ...(refusals.length > 0 ? ['refused by a business rule'] : [])]
  const headers = { ...HEADERS, ...(media ? FILE_HEADERS : {}), ...(operation.isConditional ? TAG_HEADER : {}) }
  return { description: description.join(', or '), headers, content }
}

/** The refusals by HTTP status, for all operations to refer to. */
export function refusalResponses() {
  return Object.fromEntries(
    STATUSES.map((status) => {
      const headers = status === 429 ? { ...HEADERS, ...RETRY_AFTER } : HEADERS
      const content: Record<string, { schema: JsonObject }> = {
        'application/json': { schema: asJson(FailureSchema) },
        [PROBLEM_TYPE]: { schema: asJson(ProblemSchema) },
      }
      return [status, { description: MEANINGS[status], headers, content }]
    }),
  )
}
