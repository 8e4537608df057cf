import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'

export const fulfillmentHosts = operation({
  name: 'fulfillments/hosts',
  summary: 'Which license servers hold the seats of one activation, those with the most first',
  access: { kind: 'account', action: 'ssl.read', customerNumberIn: 'body' },
  token: 'activations',
  writes: false,
  body: requestFields({
    customerNumber: CustomerNumber,
    activationId: Type.String({ minLength: 1, maxLength: 64 }),
  }),
  data: Type.Array(
    Type.Object({
      serverName: Type.String({ description: 'Three names joined by commas for a triad' }),
      serverId: Type.String({ description: 'Three ids joined by commas for a triad' }),
      serverIdType: Type.String(),
      count: Type.Integer({ description: 'Seats of this activation on the license server' }),
    }),
  ),
})
