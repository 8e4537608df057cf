import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'

const access = { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' } as const
const body = requestFields({ customerNumber: CustomerNumber })

export const elasticDevice = operation({
  name: 'devices/elastic',
  summary: 'The account’s elastic license server; FAILURE if it has none',
  access,
  token: 'usage',
  writes: false,
  refusals: ['NO_ELASTIC_SERVER'],
  body,
  data: Type.Object({ deviceId: Type.String(), alias: Type.String() }),
})

export const activatedElasticServers = operation({
  name: 'activatedelasticservers',
  summary: 'All elastic license servers of the account, the oldest first',
  access,
  token: 'usage',
  writes: false,
  body,
  data: Type.Array(Type.Object({ DeviceID: Type.String(), Alias: Type.String() })),
})
