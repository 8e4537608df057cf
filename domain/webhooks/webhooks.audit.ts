import { field, named, text, type WordsByAction } from '#domain/audit/words.ts'

export const WEBHOOKS_WORDS: WordsByAction = {
  'webhooks/save': {
    what: 'save a webhook',
    done: ({ before, after }) => `${before ? 'Changed' : 'Added'} the webhook ${text(field(after, 'url'))}`.trimEnd(),
  },
  'webhooks/rotate': named('Made a new secret for the webhook', 'make a new secret of a webhook', 'after', 'url'),
  'webhooks/remove': named('Removed the webhook', 'remove a webhook', 'before', 'url'),
  'webhooks/test': named('Sent a test event to the webhook', 'send a test event', 'after', 'url'),
  'webhooks/resend': named('Sent an event again to the webhook', 'send an event again', 'after', 'url'),
  'webhook.switch-off': {
    what: 'switch off a webhook',
    done: ({ after }) => `Switched off the webhook ${text(field(after, 'url'))}: ${text(field(after, 'reason'))}`,
  },
  'webhooks/replay': named('Sent the events of a time again to the webhook', 'send events again', 'after', 'url'),
}
