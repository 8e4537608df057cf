import { type Static, Type } from 'typebox'
import { ServerId } from '#contract/activations/hosts/host-fields.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { HOST_STATES } from '#domain/activations/hosts/host.ts'

const Server = Type.Object({
  id: Type.String({ description: 'The host id, three of them joined by commas for a triad' }),
  name: Type.String(),
  type: Type.String({ description: 'The type of the id, three times for a triad' }),
  state: Type.Enum([...HOST_STATES]),
  isOutOfDate: Type.Boolean({
    description:
      'A new license file would differ from the last one, or there is none although the license server holds seats',
  }),
  portNumber: Type.Integer(),
  ansysborrowed: Type.Boolean({ description: 'The Borrowable setting of the license server' }),
  isShared: Type.Boolean({
    description: 'Several customers share the license server; ask fulfillments/customers for them',
  }),
  generatedAt: Type.Union([Type.String(), Type.Null()], { description: 'When the last license file was generated' }),
  generatedBy: Type.Union([Type.String(), Type.Null()]),
})
export type Server = Static<typeof Server>

const read = { kind: 'account', action: 'activations.read', customerNumberIn: 'body' } as const

export const listServers = operation({
  name: 'fulfillments/servers',
  summary: 'License servers of an account: active, then inactive, then unknown, each by name, id and type',
  access: read,
  token: 'activations',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: Type.Array(Server),
})

export const getServer = operation({
  name: 'fulfillments/server',
  summary: 'One license server of an account, also a deleted one; one id of a triad is enough',
  access: read,
  token: 'activations',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber, serverId: ServerId }),
  data: Type.Object({
    ...Server.properties,
    deletedAt: Type.Union([Type.String(), Type.Null()], { description: 'Null unless it was deleted' }),
  }),
})
