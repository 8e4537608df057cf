import { Type } from 'typebox'
import { declareList } from '#contract/kit/list.ts'
import { CustomerNumber } from '#contract/kit/schema.ts'
import { SESSION_REFUSAL_CODES } from '#domain/elastic/session-refusal.ts'

/** Session starts that were refused. */
export const denialList = declareList({
  name: 'elastic/denials',
  module: 'elastic',
  rows: 'refused session starts of an account, the newest first unless sorted otherwise',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  scope: { customerNumber: CustomerNumber },
  fields: {
    Id: { type: 'number', schema: Type.Integer({ description: 'Unique on the account' }) },
    Time: { type: 'instant', schema: Type.String({ format: 'date-time' }) },
    Reason: { type: 'text', schema: Type.String({ examples: [...SESSION_REFUSAL_CODES] }) },
    Product: { type: 'text' },
    ProductCount: { type: 'number', schema: Type.Integer() },
    User: { type: 'text' },
    Host: { type: 'text' },
    Project: { type: 'text', nullable: true },
    productVersion: { type: 'text' },
    REFERER_IP_ADDRESS: {
      type: 'text',
      schema: Type.String({ description: 'The address that the elastic service saw' }),
    },
    ServerID: { type: 'text' },
  },
  key: ['Time', 'Id'],
  defaultSort: [{ name: 'Time', direction: 'desc' }],
  distinct: 'Reason',
})
