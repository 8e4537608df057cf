import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { exactly, requestFields } from '#contract/kit/schema.ts'
import { alertList } from '#contract/messages/alert-list.ts'
import { MessageId } from '#contract/messages/emails.ts'
import { act } from '#domain/audit/words.ts'
import type { Alert } from '#domain/messages/alerts.ts'

/** What the banner shows of an alert. */
const AlertSchema = Type.Unsafe<Alert>(
  Type.Pick(alertList.row, ['id', 'category', 'status', 'date', 'expires', 'description', 'service', 'links']),
)

export const activeNotifications = operation({
  name: 'notifications/active',
  summary: 'Alerts that the banner shows now',
  access: { kind: 'signed-in' },
  token: null,
  writes: false,
  takesTurns: false,
  background: true,
  data: Type.Array(AlertSchema),
})

export const streamNotifications = operation({
  name: 'notifications/stream',
  summary:
    'Server-sent events: `alerts` carries what the banner shows, at once and after every change; `seat` says that a seat of a license server is free for the caller, who waits for it; `end` says that the session is over',
  access: { kind: 'signed-in' },
  token: null,
  writes: false,
  audit: act('Listened for notifications', 'listen for notifications'),
  takesTurns: false,
  background: true,
  query: requestFields({
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description: 'Close after so many seconds; 0 after the first event',
      }),
    ),
  }),
  data: Type.String(),
  media: 'text/event-stream',
})

export const getNotification = operation({
  name: 'notifications/one',
  summary: 'One alert with everything that is known of it',
  access: { kind: 'signed-in' },
  token: null,
  writes: false,
  takesTurns: false,
  params: exactly({ id: MessageId }),
  data: alertList.row,
})
