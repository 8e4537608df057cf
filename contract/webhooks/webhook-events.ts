import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { exactly } from '#contract/kit/schema.ts'
import { type EventType, TEST_EVENT } from '#domain/webhooks/event-types.ts'

/*
 * What endpoints receive. A version of an event never changes: fields are added to it, a field that is removed or means
 * something else makes the next version. Events have no secrets: no PINs, no license texts, no tokens.
 */

const Day = Type.String({ format: 'date', examples: ['2027-03-31'] })
const Seats = Type.Integer({ minimum: 1 })
const Money = Type.String({ description: 'An exact decimal', examples: ['1250.00'] })
const By = Type.String({
  description: 'The email of the person, or the name of the system',
  examples: ['ada@example.com'],
})
const Host = exactly({
  hostId: Type.String({ examples: ['005056abcdef'] }),
  hostIdType: Type.String({ examples: ['ETHERNET'] }),
})
/** An event has at most this many; a larger change is several events. */
export const MAX_ACTIVATIONS = 100
const activations = Type.Array(exactly({ activationId: Type.String(), product: Type.String(), seats: Seats }), {
  maxItems: MAX_ACTIVATIONS,
})
const entitlement = {
  activationId: Type.String(),
  product: Type.String(),
  partNumber: Type.String(),
  licenseModel: Type.String({ examples: ['Network'] }),
  quantity: Type.Integer(),
  startDate: Day,
  endDate: Type.Union([Day, Type.Null()], { description: 'Null if it never ends' }),
  state: Type.String({ examples: ['Deployed'] }),
}
const contact = { email: Type.String(), role: Type.String(), by: By }
const denied = {
  reason: Type.String({ examples: ['NO_BALANCE'] }),
  product: Type.String(),
  username: Type.String(),
  host: Type.String(),
  denials: Type.Integer({
    minimum: 1,
    description:
      'How many denials it tells of. The first of a minute is told at once; more of the same user and reason follow in one event when the minute is over, with the other fields of the first of them.',
  }),
}
const reporting = { hostId: Type.String({ examples: ['005056abcdef'] }), hostName: Type.String() }
const Address = Type.Union([Type.String(), Type.Null()], { description: 'The address that the service saw' })

const limit = {
  limitId: Type.String({ examples: ['wing-42-monthly'] }),
  limit: Type.String({ examples: ['Every other user: 500.00 AEU per month'] }),
  subject: Type.String({ description: 'Whose limit is reached', examples: ['User anna'] }),
  currency: Type.String({ examples: ['AEU'] }),
  used: { ...Money, description: 'Units that are used, running sessions included' },
  refuseAt: { ...Money, description: 'Starts are refused if more would be used' },
  resetsAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'Null: it does not reset' }),
}

/** The data of version 1 of every event. */
const DATA = {
  'seats.activated': exactly({ host: Host, activations, by: By }),
  'seats.returned': exactly({
    host: Host,
    activations,
    isMove: Type.Boolean({ description: 'The seats are moved: seats.moved follows once they are on their new host' }),
    by: By,
  }),
  'seats.moved': exactly({
    host: Host,
    from: Type.Union([Host, Type.Null()], { description: 'Null if the caller returned the seats in another call' }),
    activations,
    by: By,
  }),
  'license_file.generated': exactly({
    fileId: Type.String({ format: 'uuid' }),
    host: Host,
    reason: Type.String({ description: 'Why it was made' }),
    issuedOn: Day,
    by: By,
  }),
  'entitlement.added': exactly(entitlement),
  'entitlement.changed': exactly({ ...entitlement, changed: Type.Array(Type.String(), { description: 'The fields' }) }),
  'entitlement.ending': exactly({
    activationId: Type.String(),
    product: Type.String(),
    quantity: Type.Integer(),
    endDate: Day,
    daysLeft: Type.Integer({ description: '0 on the last day' }),
  }),
  'balance.low': exactly({
    kind: Type.Union([Type.Literal('elastic'), Type.Literal('spending account')]),
    activationId: Type.String(),
    product: Type.String(),
    currency: Type.String(),
    total: Money,
    remaining: Money,
    threshold: exactly({ measure: Type.Union([Type.Literal('percent'), Type.Literal('amount')]), value: Money }),
  }),
  'spending_account.ordered': exactly({
    fsaId: Type.String(),
    currency: Type.String(),
    cost: Money,
    available: Money,
    lines: Type.Array(
      exactly({
        activationId: Type.String(),
        product: Type.String(),
        partNumber: Type.String(),
        quantity: Type.Integer(),
        startDate: Day,
        endDate: Day,
        cost: Money,
      }),
    ),
    by: By,
  }),
  'session.denied': exactly({
    ...denied,
    serverId: Type.String(),
    count: Type.Integer(),
    project: Type.Union([Type.String(), Type.Null()]),
    externalIp: Address,
  }),
  'limit.reached': exactly(limit),
  'limit.refused': exactly({
    ...limit,
    ...denied,
    serverId: Type.String(),
    project: Type.Union([Type.String(), Type.Null()]),
    cost: { ...Money, description: 'What the session would have cost at least' },
  }),
  'checkout.denied': exactly({ ...denied, externalIp: Address }),
  'license_server.denied': exactly({
    ...reporting,
    feature: Type.String({ examples: ['anshpc'] }),
    cause: Type.String({ description: 'shortage: all seats were in use', examples: ['shortage'] }),
    code: Type.Union([Type.Integer(), Type.Null()], { description: 'FlexNet’s number' }),
    text: Type.Union([Type.String(), Type.Null()], { description: 'FlexNet’s text' }),
    username: Type.String({ description: 'A pseudonym if the account has chosen pseudonyms' }),
    host: Type.String({ description: 'The computer of the user' }),
    seats: Type.Integer({ description: 'How many were wanted' }),
    deniedAt: Type.String({ description: 'By the clock of the license server', examples: ['2027-03-31T09:20:00'] }),
  }),
  'license_server.silent': exactly({
    ...reporting,
    reportedAt: Type.String({ format: 'date-time', description: 'When something arrived last' }),
  }),
  'seat.free': exactly({
    ...reporting,
    placeId: Type.String({ format: 'uuid', description: 'The place in line, as license-use/waiting/one knows it' }),
    feature: Type.String({ examples: ['anshpc'] }),
    seats: Seats,
    username: Type.String({
      description: 'Who waits, as the license server names them; a pseudonym if the account has chosen pseudonyms',
    }),
    offerEndsAt: Type.String({ format: 'date-time', description: 'Then the next in line is notified' }),
  }),
  'contact.added': exactly(contact),
  'contact.removed': exactly(contact),
  [TEST_EVENT]: exactly({ text: Type.String() }),
} as const satisfies Record<EventType | typeof TEST_EVENT, TObject<TProperties>>

const SUMMARIES: Record<keyof typeof DATA, string> = {
  'seats.activated': 'Seats were activated on a license server',
  'seats.returned': 'Seats were returned from a license server',
  'seats.moved': 'Seats were activated on the license server to which they were moved',
  'license_file.generated': 'A license file was generated',
  'entitlement.added': 'An entitlement was added',
  'entitlement.changed': 'An entitlement was changed',
  'entitlement.ending': 'An entitlement ends in 30 days, in 7 days, or today',
  'balance.low': 'No more than a threshold is left of elastic units or of a spending account',
  'spending_account.ordered': 'Something was ordered from a spending account',
  'session.denied': 'An elastic session was denied',
  'limit.reached':
    'A limit is reached: more elastic sessions would be refused, or were. Told once in each of its periods, and again after it was changed',
  'limit.refused': 'A limit refused the start of an elastic session, of which session.denied tells as well',
  'checkout.denied': 'A checkout of a web license was denied',
  'license_server.denied':
    'A license server turned a user away for lack of seats. At most one event for each feature, license server and minute; retries, and denials after which the user got a seat at once, are left out',
  'license_server.silent':
    'A license server that reported before has not reported for a day. Told once for each silence',
  'seat.free': 'A seat of a license server is free for the first person in line',
  'contact.added': 'Somebody was added to the contacts',
  'contact.removed': 'Somebody was removed from the contacts',
  [TEST_EVENT]: 'A person asked for a test event',
}

type AnyEventType = keyof typeof DATA
/** An event before it has a time and an account. */
export type WebhookEvent<T extends AnyEventType = AnyEventType> = T extends AnyEventType
  ? { readonly type: T; readonly data: Static<(typeof DATA)[T]> }
  : never

export const EVENT_VERSION = 1

const bodyOf = (type: string, data: TObject) =>
  exactly({
    type: Type.Literal(type),
    version: Type.Literal(EVENT_VERSION),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened' }),
    customerNumber: Type.String(),
    data,
  })

/** What is sent, by event. */
export const EVENT_SCHEMAS: readonly { readonly type: string; readonly summary: string; readonly body: TObject }[] =
  Object.entries<TObject>(DATA).map(([type, data]) => ({
    type,
    summary: SUMMARIES[type as AnyEventType],
    body: bodyOf(type, data),
  }))
