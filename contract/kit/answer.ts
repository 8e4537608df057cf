import { type TProperties, type TSchema, Type } from 'typebox'
import { FailureCode } from '#contract/kit/failure-code.ts'

export const FailureSchema = Type.Object(
  {
    status: Type.Literal('FAILURE'),
    code: FailureCode,
    err: Type.String({ description: 'What went wrong, for a person to read.' }),
    data: Type.Optional(
      Type.Object(
        { current: Type.Unknown(), yours: Type.Unknown() },
        { description: 'With the code STALE: what is saved now, and what the call wanted to save.' },
      ),
    ),
  },
  { $id: 'Failure', additionalProperties: true },
)

/** HTTP 200 carries either a success or a refusal that belongs to the business (PIN not found, order over balance). */
export function answerSchema(data: TSchema, extraFields: Record<string, TSchema> = {}): TSchema {
  return Type.Object({
    status: Type.Union([Type.Literal('SUCCESS'), Type.Literal('FAILURE')]),
    code: Type.Optional(FailureCode),
    err: Type.Optional(Type.String()),
    data: Type.Optional(data),
    ...Object.fromEntries(Object.entries(extraFields).map(([name, schema]) => [name, Type.Optional(schema)])),
  })
}

/** The result for one element of a list: what names the element, and how it went. */
export function lineResult<const P extends TProperties>(fields: P) {
  return Type.Object({
    ...fields,
    status: Type.Union([Type.Literal('SUCCESS'), Type.Literal('FAILURE')]),
    code: Type.Optional(FailureCode),
    err: Type.Optional(Type.String()),
  })
}
