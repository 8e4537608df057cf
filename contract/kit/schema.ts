import { type TProperties, Type } from 'typebox'

/** An object that rejects unknown fields: every body, query and path of the API is one. */
export function exactly<const P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

export const CustomerNumber = Type.String({
  pattern: '^[A-Za-z0-9-]{1,20}$',
  description: 'The account that the call is about.',
  examples: ['100001'],
})

/** What is edited as a whole is answered with its revision, which counts its saves. */
export const Revision = Type.Integer({
  minimum: 0,
  maximum: 2_000_000_000,
  description:
    'Counts the saves. A save with another revision than the stored one: 409 with `data` = {current, yours}.',
})

/** Older clients send these with every call. The server ignores them and uses its own identity and clock. */
export const untrusted = {
  customerName: Type.Optional(Type.Union([Type.String({ maxLength: 300 }), Type.Null()])),
  customerEmail: Type.Optional(Type.Union([Type.String({ maxLength: 320 }), Type.Null()])),
  time: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Number(), Type.Null()])),
}

/**
 * The body or query of a call: its own fields, and the untrusted ones, which every call accepts and no use case
 * receives.
 */
export function requestFields<const P extends TProperties>(properties: P) {
  return exactly({ ...untrusted, ...properties })
}
