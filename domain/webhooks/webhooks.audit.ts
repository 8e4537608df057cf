import { act, field, named, text, type WordsByAction } from '#domain/audit/words.ts'

export const WEBHOOKS_WORDS: WordsByAction = {
  'webhooks/save': {
    what: 'save a webhook',
    done: ({ before, after }) => `${before ? 'Changed' : 'Added'} the webhook ${text(field(after, 'url'))}`.trimEnd(),
  },
  'webhooks/rotate': act('Made a new secret', 'make a new secret of a webhook', 'for the webhook'),
  'webhooks/remove': named('Removed the webhook', 'remove a webhook', 'before', 'url'),
  'webhooks/test': act('Sent a test event', 'send a test event', 'to the webhook'),
  'webhooks/resend': act('Sent an event again', 'send an event again', 'to the webhook'),
  'webhooks/replay': act('Sent the events of a time again', 'send events again', 'to the webhook'),
}
