import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestBody } from '#contract/kit/schema.ts'

const ActivationId = Type.String({ minLength: 1, maxLength: 64 })

/** The screen asks for 100 rows at a time; the longest page may be asked for at once. */
const MAX_IDS = 1000

export const countFulfillments = operation({
  name: 'fulfillments/count',
  method: 'POST',
  path: '/api/fulfillments/count',
  summary: 'How many seats of each activation are activated on hosts; ids that are not the account’s are left out',
  module: 'entitlements',
  access: { kind: 'account', action: 'ssl.read', customerNumberIn: 'body' },
  writes: false,
  body: requestBody({
    customerNumber: CustomerNumber,
    activationId: Type.Array(ActivationId, { maxItems: MAX_IDS }),
  }),
  data: Type.Record(Type.String(), Type.Integer()),
})

export const fulfillmentHosts = operation({
  name: 'fulfillments/hosts',
  method: 'POST',
  path: '/api/fulfillments/hosts',
  summary: 'Which hosts hold the seats of one activation, those with the most first',
  module: 'entitlements',
  access: { kind: 'account', action: 'ssl.read', customerNumberIn: 'body' },
  writes: false,
  body: requestBody({ customerNumber: CustomerNumber, activationId: ActivationId }),
  data: Type.Array(
    Type.Object({
      serverName: Type.String({ description: 'Three names joined by commas for a triad' }),
      serverId: Type.String({ description: 'Three ids joined by commas for a triad' }),
      serverIdType: Type.String(),
      count: Type.Integer({ description: 'Seats of this activation on the host' }),
    }),
  ),
})
