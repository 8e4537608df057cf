import { Type } from 'typebox'
import { LimitId, limitFields } from '#contract/elastic/limits/limits.ts'
import { operation } from '#contract/kit/operation.ts'
import { exactly } from '#contract/kit/schema.ts'
import { RAISED_BY } from '#domain/elastic/limits/decide-start.ts'
import { SESSION_ID_PATTERN } from '#domain/elastic/sessions/session-life.ts'

/** Fields of usage that sessions and finished transactions share. */
export const usageFields = {
  serverId: Type.String({
    pattern: '^[A-Za-z0-9-]{1,64}$',
    description: 'The elastic license server',
    examples: ['cls-4f1c9a02b7d35e68'],
  }),
  product: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Its name in the catalog',
    examples: ['Fluid Flow Pro'],
  }),
  username: Type.String({ minLength: 1, maxLength: 200, examples: ['anna'] }),
  host: Type.String({ minLength: 1, maxLength: 255, examples: ['ws-berlin-07'] }),
  project: Type.Optional(Type.String({ maxLength: 200, examples: ['Wing 42'] })),
  version: Type.Optional(Type.String({ maxLength: 64, examples: ['2026 R1'] })),
}

export const ProductCount = Type.Integer({ minimum: 1, maximum: 100_000, examples: [1] })

const SessionId = Type.String({
  pattern: SESSION_ID_PATTERN,
  description: 'As the start answered it',
  examples: ['100001.6f1f6a52-2f0c-4a53-9c0e-6b1d7f6f8f11'],
})
const service = { access: { kind: 'service', scope: 'sessions' } } as const

export const startSession = operation({
  ...service,
  name: 'service/elastic/sessions',
  token: null,
  path: '/service/v1/elastic/sessions',
  summary:
    'Starts a session, or denies it: FAILURE with the code EXPORT, LOCKED, WRONG_PIN, USER_NOT_ALLOWED, ADDRESS_NOT_ALLOWED, UNKNOWN_PRODUCT, PRODUCT_NOT_ALLOWED, NO_BALANCE or LIMIT. With LIMIT, `limit` says which limit, what is used of it, when it resets and who can raise it. The account sees every refusal in its list of denials.',
  writes: true,
  audit: {
    what: 'start an elastic session',
    none: 'The session is a row of the usage ledger, which is never changed.',
  },
  refusals: [
    'EXPORT',
    'LOCKED',
    'WRONG_PIN',
    'USER_NOT_ALLOWED',
    'ADDRESS_NOT_ALLOWED',
    'UNKNOWN_PRODUCT',
    'PRODUCT_NOT_ALLOWED',
    'NO_BALANCE',
    'LIMIT',
  ],
  body: exactly({
    ...usageFields,
    pin: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The PIN of the elastic server',
      examples: ['482913'],
    }),
    count: ProductCount,
    externalIp: Type.Union([Type.String({ format: 'ipv4' }), Type.String({ format: 'ipv6' })], {
      description: 'The address from which the client reached the elastic service',
      examples: ['203.0.113.7'],
    }),
  }),
  data: Type.Object({
    sessionId: Type.String({ examples: ['100001.6f1f6a52-2f0c-4a53-9c0e-6b1d7f6f8f11'] }),
    heartbeatSeconds: Type.Integer({
      description: 'How often to send a heartbeat. A session is closed 15 minutes after its last one.',
      examples: [300],
    }),
  }),
  extraFields: {
    limit: Type.Object(
      {
        ...limitFields,
        id: LimitId,
        used: Type.String({ description: 'Units that are used, running sessions included', examples: ['496.25'] }),
        cost: Type.String({ description: 'What the session would cost at least', examples: ['1.88'] }),
        resetsAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description: 'When nothing counts any more; null: never',
        }),
        raisedBy: Type.String({ description: 'Who can raise it', examples: [RAISED_BY] }),
      },
      { description: 'With the code LIMIT: the limit that is reached' },
    ),
  },
})

export const sendHeartbeat = operation({
  ...service,
  name: 'service/elastic/sessions/heartbeat',
  token: null,
  path: '/service/v1/elastic/sessions/:sessionId/heartbeat',
  summary: 'Keeps a session. FAILURE with the code SESSION_ENDED once it is over: start a new one.',
  writes: true,
  audit: { none: 'Moves the end of a session in the usage ledger.' },
  refusals: ['SESSION_ENDED', 'EXPORT'],
  params: exactly({ sessionId: SessionId }),
  data: Type.Object({ heartbeatSeconds: Type.Integer({ examples: [300] }) }),
})

export const endSession = operation({
  ...service,
  name: 'service/elastic/sessions/end',
  token: null,
  path: '/service/v1/elastic/sessions/:sessionId/end',
  summary: 'Ends a session and books it. Called again, it answers the same and books nothing.',
  writes: true,
  audit: { none: 'The end is booked in the usage ledger.' },
  params: exactly({ sessionId: SessionId }),
  data: Type.Object({
    hours: Type.String({ description: 'Exact, with two decimals', examples: ['1.50'] }),
    charge: Type.String({ description: 'Elastic units, exact, with two decimals', examples: ['11.25'] }),
  }),
})
