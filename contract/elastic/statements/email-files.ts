import { Type } from 'typebox'
import { LIST_BODY_LIMIT } from '#contract/kit/operation.ts'

/** Calls that mail the files of a screen. Everybody who may see them may mail them to themselves. */
export const emailsFiles = {
  access: { kind: 'account', action: 'elastic.mail-statement', customerNumberIn: 'body' },
  writes: true,
  takesTurns: true,
  bodyLimit: LIST_BODY_LIMIT,
  data: Type.Null(),
} as const

/** The recipients of such a call. */
export const emailRecipients = {
  recipients: Type.Array(Type.String({ maxLength: 320 }), {
    minItems: 1,
    maxItems: 50,
    description:
      'Email addresses: the caller’s own; with the right to schedule statements, those of contacts of the account as well',
    examples: [['ada.admin@aerodyne.example']],
  }),
}
