import { type Static, Type } from 'typebox'
import { LIST_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { CustomerNumber, exactly, Revision, requestFields } from '#contract/kit/schema.ts'
import { named, plain } from '#domain/audit/words.ts'
import {
  MAX_BUDGET_NAME,
  MAX_BUDGETS,
  MAX_LEAD_TIMES,
  MAX_RECIPIENTS,
  MAX_THRESHOLDS,
} from '#domain/reminders/reminders.ts'

const Amount = Type.String({ maxLength: 40, examples: ['500.00'] })

const Thresholds = Type.Array(
  exactly({
    measure: Type.Union([Type.Literal('percent'), Type.Literal('amount')]),
    value: Amount,
  }),
  { maxItems: MAX_THRESHOLDS, description: 'A mail is sent when no more than this is left of a balance' },
)

const reminders = {
  recipients: Type.Array(Type.String({ maxLength: 320 }), {
    maxItems: MAX_RECIPIENTS,
    description: 'Email addresses of contacts of the account',
    examples: [['ada.admin@aerodyne.example']],
  }),
  leadDays: Type.Array(Type.Number(), {
    maxItems: MAX_LEAD_TIMES,
    description: 'A mail is sent this many days before an entitlement ends',
    examples: [[90, 30, 7]],
  }),
  elastic: Thresholds,
  fsa: Thresholds,
  budgets: Type.Array(
    exactly({
      by: Type.Union([Type.Literal('project'), Type.Literal('user')]),
      name: Type.String({ maxLength: MAX_BUDGET_NAME }),
      amount: Amount,
    }),
    { maxItems: MAX_BUDGETS, description: 'What a project or a user may spend in a calendar month. It only warns.' },
  ),
}
const switches = {
  seatDenials: Type.Boolean({
    description: 'A mail is sent when license servers turn users away for lack of seats, once a day for each feature',
  }),
  silentServers: Type.Boolean({
    description: 'A mail is sent when a license server that reported before has not reported for a day',
  }),
}
const SavedReminders = exactly({ ...reminders, ...switches, revision: Revision })
export type SavedReminders = Static<typeof SavedReminders>

const LoadedReminders = exactly({
  reminders: SavedReminders,
  contacts: Type.Array(Type.String(), { description: 'Who can be a recipient' }),
  sent: Type.Array(exactly({ text: Type.String(), sentAt: Type.String({ format: 'date-time' }) }), {
    description: 'The last 20 reminders that were mailed, the newest first',
  }),
})
export type LoadedReminders = Static<typeof LoadedReminders>

export const getReminders = operation({
  name: 'getreminders',
  summary: 'What an account is reminded of, who is told, and what was mailed last',
  access: { kind: 'account', action: 'reminders.read', customerNumberIn: 'body' },
  token: 'entitlements',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: LoadedReminders,
})

export const setReminders = operation({
  name: 'setreminders',
  summary: 'Save the reminders of an account',
  access: { kind: 'account', action: 'reminders.write', customerNumberIn: 'body' },
  token: 'entitlements',
  writes: true,
  audit: plain('Changed the reminders', 'change reminders'),
  refusals: ['NOT_A_CONTACT'],
  bodyLimit: LIST_BODY_LIMIT,
  body: requestFields({
    customerNumber: CustomerNumber,
    reminders: exactly({
      ...reminders,
      seatDenials: Type.Optional(switches.seatDenials),
      silentServers: Type.Optional(switches.silentServers),
    }),
    revision: Revision,
  }),
  data: SavedReminders,
})

const CalendarFeed = exactly({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  createdBy: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  usedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
})
export type CalendarFeed = Static<typeof CalendarFeed>

export const listCalendarFeeds = operation({
  name: 'calendarfeeds',
  summary: 'The calendar addresses of an account that are not revoked; the addresses themselves are shown once',
  access: { kind: 'account', action: 'reminders.read', customerNumberIn: 'body' },
  token: 'entitlements',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: Type.Array(CalendarFeed),
})

export const MAX_FEED_NAME = 60

export const createCalendarFeed = operation({
  name: 'createcalendarfeed',
  freshSignIn: true,
  refusals: ['TOO_MANY_FEEDS'],
  summary: 'Make a secret address at which calendar programs find the end dates of an account',
  access: { kind: 'account', action: 'reminders.write', customerNumberIn: 'body' },
  token: 'entitlements',
  writes: true,
  audit: named('Made the calendar address', 'make a calendar address', 'after'),
  isAnswerSecret: true,
  body: requestFields({
    customerNumber: CustomerNumber,
    name: PlainLine(MAX_FEED_NAME, { isRequired: true }),
  }),
  data: exactly({ feed: CalendarFeed, url: Type.String({ description: 'Shown this once, never again' }) }),
})

export const revokeCalendarFeed = operation({
  name: 'revokecalendarfeed',
  summary: 'Revoke a calendar address: from now on nobody finds anything there',
  access: { kind: 'account', action: 'reminders.write', customerNumberIn: 'body' },
  token: 'entitlements',
  writes: true,
  audit: named('Revoked the calendar address', 'revoke a calendar address', 'before'),
  body: requestFields({ customerNumber: CustomerNumber, id: Type.String({ format: 'uuid' }) }),
  data: Type.Null(),
})
