import { type Static, type TSchema, Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { act, field, text } from '#domain/audit/words.ts'
import { USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { MATTER_KINDS, MAX_OF_KIND } from '#domain/home/work-list.ts'

const Day = Type.String({ format: 'date', description: 'A calendar day of the account, yyyy-mm-dd' })
const Amount = Type.String({ description: 'Exact, with two decimals', examples: ['1234.50'] })
const Count = Type.Integer({ minimum: 0 })
/** Null where the account has nothing of the kind, or the caller may not see it. */
const part = <const T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description: `${description}; null if the caller has no such screen` })

const EndingDays = Type.Array(
  Type.Object({
    day: Day,
    count: Count,
    withSeats: Type.Optional({ ...Count, description: 'Those of them that have activated seats' }),
  }),
)

const Balance = Type.Object({
  id: Type.String({ description: 'The activation id of elastic units, the entitlement id of a contract' }),
  product: Type.String(),
  currency: Type.String(),
  total: Amount,
  remaining: Type.String({ description: 'Exact, with two decimals; negative if more was used than bought' }),
  endDate: Type.Union([Day, Type.Null()]),
  isActive: Type.Boolean({ description: 'False for what is used up: its screen lists it as inactive' }),
})

const ElasticBalance = Type.Object({
  ...Balance.properties,
  purchaseOrder: Type.String(),
  runOut: Type.Union(
    [
      Type.Object({
        outcome: Type.Enum(['runs out', 'not used up', 'no usage', 'used up']),
        on: Type.Union([Day, Type.Null()], { description: 'For units that run out' }),
      }),
      Type.Null(),
    ],
    { description: `At the average of the last ${USUAL_WINDOW} days; null if there is no forecast` },
  ),
})

const ElasticUse = Type.Object({
  currency: Type.String(),
  days: Type.Array(Amount, { description: 'Units used on each of the last 90 days and today, the oldest first' }),
  end: Type.Object(
    {
      outcome: Type.Enum(['runs out', 'not used up', 'no usage', 'used up', 'no balance']),
      on: Type.Union([Day, Type.Null()], { description: 'The day on which units run out, or the last term ends' }),
    },
    { description: `What becomes of all units of the currency at the average of the last ${USUAL_WINDOW} days` },
  ),
})

const Budgets = Type.Object({
  count: Type.Integer({ minimum: 1 }),
  over: Type.Array(
    Type.Object({
      by: Type.Enum(['project', 'user']),
      name: Type.String(),
      currency: Type.String(),
      amount: Amount,
      spent: Amount,
    }),
    { description: 'Those that are exceeded, the most first' },
  ),
})

const matter = {
  key: Type.String({ description: 'Names the matter in home/hide and home/show' }),
  kind: Type.Enum([...MATTER_KINDS]),
  subject: Type.String({
    description:
      'An address, a username, a product, a feature or a currency; empty where an account has one of the kind',
  }),
  server: Type.String({ description: 'The elastic license server that denied the subject; empty for other kinds' }),
  user: Type.String({
    description: 'The web user who was denied the product, of several the one most often; empty for other kinds',
  }),
  users: Type.Integer({ minimum: 0, description: 'How many web users were denied the product; 0 for other kinds' }),
  count: Type.Integer({ minimum: 1 }),
  withSeats: Type.Integer({
    minimum: 0,
    description: 'How many of the leases that end have activated seats; 0 for other kinds',
  }),
  day: Type.Union([Day, Type.Null()], {
    description: 'The first day on which something ends or runs out, or the last one of what has ended',
  }),
}
const Matter = Type.Object(matter)
const HiddenMatter = Type.Object({
  ...matter,
  until: Type.Union([Day, Type.Null()], { description: 'It is back on this day; null if it was marked as done' }),
})

const AccountHome = Type.Object({
  today: Day,
  matters: Type.Array(Matter, {
    description: 'What should be done on the account, the most urgent first, a few of each kind',
  }),
  moreMatters: Type.Array(Type.Object({ kind: matter.kind, count: Type.Integer({ minimum: 1 }) }), {
    description: `How many more of a kind wait, if there are more than ${MAX_OF_KIND}`,
  }),
  hiddenMatters: Type.Array(HiddenMatter, {
    description:
      'What the caller has put off until a day, or marked as done. Done matters are back when there is more of them, and at the latest after the days in which the same ones were counted: 7 for denials, 30 for others',
  }),
  ending: Type.Object(
    {
      leases: part(EndingDays, 'Leases other than web licenses'),
      webLicenses: part(EndingDays, 'Named User and Shared Web licenses'),
      elastic: part(EndingDays, 'Elastic entitlements'),
      contracts: part(EndingDays, 'Spending accounts'),
    },
    { description: 'Active entitlements that end within 90 days, by the day of their end' },
  ),
  maintenanceEnded: part(Count, 'Active permanent licenses whose maintenance has ended'),
  elasticBalances: part(
    Type.Array(ElasticBalance),
    'Elastic entitlements that are valid today, the first to end first',
  ),
  elasticUse: part(Type.Array(ElasticUse), 'Use of elastic units and its forecast, by currency'),
  budgets: part(Budgets, 'Budgets of projects and users in this calendar month; null also if there are none'),
  contractBalances: part(Type.Array(Balance), 'Spending accounts that are valid today, the first to end first'),
  runningSessions: part(Count, 'Elastic sessions that are running'),
  denials: part(
    Type.Object({ from: Day, count: Count }),
    'Elastic session starts that were denied on the last 7 days, today included',
  ),
  runningCheckouts: part(Count, 'Web licenses that are checked out'),
  webDenials: part(Type.Object({ from: Day, count: Count }), 'Web checkouts that were denied on the last 7 days'),
  outOfDateHosts: part(Count, 'License servers whose license file is out of date'),
  seatDenials: part(Count, 'Users whom license servers turned away for lack of seats on the last 7 days'),
  silentServers: part(Count, 'License servers that reported before, but not for a day'),
  seatOffers: part(
    Type.Array(
      Type.Object({
        feature: Type.String(),
        seats: Type.Integer({ minimum: 1 }),
        serverName: Type.String(),
        endsAt: Type.String({ format: 'date-time', description: 'Then the next in line is notified' }),
      }),
    ),
    'Seats of license servers that are free for the caller, who waits for them',
  ),
  undeliveredEmails: part(Count, 'Emails that could not be delivered'),
  failingDomains: part(Count, 'Domains of the account whose DNS record was not found at the last checks'),
  openRequests: part(Count, 'Requests that wait for the decision of somebody like the caller'),
  accessReview: part(
    Type.Object({ undecided: Count, dueOn: Day }),
    'The access review that is not finished; null also if there is none',
  ),
  openAlerts: Type.Integer({ minimum: 0, description: 'Alerts that are active and have not expired' }),
})
export type AccountHome = Static<typeof AccountHome>
export type HomeMatter = Static<typeof Matter>
export type HiddenHomeMatter = Static<typeof HiddenMatter>
export type HomeBalance = Static<typeof Balance>
export type HomeElasticBalance = Static<typeof ElasticBalance>
export type HomeElasticUse = Static<typeof ElasticUse>
export type HomeBudgets = Static<typeof Budgets>

export const getAccountHome = operation({
  name: 'home',
  summary: 'What needs attention on an account, as far as the caller may see it',
  access: { kind: 'account', action: 'account.read', customerNumberIn: 'body' },
  token: null,
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: AccountHome,
})

const access = { kind: 'account', action: 'account.read', customerNumberIn: 'body' } as const
const key = Type.String({ minLength: 1, maxLength: 400, description: 'Of a matter of home' })

export const hideMatter = operation({
  name: 'home/hide',
  summary: 'Marks a matter of Home as done, or puts it off until a day, for the caller alone',
  access,
  token: null,
  writes: true,
  audit: {
    what: 'hide a line of Home',
    done({ target, after }) {
      const until = text(field(after, 'until'))
      return until ? `Snoozed until ${until} on Home: ${target}` : `Marked as done on Home: ${target}`
    },
  },
  body: requestFields({
    customerNumber: CustomerNumber,
    key,
    until: Type.Optional({ ...Day, description: 'A day after today. Without it the matter is done' }),
  }),
  data: Type.Null(),
})

export const showMatter = operation({
  name: 'home/show',
  summary: 'Shows a matter of Home again that the caller had hidden',
  access,
  token: null,
  writes: true,
  audit: act('Showed again on Home:', 'show a line of Home again', ''),
  body: requestFields({ customerNumber: CustomerNumber, key }),
  data: Type.Null(),
})
