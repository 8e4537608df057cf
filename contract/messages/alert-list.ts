import { Type } from 'typebox'
import { declareList } from '#contract/kit/list.ts'
import { ALERT_CATEGORIES, ALERT_STATUSES } from '#domain/messages/alerts.ts'

const AlertLinks = Type.Array(Type.Object({ text: Type.String(), url: Type.String() }))

export const alertList = declareList({
  name: 'notifications',
  module: 'messages',
  rows: 'alerts, whatever their status',
  access: { kind: 'signed-in' },
  scope: {},
  fields: {
    id: { type: 'text' },
    category: { type: 'text', schema: Type.Enum([...ALERT_CATEGORIES]) },
    severity: {
      type: 'number',
      schema: Type.Integer({
        description: '0 for OK up to 3 for CRITICAL: sort and filter ranges of categories by it',
      }),
    },
    status: { type: 'text', schema: Type.Enum([...ALERT_STATUSES]) },
    date: { type: 'instant' },
    expires: { type: 'instant', nullable: true },
    description: { type: 'text' },
    service: { type: 'text-list' },
    links: { type: 'json', schema: AlertLinks },
    revision: {
      type: 'number',
      schema: Type.Integer({ description: 'Rises with every change; an edit says which one it started from' }),
    },
  },
  key: ['id'],
  defaultSort: [{ name: 'date', direction: 'desc' }],
  distinct: 'service',
})
