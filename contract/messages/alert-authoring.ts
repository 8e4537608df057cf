import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { PlainLines } from '#contract/kit/plain-text.ts'
import { exactly, Revision, requestFields } from '#contract/kit/schema.ts'
import { alertList } from '#contract/messages/alert-list.ts'
import { MessageId } from '#contract/messages/emails.ts'
import { ALERT_CATEGORIES } from '#domain/messages/alerts.ts'
import { alertWords } from '#domain/messages/audit-words.ts'

const Instant = Type.String({ format: 'date-time', maxLength: 40 })
const draft = {
  category: Type.Enum([...ALERT_CATEGORIES]),
  date: Instant,
  expires: Type.Union([Instant, Type.Null()]),
  description: PlainLines(4000),
  service: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 }),
  links: Type.Array(exactly({ text: Type.String({ maxLength: 200 }), url: Type.String({ maxLength: 2000 }) }), {
    maxItems: 20,
  }),
}
const authors = { kind: 'portal', action: 'alerts.write' } as const

export const createAlert = operation({
  name: 'alerts/create',
  summary: 'Publish an alert; it is at once in every open portal',
  access: authors,
  token: null,
  writes: true,
  audit: alertWords('Published', 'publish'),
  body: requestFields(draft),
  data: alertList.row,
})

export const editAlert = operation({
  name: 'alerts/edit',
  summary: 'Change an alert',
  access: authors,
  token: null,
  writes: true,
  audit: alertWords('Changed', 'change'),
  params: exactly({ id: MessageId }),
  body: requestFields({ ...draft, revision: Revision }),
  data: alertList.row,
})

export const resolveAlert = operation({
  name: 'alerts/resolve',
  summary: 'Say that an alert is over; it expires now unless it has already',
  access: authors,
  token: null,
  writes: true,
  audit: alertWords('Resolved', 'resolve'),
  params: exactly({ id: MessageId }),
  body: requestFields({ revision: Revision }),
  data: alertList.row,
})
