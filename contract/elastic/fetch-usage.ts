import { Type } from 'typebox'
import { UsageTransaction } from '#contract/elastic/usage-transaction.ts'
import { countBody, distinctBody, listBody, token } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber } from '#contract/kit/schema.ts'

/** Whose usage a call is about. Without a server id, that of all the account's elastic servers. */
export const usageScope = {
  customerNumber: CustomerNumber,
  serverId: Type.Optional(Type.String({ maxLength: 64, description: 'Only usage of this elastic license server' })),
}

const access = { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' } as const

export const fetchUsage = operation({
  name: 'fetchUsage',
  method: 'POST',
  path: '/api/fetchUsage',
  summary: 'A page of usage transactions, the newest start first unless sorted otherwise',
  module: 'elastic',
  access,
  writes: false,
  body: listBody(usageScope),
  data: Type.Array(Type.Partial(UsageTransaction)),
  beside: token,
})

export const countUsage = operation({
  name: 'fetchUsage/count',
  method: 'POST',
  path: '/api/fetchUsage/count',
  summary: 'How many usage transactions match',
  module: 'elastic',
  access,
  writes: false,
  body: countBody(usageScope),
  data: Type.Integer(),
})

export const distinctUsage = operation({
  name: 'fetchUsage/distinct',
  method: 'POST',
  path: '/api/fetchUsage/distinct',
  summary: 'Distinct values of one usage field, null among them if it is missing somewhere',
  module: 'elastic',
  access,
  writes: false,
  body: distinctBody(usageScope),
  data: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
})
