import { type Static, Type } from 'typebox'

/** `GET /config.json`: what the browser must know before anyone has signed in. A file, not an operation: no status. */
export const RuntimeConfig = Type.Object({
  apiUrl: Type.String(),
  profileEditUrl: Type.String(),
  documentationUrl: Type.String(),
  supportUrl: Type.String(),
  signInUrl: Type.String(),
  environment: Type.Union([Type.Literal('dev'), Type.Literal('uat'), Type.Literal('prod')]),
  brand: Type.Object({ name: Type.String(), logoUrl: Type.String(), color: Type.String() }),
  alertRefreshMinutes: Type.Number(),
  mailDelivery: Type.Union([Type.Literal('smtp'), Type.Literal('mailbox')], {
    description: 'mailbox: no mail server is set, so mails reach nobody; they are kept in the history and in a folder',
  }),
})
export type RuntimeConfig = Static<typeof RuntimeConfig>
