import { Type } from 'typebox'
import { declareList, type WireRow } from '#contract/kit/list.ts'
import { CustomerNumber } from '#contract/kit/schema.ts'

/** What was ordered from the FSA contracts of an account. */
export const historyList = declareList({
  name: 'fsa/history',
  rows: 'FSA orders of an account, the newest first unless sorted otherwise',
  access: { kind: 'account', action: 'fsa.read', customerNumberIn: 'body' },
  token: 'spending-account',
  scope: { customerNumber: CustomerNumber },
  fields: {
    activationid: { type: 'text', schema: Type.String({ description: 'Unique on the account' }) },
    entitlementId: { type: 'text' },
    ansysproduct: { type: 'text' },
    fsaId: { type: 'text', schema: Type.String({ description: 'The contract' }) },
    orderdate: { type: 'instant' },
    count: { type: 'number', schema: Type.Integer() },
    startdate: { type: 'day' },
    enddate: { type: 'day' },
    cost: { type: 'number' },
    currency: { type: 'text' },
    requester: { type: 'text' },
    manualentry: { type: 'boolean' },
  },
  key: ['activationid'],
  defaultSort: [{ name: 'orderdate', direction: 'desc' }],
  distinct: 'fsaId',
  csv: { noun: 'the order history', summary: 'FSA orders that match, as a CSV file in the columns of the screen' },
})

export type HistoryRow = WireRow<typeof historyList.fields>
