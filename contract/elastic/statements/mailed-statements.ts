import { Type } from 'typebox'
import { declareList } from '#contract/kit/list.ts'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly, Revision, requestFields, untrusted } from '#contract/kit/schema.ts'
import { act, download, plain } from '#domain/audit/words.ts'
import { MAILED_KINDS } from '#domain/elastic/statements/mailed-statement.ts'

/** FAILURE with the code NO_ACTIVE_ENTITLEMENTS if the statement would be empty. */
export const emailWeek = operation({
  name: 'emailweek',
  summary: 'Mail the statement of an entitlement for the seven days before date to the signed-in person',
  access: {
    kind: 'account',
    action: 'elastic.mail-statement',
    customerNumberIn: 'body',
    customerNumberName: 'customerid',
  },
  token: 'statements',
  writes: true,
  audit: act('Emailed the weekly statement', 'email the weekly statement', 'as'),
  refusals: ['NO_ACTIVE_ENTITLEMENTS', 'TOO_MANY_EMAILS'],
  body: requestFields({
    customerid: CustomerNumber,
    customername: untrusted.customerName,
    server: Type.String({
      pattern: '^[A-Za-z0-9-]{1,64}$',
      description: 'The elastic license server of the account: a deviceId of devices/elastic',
    }),
    activationid: Type.String({ minLength: 1, maxLength: 100, description: 'The entitlement' }),
    date: Type.String({
      maxLength: 40,
      description: 'An instant (ISO 8601) or a day of the account, not in the future',
      examples: ['2026-11-16T09:30:00Z'],
    }),
  }),
  data: Type.Null(),
})

export const emailMonth = operation({
  ...emailWeek,
  name: 'emailmonth',
  audit: act('Emailed the monthly statement', 'email the monthly statement', 'as'),
  token: 'statements',
  refusals: ['NO_ACTIVE_ENTITLEMENTS', 'TOO_MANY_EMAILS'],
  summary: 'Mail the statement of an entitlement for the calendar month before date to the signed-in person',
})

/** The file of a mailed statement never changes: mailing a week or a month again mails the same file. */
export const mailedStatementList = declareList({
  name: 'statements/mailed',
  rows: 'statements and reports that were mailed for an account, the newest first unless sorted otherwise',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  token: 'statements',
  scope: { customerNumber: CustomerNumber },
  fields: {
    Id: { type: 'text' },
    Time: { type: 'instant', schema: Type.String({ format: 'date-time', description: 'When it was mailed first' }) },
    Kind: { type: 'text', schema: Type.String({ examples: [...MAILED_KINDS] }) },
    PeriodStartDate: { type: 'day' },
    PeriodEndDate: { type: 'day' },
    FileName: { type: 'text' },
    ActivationId: { type: 'text', nullable: true, schema: Type.String({ description: 'Null: all entitlements' }) },
  },
  key: ['Id'],
  defaultSort: [{ name: 'Time', direction: 'desc' }],
  distinct: 'Kind',
  csv: {
    noun: 'the list of emailed statements',
    summary: 'What was mailed for an account as CSV (UTC times), refused over 30,000 rows',
  },
})

/** The columns of the screen, in its order, with their headers. An export has the same. */
export const MAILED_COLUMNS = [
  ['Time', 'Emailed'],
  ['Kind', 'Statement'],
  ['PeriodStartDate', 'Period Start Date'],
  ['PeriodEndDate', 'Period End Date'],
  ['ActivationId', 'Activation ID'],
] as const satisfies readonly (readonly [field: keyof typeof mailedStatementList.fields, header: string])[]

export const getMailedStatement = operation({
  name: 'statements/mailed/file',
  summary: 'The PDF file of a mailed statement, as it was mailed',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  token: 'statements',
  writes: false,
  audit: download('an emailed statement'),
  body: requestFields({ customerNumber: CustomerNumber, id: Type.String({ maxLength: 100 }) }),
  data: Type.Unknown(),
  media: 'application/pdf',
})

const schedule = {
  weekly: Type.Boolean({ description: 'On Mondays, for the week before' }),
  monthly: Type.Boolean({ description: 'On the first day of a month, for the month before' }),
  recipients: Type.Array(Type.String({ maxLength: 320 }), {
    maxItems: 1000,
    description: 'Email addresses of contacts of the account',
    examples: [['ada.admin@aerodyne.example']],
  }),
}
const SavedSchedule = exactly({ ...schedule, revision: Revision })

export const getStatementSchedule = operation({
  name: 'statements/schedule',
  summary: 'Which statements are mailed by themselves, and to whom',
  access: { kind: 'account', action: 'contacts.read', customerNumberIn: 'body' },
  token: 'statements',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: SavedSchedule,
})

/** Optimistic locking is off without a revision: the save replaces any stored schedule. */
export const saveStatementSchedule = operation({
  name: 'statements/schedule/save',
  summary: 'Switch scheduled statements on or off',
  access: { kind: 'account', action: 'elastic.schedule-statements', customerNumberIn: 'body' },
  token: 'statements',
  writes: true,
  audit: plain('Changed the scheduled statements', 'change scheduled statements'),
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({
    customerNumber: CustomerNumber,
    schedule: exactly(schedule),
    revision: Type.Optional(Revision),
  }),
  data: SavedSchedule,
})
