import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { field, text } from '#domain/audit/words.ts'

const ServerId = Type.String({ minLength: 1, maxLength: 64, examples: ['cls-4f1c9a02b7d35e68'] })
const ExternalIp = Type.Union([Type.String({ format: 'ipv4' }), Type.String({ pattern: '^[0-9a-f:]{2,39}/64$' })], {
  description: 'An IPv4 address, or an IPv6 network',
  examples: ['203.0.113.7', '2001:db8::/64'],
})

export const listPinLocks = operation({
  name: 'elastic/pinlocks',
  summary:
    'Addresses that have to wait after wrong PINs, or are locked, and elastic servers whose PIN is being guessed',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  token: 'access',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: Type.Array(
    Type.Object({
      serverId: ServerId,
      externalIp: ExternalIp,
      failures: Type.Integer({ description: 'Wrong PINs since the last right one' }),
      until: Type.String({ format: 'date-time', description: 'No PIN is accepted before' }),
    }),
  ),
  extraFields: {
    servers: Type.Array(
      Type.Object({
        serverId: ServerId,
        failures: Type.Integer({ description: 'Wrong PINs from all addresses' }),
        since: Type.String({ format: 'date-time' }),
        until: Type.String({ format: 'date-time' }),
      }),
      {
        description:
          'Elastic servers whose PIN is being guessed: until then, addresses that have not sent the right PIN before share one attempt per second',
      },
    ),
  },
})

export const unlockPin = operation({
  name: 'elastic/unlockpin',
  summary: 'Lets an address send PINs again that was locked after too many wrong ones (staff only)',
  access: { kind: 'account', action: 'elastic.unlock-pin', customerNumberIn: 'body' },
  token: 'access',
  writes: true,
  audit: {
    what: 'unlock an address',
    done: ({ target, before }) => `Let ${text(field(before, 'externalIp'))} send PINs of ${target} again`,
  },
  body: requestFields({ customerNumber: CustomerNumber, serverId: ServerId, externalIp: ExternalIp }),
  data: Type.Object({ unlocked: Type.Boolean({ description: 'False if nothing was locked' }) }),
})
