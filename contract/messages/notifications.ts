import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import type { Alert } from '#domain/messages/alerts.ts'

export const AlertSchema = Type.Unsafe<Alert>(
  Type.Object({
    id: Type.String(),
    category: Type.Union([Type.Literal('OK'), Type.Literal('INFO'), Type.Literal('WARNING'), Type.Literal('CRITICAL')]),
    status: Type.Union([Type.Literal('ACTIVE'), Type.Literal('RESOLVED')]),
    date: Type.String(),
    expires: Type.Union([Type.String(), Type.Null()]),
    description: Type.String(),
    service: Type.Array(Type.String()),
    links: Type.Array(Type.Object({ text: Type.String(), url: Type.String() })),
  }),
)

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
