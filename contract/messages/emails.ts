import { type Static, Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly, requestFields } from '#contract/kit/schema.ts'
import { emailList } from '#contract/messages/email-list.ts'
import { act, field, text } from '#domain/audit/words.ts'

export const MessageId = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  examples: ['e0000000-0000-4000-8000-100001000001'],
})

const scope = { customerNumber: CustomerNumber }
const read = { kind: 'account', action: 'emails.read', customerNumberIn: 'body' } as const
const readByQuery = { kind: 'account', action: 'emails.read', customerNumberIn: 'query' } as const

export const Email = Type.Object({
  id: Type.String(),
  date: Type.String(),
  subject: Type.String(),
  to: Type.String(),
  customerNumber: Type.String(),
  customerName: Type.String(),
  delivery: emailList.fields.delivery.schema,
  cc: Type.String(),
  body: Type.String({ description: 'HTML that runs and loads nothing; to be shown from `bodyUrl` in a frame' }),
  bodyUrl: Type.String(),
  trouble: Type.String({
    description:
      'Why it was not delivered at the last attempt, empty if it was: what the mail server said for staff, a plain sentence for others',
  }),
  attachments: Type.Array(
    Type.Object({ name: Type.String(), mediaType: Type.String(), size: Type.Integer(), url: Type.String() }),
  ),
})
export type Email = Static<typeof Email>

export const getEmail = operation({
  name: 'getemail',
  summary: 'One email of an account',
  access: read,
  token: null,
  writes: false,
  body: requestFields({ ...scope, id: MessageId }),
  data: Email,
})

export const getEmailBody = operation({
  name: 'emails/body',
  summary: 'The body of an email as a page of its own that runs and loads nothing',
  access: readByQuery,
  token: null,
  writes: false,
  audit: act('Read an email', 'read an email', ''),
  takesTurns: false,
  params: exactly({ id: MessageId }),
  query: requestFields({ customerNumber: CustomerNumber }),
  data: Type.String(),
  media: 'text/html',
})

export const getEmailAttachment = operation({
  name: 'emails/attachment',
  summary: 'An attachment of an email, the first has position 1',
  access: readByQuery,
  token: null,
  writes: false,
  audit: {
    what: 'download an attachment of an email',
    done: ({ after }) => `Downloaded the attachment ${text(field(after, 'name'))} of an email`,
  },
  takesTurns: false,
  params: exactly({ id: MessageId, position: Type.Integer({ minimum: 1, maximum: 1000 }) }),
  query: requestFields({ customerNumber: CustomerNumber }),
  data: Type.String(),
  media: 'application/octet-stream',
})

export const resendEmail = operation({
  name: 'emails/resend',
  summary: 'Send an email again that could not be delivered; for staff who may write on the account',
  access: { kind: 'account', action: 'emails.resend', customerNumberIn: 'body' },
  token: null,
  writes: true,
  audit: {
    what: 'send an email again',
    done: ({ before }) => `Sent the email "${text(field(before, 'subject'))}" again`,
  },
  refusals: ['EMAIL_NOT_FAILED'],
  params: exactly({ id: MessageId }),
  body: requestFields(scope),
  data: Email,
})

export const deleteEmail = operation({
  name: 'emails/delete',
  summary: 'Delete an email; deleting it again has no effect. Without customerNumber, the account is that of the email',
  access: { kind: 'account', action: 'emails.delete', customerNumberIn: 'query', optional: true },
  token: null,
  writes: true,
  audit: {
    what: 'delete an email',
    done: ({ before }) => `Deleted the email "${text(field(before, 'subject'))}"`,
  },
  params: exactly({ id: MessageId }),
  query: requestFields({ customerNumber: Type.Optional(CustomerNumber) }),
  data: Type.Null(),
})
