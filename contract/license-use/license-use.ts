import { type Static, Type } from 'typebox'
import { ServerId } from '#contract/activations/hosts/host-fields.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly, Revision, requestFields } from '#contract/kit/schema.ts'
import { MAX_REPORT_DAYS } from '#contract/web-licenses/web-report.ts'
import { download, plain } from '#domain/audit/words.ts'
import { DENIAL_CAUSES } from '#domain/license-use/logs/denial-cause.ts'
import { ASK_HOURS, OFFER_MINUTES } from '#domain/license-use/waiting/waiting-rules.ts'

export const Day = Type.String({
  maxLength: 40,
  description: 'A calendar day of the license server',
  examples: ['2026-10-01'],
})
const FeatureName = Type.String({ minLength: 1, maxLength: 200, examples: ['anshpc'] })
const Count = Type.Integer({ minimum: 0 })
const unknownOr = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })
const textOr = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const Hours = Type.Number({ minimum: 0 })
const read = { kind: 'account', action: 'activations.read', customerNumberIn: 'body' } as const
const write = { kind: 'account', action: 'activations.write', customerNumberIn: 'body' } as const

const range = { from: Day, to: Day, serverId: Type.Optional(ServerId) }

const FeatureUse = Type.Object({
  serverId: Type.String(),
  serverName: Type.String(),
  feature: Type.String(),
  seats: unknownOr('As the license server says; null: not known'),
  filedSeats: Type.Integer({ description: 'Seats that the portal has activated on the license server' }),
  product: textOr('The product on the license server with most seats of the feature; null: none'),
  inUse: unknownOr('By the last lmstat output, or else by the log; null: not known'),
  reserved: Count,
  queued: Count,
  peak: unknownOr('Null, as the following ones: the license server reported nothing about the range'),
  neverUsed: unknownOr('Seats that nobody used in the range; null where the seats are not known'),
  hoursAtLimit: Type.Union([Hours, Type.Null()]),
  seatHours: Type.Union([Hours, Type.Null()]),
  checkouts: Type.Union([Count, Type.Null()]),
  denials: Type.Union([Count, Type.Null()]),
  realDenials: Type.Union([Count, Type.Null()]),
})
export type FeatureUse = Static<typeof FeatureUse>

const removedBefore = textOr('Single checkouts and denials before this day were removed, their sums stay; null: none')

const HostReport = Type.Object({
  serverId: Type.String(),
  serverName: Type.String(),
  daemons: Type.Array(Type.String(), { description: 'Vendor daemons of what is activated on it' }),
  firstFileOn: textOr('The day of its first license file; null: none'),
  reportedAt: textOr('When something arrived last; null: never'),
  logAt: textOr('The last line of a debug log, by the clock of the license server'),
  statusAt: textOr('The last lmstat output, by the clock of the license server'),
  statusError: textOr('Why the last lmstat output told nothing'),
  removedBefore,
  isSilent: Type.Boolean({ description: 'It reported before, but not for a day' }),
  lines: { ...Count, description: 'Of all of its logs' },
  unreadLines: { ...Count, description: 'Of all of its logs and of the last lmstat output' },
  statusProblems: Type.Array(Type.Object({ line: Count, code: Type.String() }), {
    description: 'The first lines of the last lmstat output that could not be read',
  }),
  logs: Type.Array(
    Type.Object({
      name: Type.String(),
      lines: Count,
      unreadLines: Count,
      firstAt: textOr('Of its first line'),
      lastAt: textOr('Of its last line'),
      problems: Type.Array(Type.Object({ line: Count, code: Type.String() }), {
        description: 'The first lines that could not be read',
      }),
    }),
    { description: 'Its newest 20 logs. The list license-use/logs has all of them.' },
  ),
})
export type HostReport = Static<typeof HostReport>

export const getLicenseUse = operation({
  name: 'license-use',
  summary: `Seats, peaks, hours at the limit and denials of every feature over at most ${MAX_REPORT_DAYS} days, and what each license server reported last`,
  access: read,
  token: 'license-use',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber, ...range }),
  data: Type.Object({ features: Type.Array(FeatureUse), hosts: Type.Array(HostReport) }),
})

const files = {
  access: read,
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber, ...range }),
} as const
export const exportLicenseUse = operation({
  ...files,
  name: 'license-use/export',
  audit: download('the use of license servers'),
  token: 'license-use',
  summary: 'The use of license servers as CSV',
  data: Type.Unknown(),
  media: 'text/csv',
})
export const getLicenseUsePdf = operation({
  ...files,
  name: 'license-use/pdf',
  audit: download('the use of license servers'),
  token: 'license-use',
  summary: 'The use of license servers as a PDF file',
  data: Type.Unknown(),
  media: 'application/pdf',
})

const TopUse = Type.Object({ name: Type.String(), seatHours: Hours, checkouts: Count, realDenials: Count })

const seatsThen = unknownOr('Seats of the feature at that time; null: not known')

const FeatureDetail = Type.Object({
  heat: Type.Array(
    Type.Object({
      weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday' }),
      hour: Type.Integer({ minimum: 0, maximum: 23 }),
      peak: Count,
      average: Type.Number(),
      realDenials: Count,
    }),
    { description: 'By weekday and hour; hours without use have no entry' },
  ),
  days: Type.Array(Type.Object({ day: Type.String(), peak: Count, seats: seatsThen, realDenials: Count })),
  day: Type.String({ description: 'The day of the course: the chosen one, or else the last one with use' }),
  course: Type.Array(
    Type.Object({ hour: Type.Integer(), peak: Count, seats: seatsThen, average: Type.Number(), realDenials: Count }),
    { description: 'The chosen day by the hour; hours without use have no entry' },
  ),
  users: Type.Array(TopUse),
  hosts: Type.Array(TopUse),
  holders: Type.Array(
    Type.Object({
      kind: Type.Enum(['in use', 'borrowed', 'queued']),
      user: Type.String(),
      host: Type.String(),
      seats: Count,
      since: textOr('By the clock of the license server'),
      isUncertain: Type.Boolean({ description: 'User and host could not be told apart with certainty' }),
    }),
  ),
  feeds: Type.Array(
    Type.Object({
      activationId: Type.String(),
      product: Type.String(),
      seats: Count,
      endDate: textOr('Null: permanent'),
    }),
    { description: 'The entitlements on the license server that give seats of this feature' },
  ),
  file: Type.Union([
    Type.Object({ id: Type.String(), generatedAt: Type.String(), isOutOfDate: Type.Boolean() }),
    Type.Null({ description: 'No license file was generated' }),
  ]),
  causes: Type.Array(Type.Object({ cause: Type.Enum([...DENIAL_CAUSES]), denials: Count }), {
    description: 'Of the denials that were not removed',
  }),
  removedBefore,
})
export type FeatureDetail = Static<typeof FeatureDetail>

export const getFeatureUse = operation({
  name: 'license-use/feature',
  summary: 'One feature of one license server: when it is used, by whom, who was refused, and what gives it seats',
  access: read,
  token: 'license-use',
  writes: false,
  body: requestFields({
    customerNumber: CustomerNumber,
    serverId: ServerId,
    feature: FeatureName,
    from: Day,
    to: Day,
    day: Type.Optional(Day),
  }),
  data: FeatureDetail,
})

const FreeSeats = Type.Object({
  feature: Type.String(),
  isFree: Type.Boolean({
    description: 'At least the wanted number of seats is free on one license server, or it does not count them',
  }),
  free: unknownOr(
    'Seats that are neither in use nor reserved, over all license servers; null: not known, or not counted',
  ),
  servers: Type.Array(
    Type.Object({
      serverId: Type.String(),
      serverName: Type.String(),
      seats: unknownOr('null: not known'),
      inUse: unknownOr(
        'null: not known, for example because the last lmstat failed or the license server has not reported for a day',
      ),
      isUncounted: Type.Boolean({ description: 'Everybody may use the feature: its seats are not counted' }),
      free: unknownOr('null: not known, or not counted'),
      asOf: textOr('By the clock of the license server'),
      reportedAt: textOr('When the report arrived'),
    }),
  ),
})
export type FreeSeats = Static<typeof FreeSeats>
const freeQuery = {
  customerNumber: CustomerNumber,
  feature: FeatureName,
  seats: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
}

export const getFreeSeats = operation({
  name: 'license-use/free',
  summary: 'Is a seat of a feature free now? For job schedulers',
  access: { kind: 'account', action: 'activations.read', customerNumberIn: 'query' },
  token: 'license-use',
  writes: false,
  takesTurns: false,
  query: requestFields(freeQuery),
  data: FreeSeats,
})
export const getServiceFreeSeats = operation({
  name: 'service/license-use/free',
  method: 'GET',
  path: '/service/v1/license-use/free',
  summary: 'Is a seat of a feature of an account free now?',
  access: { kind: 'service', scope: 'license-use' },
  token: null,
  writes: false,
  takesTurns: false,
  query: exactly(freeQuery),
  data: FreeSeats,
})

const waiting = {
  offerMinutes: Type.Integer({
    minimum: OFFER_MINUTES.min,
    maximum: OFFER_MINUTES.max,
    description: 'The next person in line is notified of a free seat after so many minutes',
  }),
  askHours: Type.Integer({
    minimum: ASK_HOURS.min,
    maximum: ASK_HOURS.max,
    description: 'Who holds a seat for so many hours can be asked for it',
  }),
}
const settings = {
  hasPseudonyms: Type.Boolean({ description: 'Users are shown under a pseudonym, also in the past' }),
  keptDays: Type.Integer({ minimum: 30, maximum: 4000, description: 'Single events are removed after so many days' }),
}
const SavedSettings = exactly({ ...settings, ...waiting, revision: Revision })
export type SavedLicenseUseSettings = Static<typeof SavedSettings>

export const getLicenseUseSettings = operation({
  name: 'license-use/settings',
  summary: 'How an account keeps what its license servers report, and how people wait for seats',
  access: read,
  token: 'license-use',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: SavedSettings,
})
export const saveLicenseUseSettings = operation({
  name: 'license-use/settings/save',
  summary:
    'Saves how an account keeps what its license servers report, and how people wait for seats. Pseudonyms cannot be turned back: names that were replaced are gone.',
  access: write,
  token: 'license-use',
  writes: true,
  audit: plain('Changed what is kept of the use of license servers', 'change what is kept of license servers'),
  refusals: ['PSEUDONYMS_STAY'],
  body: requestFields({
    customerNumber: CustomerNumber,
    settings: exactly({ ...settings, ...Type.Partial(Type.Object(waiting)).properties }),
    revision: Revision,
  }),
  data: SavedSettings,
})

/** The name of a file of the report, without its ending. */
export const licenseUseFileName = (customerNumber: string, from: string, to: string): string =>
  `license_use_${customerNumber}_${from}_${to}`
