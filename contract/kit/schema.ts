import { type TProperties, Type } from 'typebox'

/** An object that refuses fields it does not know: every body, query and path of the API is one. */
export function exactly<const P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

export const CustomerNumber = Type.String({
  pattern: '^[A-Za-z0-9-]{1,20}$',
  description: 'The account that the call is about.',
  examples: ['100001'],
})

/** Fields that older clients send and that the server never believes: identity and clock are its own. */
export const untrusted = {
  customerName: Type.Optional(Type.String({ maxLength: 300 })),
  customerEmail: Type.Optional(Type.String({ maxLength: 320 })),
  time: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Number()])),
}
