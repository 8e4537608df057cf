import { act, field, text, type Words, type WordsByAction } from '#domain/audit/words.ts'

const alert = (did: string, what: string): Words => ({
  what: `${what} an alert`,
  done: ({ after }) => `${did} the alert "${text(field(after, 'title'))}"`,
})

export const MESSAGES_WORDS: WordsByAction = {
  'emails/body': act('Read an email', 'read an email', ''),
  'emails/attachment': {
    what: 'download an attachment of an email',
    done: ({ after }) => `Downloaded the attachment ${text(field(after, 'name'))} of an email`,
  },
  'emails/resend': {
    what: 'send an email again',
    done: ({ before }) => `Sent the email "${text(field(before, 'subject'))}" again`,
  },
  'emails/delete': {
    what: 'delete an email',
    done: ({ before }) => `Deleted the email "${text(field(before, 'subject'))}"`,
  },
  'notifications/stream': act('Listened for notifications', 'listen for notifications'),
  'alerts/create': alert('Published', 'publish'),
  'alerts/edit': alert('Changed', 'change'),
  'alerts/resolve': alert('Resolved', 'resolve'),
  'outbox/resend': act('Sent a message again', 'send a message again', 'with the id'),
}
