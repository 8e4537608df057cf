import { type Static, Type } from 'typebox'
import { ServerId } from '#contract/activations/hosts/host-fields.ts'
import { declareList, type WireRow } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { download } from '#domain/audit/words.ts'
import { askedHolderWords, lineWords } from '#domain/license-use/waiting/audit-words.ts'
import { PRIORITIES, WAITING_STATES } from '#domain/license-use/waiting/waiting-line.ts'
import { MAX_DAYS, MAX_SEATS_WANTED } from '#domain/license-use/waiting/waiting-rules.ts'

const on = <const A extends 'activations.read' | 'activations.write' | 'license-use.wait'>(action: A) =>
  ({ kind: 'account', action, customerNumberIn: 'body' }) as const

const Id = Type.String({ format: 'uuid' })
const FeatureName = Type.String({ minLength: 1, maxLength: 200, examples: ['anshpc'] })
const State = Type.Enum([...WAITING_STATES], {
  description:
    'waiting and offered are in line. Others have left it: checked-out got a seat, missed did not check out in time, expired waited until the end of their time.',
})
const PriorityField = Type.Enum([...PRIORITIES])

/** Everybody who is in line. Whose place is not the caller’s own is named by the user name on the license server alone. */
export const waitingList = declareList({
  name: 'license-use/waiting',
  rows: 'people who wait for seats of license servers, by feature and place',
  access: on('activations.read'),
  token: 'license-use',
  scope: { customerNumber: CustomerNumber },
  fields: {
    id: { type: 'text', schema: Id },
    feature: { type: 'text' },
    place: { type: 'number', schema: Type.Integer({ minimum: 1, description: 'In the line of the feature' }) },
    user: {
      type: 'text',
      schema: Type.String({
        description: 'The name on the license server; a pseudonym if the account has chosen pseudonyms',
      }),
    },
    isOwn: { type: 'boolean', schema: Type.Boolean({ description: 'The place is the caller’s own' }) },
    seats: { type: 'number', schema: Type.Integer() },
    serverId: { type: 'text', nullable: true, schema: Type.String({ description: 'Null: any license server' }) },
    serverName: { type: 'text', nullable: true },
    priority: { type: 'text', schema: PriorityField },
    state: { type: 'text', schema: State },
    stateText: { type: 'text', schema: Type.String({ description: 'The state in plain words' }) },
    joinedAt: { type: 'instant' },
    until: { type: 'instant' },
    offerServerName: {
      type: 'text',
      nullable: true,
      schema: Type.String({ description: 'Where a seat is free for this person' }),
    },
    offerEndsAt: {
      type: 'instant',
      nullable: true,
      schema: Type.String({ description: 'Then the next in line is notified', format: 'date-time' }),
    },
  },
  key: ['feature', 'place'],
  defaultSort: [
    { name: 'feature', direction: 'asc' },
    { name: 'place', direction: 'asc' },
  ],
  distinct: 'feature',
  csv: {
    noun: 'lines for seats of license servers',
    summary: 'Everybody who waits for seats of license servers as CSV, refused over 30,000 rows',
  },
})
export type WaitingRow = WireRow<typeof waitingList.fields>

/** The columns of the screen, in its order. An export has the same. */
export const WAITING_COLUMNS = [
  ['feature', 'Feature'],
  ['place', 'Place'],
  ['user', 'User'],
  ['stateText', 'State'],
  ['seats', 'Seats'],
  ['serverName', 'License Server'],
  ['joinedAt', 'Waiting Since'],
  ['until', 'Until'],
  ['priority', 'Priority'],
  ['offerServerName', 'Free On'],
  ['offerEndsAt', 'Free Until'],
  ['serverId', 'Server ID'],
] as const satisfies readonly (readonly [field: keyof WaitingRow & string, header: string])[]

const WaitingPlace = Type.Object({
  id: Id,
  feature: Type.String(),
  state: State,
  place: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'Null: no longer in line' }),
  seats: Type.Integer(),
  serverId: Type.Union([Type.String(), Type.Null()], { description: 'Null: any license server' }),
  userName: Type.String({ description: 'A pseudonym if the account has chosen pseudonyms' }),
  until: Type.String({ format: 'date-time' }),
  offer: Type.Union(
    [
      Type.Object({
        serverId: Type.String(),
        serverName: Type.String(),
        endsAt: Type.String({ format: 'date-time', description: 'Then the next in line is notified' }),
      }),
      Type.Null(),
    ],
    { description: 'Where a seat is free for this person now' },
  ),
})
export type WaitingPlace = Static<typeof WaitingPlace>

export const joinLine = operation({
  name: 'license-use/waiting/join',
  summary:
    'Gets in line for seats of a feature. Who is first when the license server reports a free seat is notified by email, browser notification and the webhook seat.free.',
  access: on('license-use.wait'),
  token: 'license-use',
  writes: true,
  audit: lineWords('Got in line for', 'wait for a seat'),
  refusals: ['ALREADY_WAITING', 'LINE_FULL', 'TOO_MANY_SEATS', 'INVALID_TIME'],
  body: requestFields({
    customerNumber: CustomerNumber,
    feature: FeatureName,
    serverId: Type.Optional({ ...ServerId, description: 'Without it a seat of any license server will do' }),
    seats: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SEATS_WANTED })),
    until: Type.String({ format: 'date-time', description: `Waits until then, at most ${MAX_DAYS} days` }),
    userName: Type.Optional(
      PlainLine(200, {
        isRequired: true,
        description:
          'Who checks out the seat, as the license server names them. Without it, what comes before the @ of the email of the caller.',
      }),
    ),
    isMailed: Type.Optional(
      Type.Boolean({
        description: 'Whether to tell the caller by email. By default people are, owners of tokens are not.',
      }),
    ),
  }),
  data: WaitingPlace,
})

const one = requestFields({ customerNumber: CustomerNumber, id: Id })

export const getPlace = operation({
  name: 'license-use/waiting/one',
  summary:
    'A place in line: its state, and the seat that is free for it. For job schedulers, which ask again and again',
  access: on('activations.read'),
  token: 'license-use',
  writes: false,
  takesTurns: false,
  body: one,
  data: WaitingPlace,
})

export const leaveLine = operation({
  name: 'license-use/waiting/leave',
  summary: 'Leaves the line. Administrators take others out of it, too.',
  access: on('activations.read'),
  token: 'license-use',
  writes: true,
  audit: lineWords('Left the line for', 'leave a line for seats'),
  refusals: ['NOT_IN_LINE'],
  body: one,
  data: WaitingPlace,
})

export const setPriority = operation({
  name: 'license-use/waiting/priority',
  summary: 'Lets somebody go before others in line, or behind them',
  access: on('activations.write'),
  token: 'license-use',
  writes: true,
  audit: lineWords('Changed the priority in the line for', 'change the priority in a line'),
  refusals: ['NOT_IN_LINE'],
  body: requestFields({ customerNumber: CustomerNumber, id: Id, priority: PriorityField }),
  data: WaitingPlace,
})

export const askHolder = operation({
  name: 'license-use/waiting/ask',
  summary:
    'Asks somebody who holds a seat for long to return it, by an email of the portal. The answer does not say to which address. At most one email for each holder and day.',
  access: on('license-use.wait'),
  token: null,
  writes: true,
  audit: askedHolderWords('ask a holder for a seat'),
  refusals: ['HOLDERS_HIDDEN', 'NOT_A_HOLDER', 'HELD_TOO_SHORT', 'ADDRESS_NOT_KNOWN', 'ASKED_TODAY'],
  body: requestFields({
    customerNumber: CustomerNumber,
    serverId: ServerId,
    feature: FeatureName,
    userName: PlainLine(200, { isRequired: true, description: 'As the license server names the holder' }),
  }),
  data: Type.Null(),
})

export const getMetrics = operation({
  name: 'license-use/metrics',
  summary:
    'Seats by feature and license server for Prometheus, without an entry in the audit log: all, in use, free, reserved, and those that people in line wait for',
  access: { kind: 'account', action: 'activations.read', customerNumberIn: 'query' },
  token: 'license-use',
  writes: false,
  takesTurns: false,
  query: requestFields({ customerNumber: CustomerNumber }),
  audit: download('metrics of license servers'),
  data: Type.String(),
  media: 'text/plain; version=0.0.4',
})
