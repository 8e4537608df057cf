import { Type } from 'typebox'
import { countBody, distinctBody, listBody, token } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { exactly } from '#contract/kit/schema.ts'
import { MessageId } from '#contract/messages/emails.ts'
import type { Alert } from '#domain/messages/alerts.ts'

export const AlertCategorySchema = Type.Union([
  Type.Literal('OK'),
  Type.Literal('INFO'),
  Type.Literal('WARNING'),
  Type.Literal('CRITICAL'),
])

const alertFields = {
  id: Type.String(),
  category: AlertCategorySchema,
  status: Type.Union([Type.Literal('ACTIVE'), Type.Literal('RESOLVED')]),
  date: Type.String(),
  expires: Type.Union([Type.String(), Type.Null()]),
  description: Type.String(),
  service: Type.Array(Type.String()),
  links: Type.Array(Type.Object({ text: Type.String(), url: Type.String() })),
}
const AlertSchema = Type.Unsafe<Alert>(Type.Object(alertFields))

const recordFields = {
  ...alertFields,
  severity: Type.Integer({ description: '0 for OK up to 3 for CRITICAL: sort and filter ranges of categories by it' }),
  revision: Type.Integer({ description: 'Rises with every change; an edit says which one it started from' }),
}
/** An alert as the list and the detail page have it. */
export const AlertRecord = Type.Object(recordFields)

export const activeNotifications = operation({
  name: 'notifications/active',
  method: 'GET',
  path: '/api/notifications',
  summary: 'Alerts that the banner shows now',
  module: 'messages',
  access: { kind: 'signed-in' },
  writes: false,
  background: true,
  data: Type.Array(AlertSchema),
})

export const streamNotifications = operation({
  name: 'notifications/stream',
  method: 'GET',
  path: '/api/notifications/stream',
  summary:
    'Server-sent events: `alerts` carries what the banner shows, at once and after every change; `end` says that the session is over',
  module: 'messages',
  access: { kind: 'signed-in' },
  writes: false,
  background: true,
  query: exactly({
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

export const listNotifications = operation({
  name: 'notifications',
  method: 'POST',
  path: '/api/notifications',
  summary: 'Alerts, whatever their status',
  module: 'messages',
  access: { kind: 'signed-in' },
  writes: false,
  body: listBody({}),
  data: Type.Array(Type.Partial(Type.Object(recordFields))),
  beside: token,
})

export const countNotifications = operation({
  name: 'notifications/count',
  method: 'POST',
  path: '/api/notifications/count',
  summary: 'How many alerts match',
  module: 'messages',
  access: { kind: 'signed-in' },
  writes: false,
  body: countBody({}),
  data: Type.Integer(),
})

export const distinctNotifications = operation({
  name: 'notifications/distinct',
  method: 'POST',
  path: '/api/notifications/distinct',
  summary: 'Distinct values of one alert field (service unless key says otherwise)',
  module: 'messages',
  access: { kind: 'signed-in' },
  writes: false,
  body: distinctBody({}),
  data: Type.Array(Type.Unknown()),
  beside: token,
})

export const getNotification = operation({
  name: 'notifications/one',
  method: 'GET',
  path: '/api/notifications/:id',
  summary: 'One alert with everything that is known of it',
  module: 'messages',
  access: { kind: 'signed-in' },
  writes: false,
  params: exactly({ id: MessageId }),
  data: AlertRecord,
})
