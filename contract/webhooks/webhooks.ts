import { type Static, Type } from 'typebox'
import { declareList, type WireRow } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { CustomerNumber, exactly, Revision, requestFields } from '#contract/kit/schema.ts'
import { field, named, text } from '#domain/audit/words.ts'
import { KEPT_DAYS, MAX_DESCRIPTION, ROTATION_HOURS } from '#domain/webhooks/endpoint.ts'
import { EVENT_TYPES } from '#domain/webhooks/event-types.ts'

const access = { kind: 'account', action: 'webhooks.manage', customerNumberIn: 'body' } as const
const Id = Type.String({ format: 'uuid' })
const Instant = Type.String({ format: 'date-time' })
const Events = Type.Array(Type.String({ maxLength: 100, examples: EVENT_TYPES.map(({ type }) => type) }), {
  maxItems: 100,
  examples: [['seats.activated', 'entitlement.ending']],
})
const Secret = Type.String({ description: 'whsec_ and base64. Shown this once, never again', examples: ['whsec_…'] })

export const webhookList = declareList({
  name: 'webhooks',
  rows: 'webhook endpoints of an account',
  access,
  token: 'webhooks',
  scope: { customerNumber: CustomerNumber },
  fields: {
    id: { type: 'text', schema: Id },
    url: { type: 'text' },
    description: { type: 'text' },
    events: { type: 'text-list', schema: Events },
    isOn: { type: 'boolean' },
    offReason: { type: 'text', nullable: true, schema: Type.String({ description: 'Why it is off' }) },
    failingSince: {
      type: 'instant',
      nullable: true,
      schema: Type.String({ format: 'date-time', description: 'Nothing was delivered since' }),
    },
    formerSecretUntil: {
      type: 'instant',
      nullable: true,
      schema: Type.String({ format: 'date-time', description: 'Deliveries have two signatures until then' }),
    },
    createdBy: { type: 'text' },
    createdAt: { type: 'instant' },
    revision: { type: 'number', schema: Revision },
  },
  key: ['id'],
  defaultSort: [{ name: 'createdAt', direction: 'asc' }],
  distinct: false,
})

export const saveWebhook = operation({
  name: 'webhooks/save',
  summary: 'Add a webhook endpoint, or change the one with this id',
  refusals: ['TOO_MANY_WEBHOOKS', 'WEBHOOK_EXISTS'],
  access,
  token: 'webhooks',
  writes: true,
  audit: {
    what: 'save a webhook',
    done: ({ before, after }) => `${before ? 'Changed' : 'Added'} the webhook ${text(field(after, 'url'))}`.trimEnd(),
  },
  freshSignIn: true,
  isAnswerSecret: true,
  body: requestFields({
    customerNumber: CustomerNumber,
    id: Type.Optional(Id),
    url: Type.String({ maxLength: 2000, examples: ['https://hooks.example.com/licensing'] }),
    events: Events,
    description: Type.Optional(PlainLine(MAX_DESCRIPTION)),
    isOn: Type.Optional(Type.Boolean({ description: 'Whether events are delivered. A new endpoint is on.' })),
    revision: Type.Optional(Revision),
  }),
  data: exactly({ id: Id, secret: Type.Optional(Secret) }),
})

export const rotateWebhookSecret = operation({
  name: 'webhooks/rotate',
  summary: `Make a new secret for an endpoint. The former one signs as well for ${ROTATION_HOURS} more hours`,
  access,
  token: 'webhooks',
  writes: true,
  audit: named('Made a new secret for the webhook', 'make a new secret of a webhook', 'after', 'url'),
  freshSignIn: true,
  isAnswerSecret: true,
  body: requestFields({ customerNumber: CustomerNumber, id: Id }),
  data: exactly({ id: Id, secret: Secret, formerSecretUntil: Instant }),
})

export const removeWebhook = operation({
  name: 'webhooks/remove',
  summary: 'Remove an endpoint with its delivery log. What was not delivered yet is not sent any more',
  access,
  token: 'webhooks',
  writes: true,
  audit: named('Removed the webhook', 'remove a webhook', 'before', 'url'),
  freshSignIn: true,
  body: requestFields({ customerNumber: CustomerNumber, id: Id }),
  data: Type.Null(),
})

export const testWebhook = operation({
  name: 'webhooks/test',
  summary: 'Send a test event to an endpoint. The delivery log has its outcome',
  refusals: ['WEBHOOK_OFF'],
  access,
  token: 'webhooks',
  writes: true,
  audit: named('Sent a test event to the webhook', 'send a test event', 'after', 'url'),
  body: requestFields({ customerNumber: CustomerNumber, id: Id }),
  data: exactly({ id: Type.String({ format: 'uuid', description: 'The id of the event, as in the delivery log' }) }),
})

export const DELIVERY_STATES = ['queued', 'delivered', 'failed', 'held'] as const

export const deliveryList = declareList({
  name: 'webhooks/deliveries',
  rows: 'deliveries to the webhook endpoints of an account, the newest first unless sorted otherwise',
  access,
  token: 'webhooks',
  scope: { customerNumber: CustomerNumber },
  fields: {
    id: { type: 'text', schema: Type.String({ format: 'uuid', description: 'The id of the event: webhook-id' }) },
    endpointId: { type: 'text', schema: Id },
    url: { type: 'text' },
    event: { type: 'text', schema: Type.String({ examples: ['seats.activated'] }) },
    time: { type: 'instant', schema: Type.String({ format: 'date-time', description: 'When it happened' }) },
    state: {
      type: 'text',
      schema: Type.String({
        examples: [...DELIVERY_STATES],
        description: 'held: the endpoint was off. It is sent only on request.',
      }),
    },
    attempts: { type: 'number', schema: Type.Integer() },
    lastAttemptAt: { type: 'instant', nullable: true },
    nextAttemptAt: { type: 'instant', nullable: true },
    status: { type: 'number', nullable: true, schema: Type.Integer({ description: 'The last HTTP status' }) },
    milliseconds: { type: 'number', nullable: true, schema: Type.Integer({ description: 'Of the last attempt' }) },
    trouble: { type: 'text', schema: Type.String({ description: 'What went wrong at the last attempt' }) },
  },
  key: ['time', 'id', 'endpointId'],
  defaultSort: [{ name: 'time', direction: 'desc' }],
  distinct: 'event',
})
export type Delivery = WireRow<typeof deliveryList.fields>

const Headers = Type.Record(Type.String(), Type.String())
const Attempt = exactly({
  number: Type.Integer(),
  time: Instant,
  milliseconds: Type.Integer(),
  status: Type.Union([Type.Integer(), Type.Null()]),
  trouble: Type.String({ description: 'Empty if it was delivered' }),
  requestHeaders: Headers,
  responseHeaders: Headers,
  responseBody: Type.String({ description: 'Its beginning' }),
})
const DeliveryDetails = exactly({ body: Type.String(), attempts: Type.Array(Attempt) })
export type DeliveryDetails = Static<typeof DeliveryDetails>

const oneDelivery = requestFields({ customerNumber: CustomerNumber, endpointId: Id, id: Id })

export const getDelivery = operation({
  name: 'webhooks/delivery',
  summary: 'What was sent and answered at each attempt of a delivery',
  access,
  token: 'webhooks',
  writes: false,
  body: oneDelivery,
  data: DeliveryDetails,
})

export const resendDelivery = operation({
  name: 'webhooks/resend',
  summary: 'Send an event to an endpoint again, with the same webhook-id',
  refusals: ['WEBHOOK_OFF'],
  access,
  token: 'webhooks',
  writes: true,
  audit: named('Sent an event again to the webhook', 'send an event again', 'after', 'url'),
  freshSignIn: true,
  body: oneDelivery,
  data: Type.Null(),
})

export const replayDeliveries = operation({
  name: 'webhooks/replay',
  summary: `Send the events of a time again to an endpoint, in their order. Events are kept for ${KEPT_DAYS} days`,
  refusals: ['WEBHOOK_OFF'],
  access,
  token: 'webhooks',
  writes: true,
  audit: named('Sent the events of a time again to the webhook', 'send events again', 'after', 'url'),
  freshSignIn: true,
  body: requestFields({
    customerNumber: CustomerNumber,
    id: Id,
    from: Instant,
    to: Instant,
    withDelivered: Type.Optional(Type.Boolean({ description: 'Also what was delivered already. Default: false' })),
  }),
  data: exactly({ events: Type.Integer({ description: 'How many are sent' }) }),
})
