import { type Static, Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'

export const SHORTEST_SEARCH = 2
const MAX_SEARCH = 100

/** Denied addresses and users are found for so many days, and projects as long as they were used in so many. */
export const DENIED_DAYS = 30
export const PROJECT_DAYS = 90

/** Maximum number of hits of each kind. */
export const MAX_HITS = 6

export const HIT_KINDS = [
  'account',
  'entitlement',
  'product',
  'host',
  'elastic server',
  'denied address',
  'denied user',
  'project',
  'contact',
  'grant',
  'web user',
  'support address',
] as const

const Hit = Type.Object({
  kind: Type.Enum([...HIT_KINDS]),
  customerNumber: Type.String(),
  customerName: Type.String(),
  id: Type.String({
    description:
      'What the screen of the kind finds it by: account number, activation id (entitlement id of a spending account), product name, host id, id of an elastic server, IP address, username, project, email address',
  }),
  title: Type.String(),
  type: Type.Union([Type.Enum(['SSL', 'ELASTIC', 'FSA']), Type.Null()], {
    description: 'Which screen lists an entitlement or product',
  }),
  detail: Type.String({
    description: 'What it was found by or what it is, if title and id do not say so; otherwise empty',
  }),
})
export type Hit = Static<typeof Hit>

export const search = operation({
  name: 'search',
  summary:
    'Accounts that the caller sees; entitlements, products, license servers, denied addresses and users, projects, contacts and web users of the named account; for staff also entitlements, license servers, elastic servers and people (contacts, grants, web users, support addresses) of all accounts, by the beginning of their id, order or email address',
  access: { kind: 'account', action: 'account.read', customerNumberIn: 'body', optional: true },
  token: null,
  writes: false,
  body: requestFields({
    customerNumber: Type.Optional(CustomerNumber),
    text: Type.String({ minLength: SHORTEST_SEARCH, maxLength: MAX_SEARCH }),
  }),
  data: Type.Array(Hit),
})
