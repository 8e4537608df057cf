import { type TProperties, type TSchema, Type } from 'typebox'
import { FailureCode, failureCodes } from '#contract/kit/failure-code.ts'

// Browsers have no schemas (web/lib/api/no-schemas.ts), so two schemas share constants instead of properties.
const err = Type.String({ description: 'What went wrong, for a person to read.' })
const data = Type.Optional(
  Type.Object(
    { current: Type.Unknown(), yours: Type.Unknown() },
    { description: 'With the code STALE: what is saved now, and what the call wanted to save.' },
  ),
)

export const FailureSchema = Type.Object(
  { status: Type.Literal('FAILURE'), code: FailureCode, err, data },
  { $id: 'Failure', additionalProperties: true },
)

/** An error in the form of RFC 9457, for programs that accept it. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ examples: ['urn:licensing-portal:problem:not-allowed'] }),
    title: Type.String({ description: 'The name of the HTTP status' }),
    status: Type.Integer({ description: 'The HTTP status' }),
    detail: err,
    instance: Type.String({ description: 'Ends with the X-Request-Id' }),
    code: FailureCode,
    data,
  },
  { additionalProperties: true },
)

/** A business refusal with one of these codes: HTTP 200 instead of a file. */
export const refusalSchema = (codes: readonly FailureCode[]): TSchema =>
  Type.Object({ ...FailureSchema.properties, code: failureCodes(codes) })

/**
 * HTTP 200 carries either a success or a business refusal (PIN not found, order over balance). The documentation names
 * the codes of the operation; the serializer takes any, so that none is ever lost.
 */
export function answerSchema(
  data: TSchema,
  extraFields: Record<string, TSchema> = {},
  refusals?: readonly FailureCode[],
): TSchema {
  const code = refusals ? failureCodes(refusals) : FailureCode
  const success = Type.Literal('SUCCESS')
  const canRefuse = refusals === undefined || refusals.length > 0
  return Type.Object({
    status: canRefuse ? Type.Union([success, Type.Literal('FAILURE')]) : success,
    ...(canRefuse ? { code: Type.Optional(code), err: Type.Optional(Type.String()) } : {}),
    data: Type.Optional(data),
    ...Object.fromEntries(Object.entries(extraFields).map(([name, schema]) => [name, Type.Optional(schema)])),
  })
}

/** The result for one element of a list: which element, and whether it succeeded. */
export function lineResult<const P extends TProperties>(fields: P) {
  return Type.Object({
    ...fields,
    status: Type.Union([Type.Literal('SUCCESS'), Type.Literal('FAILURE')]),
    code: Type.Optional(FailureCode),
    err: Type.Optional(Type.String()),
  })
}
