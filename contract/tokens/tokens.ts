import { type Static, Type } from 'typebox'
import { declareList } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { CustomerNumber, exactly, Revision, requestFields } from '#contract/kit/schema.ts'
import { named, plain } from '#domain/audit/words.ts'
import { TOKEN_SCOPES, type TokenScope } from '#domain/tokens/token-areas.ts'
import {
  DEFAULT_OVERLAP,
  MAX_ADDRESSES,
  MAX_LIFE,
  MAX_OVERLAP,
  MAX_TOKEN_NAME,
  MIN_LIFE,
} from '#domain/tokens/token-rules.ts'

const Instant = Type.String({ format: 'date-time' })
const Scope = Type.Unsafe<TokenScope>({ type: 'string', enum: TOKEN_SCOPES })
const Days = Type.Integer({ minimum: MIN_LIFE, maximum: MAX_LIFE, examples: [90] })
const Id = Type.String({ format: 'uuid' })

export const tokenList = declareList({
  name: 'tokens',
  rows: 'API tokens of an account, without the tokens themselves',
  access: { kind: 'account', action: 'tokens.read', customerNumberIn: 'body' },
  token: null,
  scope: { customerNumber: CustomerNumber },
  fields: {
    id: { type: 'text' },
    name: { type: 'text' },
    owner: { type: 'text', schema: Type.String({ description: 'The token has the rights that this person has now' }) },
    scopes: { type: 'text-list', schema: Type.Array(Scope) },
    addresses: {
      type: 'text-list',
      schema: Type.Array(Type.String(), { description: 'Where it may be used from; everywhere if empty' }),
    },
    created: { type: 'instant' },
    expires: { type: 'instant' },
    lastUsed: { type: 'instant', nullable: true },
    lastAddress: { type: 'text', nullable: true },
    revoked: { type: 'instant', nullable: true },
    replacedBy: {
      type: 'text',
      nullable: true,
      schema: Type.String({ description: 'The id of the token that replaces it' }),
    },
  },
  key: ['id'],
  defaultSort: [{ name: 'created', direction: 'desc' }],
  distinct: 'owner',
})

const NewTokenAnswer = exactly({
  id: Id,
  token: Type.String({ description: 'Shown this once, never again', examples: ['lpc_…'] }),
  expires: Instant,
})
export type NewTokenAnswer = Static<typeof NewTokenAnswer>

export const createToken = operation({
  name: 'tokens/create',
  freshSignIn: true,
  summary: 'Make a token with which programs call the API on an account; the token is shown once',
  access: { kind: 'account', action: 'tokens.create', customerNumberIn: 'body' },
  token: null,
  writes: true,
  audit: named('Made the token', 'make a token', 'after'),
  isAnswerSecret: true,
  refusals: ['TOO_MANY_TOKENS'],
  body: requestFields({
    customerNumber: CustomerNumber,
    name: PlainLine(MAX_TOKEN_NAME, { isRequired: true, examples: ['ERP system'] }),
    scopes: Type.Array(Scope, {
      minItems: 1,
      maxItems: TOKEN_SCOPES.length,
      uniqueItems: true,
      description: 'What it may read or write. Writing includes reading.',
      examples: [['entitlements:read']],
    }),
    days: Days,
    addresses: Type.Optional(
      Type.Array(Type.String({ maxLength: 60 }), {
        maxItems: MAX_ADDRESSES,
        description: 'Addresses and networks that it may be used from; everywhere if there are none',
        examples: [['192.0.2.0/24']],
      }),
    ),
  }),
  data: NewTokenAnswer,
})

export const rollToken = operation({
  name: 'tokens/roll',
  freshSignIn: true,
  summary: 'Replace a token by a new one of the same name, scopes and addresses; both work during the overlap',
  access: { kind: 'account', action: 'tokens.create', customerNumberIn: 'body' },
  token: null,
  writes: true,
  audit: named('Rolled the token', 'roll a token', 'after'),
  isAnswerSecret: true,
  refusals: ['TOKEN_NOT_ACTIVE'],
  body: requestFields({
    customerNumber: CustomerNumber,
    id: Id,
    days: Days,
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_OVERLAP,
        description: `How long the old token still works; ${DEFAULT_OVERLAP} hours unless it says otherwise`,
      }),
    ),
  }),
  data: NewTokenAnswer,
})

export const revokeToken = operation({
  name: 'tokens/revoke',
  summary: 'Revoke a token: from now on it is refused',
  access: { kind: 'account', action: 'tokens.write', customerNumberIn: 'body' },
  token: null,
  writes: true,
  audit: named('Revoked the token', 'revoke a token', 'before'),
  body: requestFields({ customerNumber: CustomerNumber, id: Id }),
  data: Type.Null(),
})

const policy = {
  longestDays: Type.Integer({ minimum: MIN_LIFE, maximum: MAX_LIFE, description: 'The longest life of a token' }),
  isWriteAllowed: Type.Boolean({ description: 'Whether tokens may change anything' }),
}
const SavedPolicy = exactly({ ...policy, revision: Revision })
export type SavedTokenPolicy = Static<typeof SavedPolicy>

export const getTokenPolicy = operation({
  name: 'tokens/policy',
  summary: 'What an account allows its tokens',
  access: { kind: 'account', action: 'tokens.read', customerNumberIn: 'body' },
  token: null,
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: SavedPolicy,
})

export const saveTokenPolicy = operation({
  name: 'tokens/policy/save',
  freshSignIn: true,
  summary: 'Change what an account allows its tokens. It counts at once, for the tokens that exist as well.',
  access: { kind: 'account', action: 'tokens.write', customerNumberIn: 'body' },
  token: null,
  writes: true,
  audit: plain('Changed the rules for tokens', 'change the rules for tokens'),
  body: requestFields({ customerNumber: CustomerNumber, policy: exactly(policy), revision: Revision }),
  data: SavedPolicy,
})
