import { Type } from 'typebox'
import { declareList } from '#contract/kit/list.ts'
import { CustomerNumber } from '#contract/kit/schema.ts'

export const EMAIL_DELIVERIES = ['queued', 'sent', 'mailbox', 'failed'] as const

export const emailList = declareList({
  name: 'getemails',
  rows: 'emails of an account',
  access: { kind: 'account', action: 'emails.read', customerNumberIn: 'body' },
  token: null,
  scope: { customerNumber: CustomerNumber },
  fields: {
    id: { type: 'text' },
    date: { type: 'instant' },
    subject: { type: 'text' },
    to: { type: 'text' },
    customerNumber: { type: 'text' },
    customerName: { type: 'text' },
    delivery: {
      type: 'text',
      schema: Type.Enum([...EMAIL_DELIVERIES], {
        description: 'mailbox: kept in the mailbox folder, because no mail server is set',
      }),
    },
    attachments: { type: 'number', schema: Type.Integer() },
  },
  key: ['id'],
  defaultSort: [{ name: 'date', direction: 'desc' }],
  distinct: 'subject',
})
