import { type Static, Type } from 'typebox'
import { ServerId } from '#contract/activations/hosts/host-fields.ts'
import { operation } from '#contract/kit/operation.ts'
import { PlainLines } from '#contract/kit/plain-text.ts'
import { CustomerNumber, Revision, requestFields } from '#contract/kit/schema.ts'
import { act, download, field, plain, text } from '#domain/audit/words.ts'
import { MAX_OPTIONS_TEXT } from '#domain/options-files/options-document.ts'
import { MAX_RESERVATIONS } from '#domain/options-files/reservations.ts'

const read = { kind: 'account', action: 'activations.read', customerNumberIn: 'body' } as const
const write = { kind: 'account', action: 'activations.write', customerNumberIn: 'body' } as const

const Count = Type.Integer({ minimum: 0 })
const Day = Type.String({ format: 'date', description: 'yyyy-mm-dd' })
const Instant = Type.String({ format: 'date-time' })
const orNull = <const T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const Daemon = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,60}$',
  description: 'The vendor daemon: each has an options file of its own',
  examples: ['ansyslmd'],
})
const server = { customerNumber: CustomerNumber, serverId: ServerId }
const file = { ...server, daemon: Daemon }
const OptionsText = Type.String({
  maxLength: MAX_OPTIONS_TEXT,
  description: 'The whole options file. Comments and lines that the portal does not know are kept to the letter.',
})
const Version = Type.Integer({ minimum: 1, maximum: 2_000_000_000 })

const Problem = Type.Object({
  line: orNull(Count, 'Of the text; null: about the whole file'),
  severity: Type.Enum(['error', 'warning'], { description: 'A file with an error is not saved' }),
  text: Type.String(),
})

const SavedVersion = Type.Object({
  version: Version,
  savedBy: Type.String(),
  savedAt: Instant,
  restoredFrom: orNull(Version, 'The version whose text it has again; null: none'),
})
export type SavedOptionsVersion = Static<typeof SavedVersion>

const reservationFields = {
  feature: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\s"#]+$', examples: ['struct_pro'] }),
  group: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[^\\u0000-\\u001f"]+$',
    description: 'A user group of the saved options file',
    examples: ['crash'],
  }),
  seats: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  from: Day,
  to: Day,
  weekdays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: '1 is Monday',
  }),
}
const ReservationId = Type.String({ format: 'uuid' })
const SavedReservation = Type.Object({
  id: ReservationId,
  ...reservationFields,
  savedBy: Type.String(),
  savedAt: Instant,
  revision: Revision,
})
export type SavedReservation = Static<typeof SavedReservation>

const Outcome = Type.Enum(['installed', 'failed', 'refused'], {
  description:
    'installed: the vendor daemon has read it. failed: it is there, but the vendor daemon was not told. refused: the collector kept the file that it has.',
})
const Install = Type.Object({
  machine: Type.String({ description: 'Where the collector runs' }),
  version: Version,
  day: Day,
  outcome: Outcome,
  message: orNull(Type.String(), 'The text of the fault'),
  reportedAt: Instant,
  isCurrent: Type.Boolean({ description: 'It has the rules and reservations of today' }),
})
export type OptionsInstall = Static<typeof Install>

const OptionsFile = Type.Object({
  daemon: Daemon,
  text: Type.String({ description: 'As saved; empty if it never was' }),
  revision: { ...Revision, description: 'The newest version; 0: never saved. A save sends it' },
  problems: Type.Array(Problem),
  versions: Type.Array(SavedVersion, { description: 'The newest 200, the newest first' }),
  today: Day,
  todayText: Type.String({ description: 'The file of today: as saved, with the reservations of today' }),
  features: Type.Array(
    Type.Object({
      feature: Type.String(),
      versions: Type.Array(Type.String(), { description: 'By the license file' }),
      seats: orNull(Count, 'Null: not known, or not counted'),
    }),
    { description: 'What the vendor daemon serves: by the license file and the last lmstat output' },
  ),
  reservations: Type.Array(SavedReservation, { maxItems: MAX_RESERVATIONS }),
  installs: Type.Array(Install),
})
export type OptionsFile = Static<typeof OptionsFile>

export const getOptionsFile = operation({
  name: 'license-servers/options',
  summary: 'The options file of a vendor daemon: text, problems, versions, reservations, and where it is installed',
  access: read,
  token: 'license-use',
  writes: false,
  body: requestFields({ ...server, daemon: Type.Optional(Daemon) }),
  data: Type.Object({
    serverName: Type.String(),
    daemons: Type.Array(Daemon, { description: 'All vendor daemons of the license server' }),
    file: orNull(OptionsFile, 'Of the first of them if the call names none. Null: it has no vendor daemon yet'),
  }),
})

export const getOptionsWhatIf = operation({
  name: 'license-servers/options/what-if',
  summary:
    'What an options file would have done to the measured requests of the last 30 days, and what is wrong with it',
  access: read,
  token: 'license-use',
  writes: false,
  bodyLimit: MAX_OPTIONS_TEXT * 4,
  refusals: ['TOO_MANY_ROWS'],
  body: requestFields({ ...file, text: OptionsText }),
  data: Type.Object({
    problems: Type.Array(Problem),
    replay: orNull(
      Type.Object({
        from: { ...Day, description: 'Of single checkouts and denials' },
        to: Day,
        checkouts: Count,
        denials: { ...Count, description: 'For lack of seats or by the options file; retries are left out' },
        avoided: { ...Count, description: 'Denials that would not have happened' },
        added: { ...Count, description: 'Checkouts that would have been denied' },
        features: Type.Array(Type.Object({ feature: Type.String(), avoided: Count, added: Count })),
        leftOut: Type.Array(Count, {
          description:
            'Lines whose effect cannot be computed: logs do not name projects, displays, addresses or licenses',
        }),
      }),
      'Null: nothing was measured, or users have pseudonyms',
    ),
    hasPseudonyms: Type.Boolean({ description: 'Users have pseudonyms, so rules cannot be compared with them' }),
  }),
})

export const getOptionsVersion = operation({
  name: 'license-servers/options/version',
  summary: 'The text of an earlier version of an options file',
  access: read,
  token: 'license-use',
  writes: false,
  body: requestFields({ ...file, version: Version }),
  data: Type.Object({ ...SavedVersion.properties, text: Type.String() }),
})

export const exportOptionsFile = operation({
  name: 'license-servers/options/export',
  summary: 'A version of an options file as a text file, by default the newest',
  access: read,
  token: 'license-use',
  writes: false,
  audit: download('an options file'),
  body: requestFields({ ...file, version: Type.Optional(Version) }),
  data: Type.Unknown(),
  media: 'text/plain',
})

export const downloadOptionsFile = operation({
  name: 'license-servers/options/file',
  summary:
    'The options file of today with its reservations, as the collector installs it. The last line says which version it is, with length and hash of everything before it. The hash is the ETag: 304 if If-None-Match has it.',
  access: { kind: 'account', action: 'activations.read', customerNumberIn: 'query' },
  token: 'license-use',
  writes: false,
  takesTurns: false,
  isConditional: true,
  audit: download('the options file of a day'),
  query: requestFields(file),
  data: Type.Unknown(),
  media: 'text/plain',
})

export const saveOptionsFile = operation({
  name: 'license-servers/options/save',
  summary:
    'Saves an options file as its next version (409 if somebody else has saved it since). A file with errors is refused',
  access: write,
  token: 'license-use',
  writes: true,
  audit: {
    what: 'save an options file',
    done: ({ target, after }) => `Saved version ${text(field(after, 'version'))} of the options file of ${target}`,
  },
  refusals: ['OPTIONS_NOT_VALID'],
  bodyLimit: MAX_OPTIONS_TEXT * 4,
  body: requestFields({
    ...file,
    text: OptionsText,
    revision: Revision,
    restoredFrom: Type.Optional({ ...Version, description: 'The version whose text this is' }),
  }),
  data: Type.Object({ version: Version, problems: Type.Array(Problem) }),
})

export const saveReservation = operation({
  name: 'license-servers/options/reservations/save',
  summary: 'Reserves seats of a feature for a user group on some days, or changes a reservation with id and revision',
  access: write,
  token: 'license-use',
  writes: true,
  audit: {
    what: 'reserve seats for a group',
    done: ({ after }) =>
      `Reserved ${text(field(after, 'seats'))} of ${text(field(after, 'feature'))} for group ${text(field(after, 'group'))}`,
  },
  refusals: ['RESERVATION_REFUSED', 'TOO_MANY_RESERVATIONS'],
  body: requestFields({
    ...file,
    ...reservationFields,
    id: Type.Optional(ReservationId),
    revision: Type.Optional(Revision),
  }),
  data: SavedReservation,
})

export const removeReservation = operation({
  name: 'license-servers/options/reservations/remove',
  summary: 'Removes a reservation of seats',
  access: write,
  token: 'license-use',
  writes: true,
  audit: plain('Removed a reservation of seats', 'remove a reservation of seats'),
  body: requestFields({ ...file, id: ReservationId }),
  data: Type.Null(),
})

export const reportOptionsInstall = operation({
  name: 'license-servers/options/installed',
  summary: 'Reports which options file a machine has installed, or why not. For the collector',
  access: write,
  token: 'license-use',
  writes: true,
  audit: act('Reported the installed options file', 'report an installed options file'),
  body: requestFields({
    ...file,
    machine: Type.String({
      pattern: '^[A-Za-z0-9._-]{1,255}$',
      description: 'Its host name',
      examples: ['lic-berlin-01'],
    }),
    version: Version,
    day: Day,
    sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'Of the file without its last line',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    outcome: Outcome,
    message: Type.Optional(PlainLines(2000, { description: 'The text of the fault' })),
  }),
  data: Type.Null(),
})

/** The name of a file that is downloaded. */
export const optionsFileName = (daemon: string, version: number): string => `${daemon}_v${version}.opt`

export type OptionsAnswer = Static<(typeof getOptionsFile)['data']>
export type OptionsWhatIf = Static<(typeof getOptionsWhatIf)['data']>
