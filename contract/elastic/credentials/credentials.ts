import { Type } from 'typebox'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { CustomerNumber, exactly, Revision, requestFields } from '#contract/kit/schema.ts'
import { act, difference, field, texts } from '#domain/audit/words.ts'
import type { IpRule } from '#domain/elastic/credentials/ip-rules.ts'

const read = { kind: 'account', action: 'credentials.read', customerNumberIn: 'body' } as const
const write = { kind: 'account', action: 'credentials.write', customerNumberIn: 'body' } as const

const ServerId = Type.String({
  pattern: '^[A-Za-z0-9-]{1,64}$',
  description: 'The elastic license server: a deviceId of devices/elastic.',
})
const server = { customerNumber: CustomerNumber, clsId: ServerId }

/** Optimistic locking is off without a revision: the save replaces any stored value. */
const revision = Type.Optional(Revision)

/** Loose on purpose: errors are answered with the texts of the form, not with those of the schema. */
const Pin = Type.String({ maxLength: 100, examples: ['274913'] })
const Usernames = Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 10_000 })

/** FAILURE with the code PIN_NOT_FOUND if there is no PIN and the caller may not make one. */
export const getPin = operation({
  name: 'getpin',
  freshSignIn: true,
  summary: 'The PIN of an elastic license server; a missing one is made if the caller may change it',
  access: read,
  token: 'access',
  writes: true,
  audit: {
    what: 'read the PIN of an elastic license server',
    done: ({ target, after }) =>
      field(after, 'isPinCreated') ? `Created and read the PIN of ${target}` : `Read the PIN of ${target}`,
  },
  refusals: ['PIN_NOT_FOUND'],
  isAnswerSecret: true,
  body: requestFields(server),
  data: Type.Object({ pin: Type.String(), revision: Revision }),
})

export const changePin = operation({
  name: 'changepin',
  freshSignIn: true,
  summary: 'Change the PIN of an elastic license server',
  access: write,
  token: 'access',
  writes: true,
  audit: act('Changed the PIN', 'change the PIN'),
  body: requestFields({ ...server, pin: Pin, revision }),
  data: Type.Object({ revision: Revision }),
})

export const getUsers = operation({
  name: 'getUsers',
  summary: 'The usernames that may use an elastic license server; an empty list allows everybody',
  access: read,
  token: 'access',
  writes: false,
  body: requestFields(server),
  data: Type.Object({ users: Type.Array(Type.String()), revision: Revision }),
})

export const saveUsers = operation({
  name: 'saveUsers',
  freshSignIn: true,
  summary: 'Save the allowed usernames of an elastic license server',
  access: write,
  token: 'access',
  writes: true,
  audit: {
    what: 'save allowed usernames',
    done: ({ target, before, after }) =>
      `Saved the allowed usernames of ${target}${difference(texts(field(before, 'users')), texts(field(after, 'users')))}`,
  },
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({ ...server, users: Usernames, revision }),
  data: Type.Object({ users: Type.Array(Type.String()), revision: Revision }),
})

const RuleDrafts = Type.Array(exactly({ rulename: PlainLine(1000), ipaddress: Type.String({ maxLength: 1000 }) }), {
  maxItems: 10_000,
})
const Whitelist = Type.Object({
  whitelist: Type.Array(Type.Object({ rulename: Type.String(), ipaddress: Type.String() })),
  revision: Revision,
})

export const getIps = operation({
  name: 'getips',
  summary: 'The IP rules of an elastic license server; without any, all addresses are allowed',
  access: { kind: 'account', action: 'ip-rules.read', customerNumberIn: 'body' },
  token: 'access',
  writes: false,
  body: requestFields(server),
  data: Whitelist,
})

export const setIps = operation({
  name: 'setips',
  freshSignIn: true,
  summary: 'Save the IP rules of an elastic license server',
  access: { kind: 'account', action: 'ip-rules.write', customerNumberIn: 'body' },
  token: 'access',
  writes: true,
  audit: act('Saved the IP rules', 'save IP rules'),
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({ ...server, whitelist: RuleDrafts, revision }),
  data: Whitelist,
})

type WireIpRule = { rulename: string; ipaddress: string }
export const toIpRules = (list: readonly WireIpRule[]): IpRule[] =>
  list.map(({ rulename, ipaddress }) => ({ name: rulename, address: ipaddress }))
export const toWhitelist = (rules: readonly IpRule[]): WireIpRule[] =>
  rules.map(({ name, address }) => ({ rulename: name, ipaddress: address }))
