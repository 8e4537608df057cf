import { Type } from 'typebox'
import { serverFields } from '#contract/activations/hosts/host-fields.ts'
import { lineResult } from '#contract/kit/answer.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { seatsText } from '#domain/activations/audit-words.ts'
import { BATCH_SIZE } from '#domain/activations/plans/plan.ts'

const Action = Type.Optional(
  Type.Enum(['EDIT', 'REHOST', 'DEACTIVATE'], { description: 'What the person is doing; EDIT unless said otherwise' }),
)

/** More seats than any entitlement has: PostgreSQL's integers end at 2,147,483,647. */
const MAX_SEATS = 1_000_000_000

const activations = (count: ReturnType<typeof Type.Integer>) =>
  Type.Array(
    Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }), count }, { additionalProperties: false }),
    {
      minItems: 1,
      maxItems: BATCH_SIZE,
    },
  )

/** The result for each element, in the order of the request. A refused call has them too: none of it was done. */
export const SeatLines = Type.Array(
  lineResult({
    id: Type.String({ description: 'As in the request' }),
    FulfillmentID: Type.Optional(Type.String({ description: 'The new row of the ledger' })),
    FulfillCount: Type.Integer(),
  }),
)

const write = { kind: 'account', action: 'activations.write', customerNumberIn: 'body' } as const

export const createFulfillments = operation({
  name: 'fulfillments/create',
  summary: 'Activates seats on a license server, which is added if the account does not have it: all elements or none',
  access: write,
  token: 'activations',
  writes: true,
  audit: { what: 'activate seats', done: seatsText },
  refusals: [
    'REHOSTING_OFF',
    'HOST_BUSY',
    'HOST_IN_USE',
    'NO_SUCH_ACTIVATION',
    'NOT_ACTIVATABLE',
    'ENTITLEMENT_EXPIRED',
    'MAINTENANCE_EXPIRED',
    'SEAT_GONE',
  ],
  body: requestFields({
    customerNumber: CustomerNumber,
    action: Action,
    ...serverFields,
    portNumber: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_535, description: 'Of a new license server; 1055 if absent' }),
    ),
    activations: activations(Type.Integer({ minimum: 1, maximum: MAX_SEATS, description: 'Seats to activate' })),
  }),
  data: SeatLines,
})

export const returnFulfillments = operation({
  name: 'fulfillments/return',
  summary: 'Returns seats of fulfillments: all elements or none',
  access: write,
  token: 'activations',
  writes: true,
  audit: { what: 'return seats', done: seatsText },
  refusals: ['REHOSTING_OFF', 'HOST_BUSY', 'NO_SUCH_FULFILLMENT', 'NOT_HELD', 'MAINTENANCE_EXPIRED'],
  body: requestFields({
    customerNumber: CustomerNumber,
    action: Action,
    activations: activations(
      Type.Integer({ minimum: -MAX_SEATS, maximum: -1, description: 'Seats to return, as a negative number' }),
    ),
  }),
  data: SeatLines,
})
