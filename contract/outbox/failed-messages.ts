import { Type } from 'typebox'
import { declareList } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { exactly } from '#contract/kit/schema.ts'
import { act } from '#domain/audit/words.ts'

const access = { kind: 'portal', action: 'outbox.write' } as const

export const failedMessageList = declareList({
  name: 'outbox/failed',
  rows: 'messages that could not be delivered',
  access,
  token: null,
  scope: {},
  fields: {
    id: { type: 'text' },
    lane: { type: 'text', schema: Type.String({ examples: ['mail'] }) },
    queuedAt: { type: 'instant' },
    resentAt: { type: 'instant', nullable: true },
    attempts: { type: 'number', schema: Type.Integer() },
    trouble: { type: 'text' },
    customerNumber: {
      type: 'text',
      nullable: true,
      schema: Type.String({ description: 'The account that the message belongs to; null if it belongs to none' }),
    },
  },
  key: ['id'],
  defaultSort: [{ name: 'queuedAt', direction: 'desc' }],
  distinct: false,
})

export const resendMessage = operation({
  name: 'outbox/resend',
  refusals: ['MESSAGE_NOT_FAILED'],
  summary: 'Send a message again that could not be delivered, whatever its kind',
  access,
  token: null,
  writes: true,
  audit: act('Sent a message again', 'send a message again', 'with the id'),
  params: exactly({ id: Type.String({ format: 'uuid' }) }),
  data: Type.Null(),
})
