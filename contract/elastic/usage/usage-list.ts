import { Type } from 'typebox'
import { declareList, MAX_FETCH_ALL, MAX_NUMBER, type WireRow } from '#contract/kit/list.ts'
import { CustomerNumber } from '#contract/kit/schema.ts'

/** Whose usage a call is about. Without a server id: the usage of all elastic servers of the account. */
export const usageScope = {
  customerNumber: CustomerNumber,
  serverId: Type.Optional(Type.String({ maxLength: 64, description: 'Only usage of this elastic license server' })),
}

const integer = (description?: string) =>
  ({ type: 'number', schema: Type.Integer(description ? { description } : {}) }) as const
const text = (description: string) => ({ type: 'text', schema: Type.String({ description }) }) as const
const number = (description: string) => ({ type: 'number', schema: Type.Number({ description }) }) as const
const instant = (description: string) =>
  ({ type: 'instant', schema: Type.String({ format: 'date-time', description }) }) as const
const TEXT = { type: 'text' } as const

/** The order of the fields is that of a row without `attributes`. */
export const usageList = declareList({
  name: 'fetchUsage',
  rows: 'usage transactions, the newest start first unless sorted otherwise',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  token: 'usage',
  scope: usageScope,
  fields: {
    TransactionNumber: integer('Unique; decides between transactions that sort alike'),
    StartTime: instant('When the session began (UTC)'),
    // A running session has not ended yet: its end comes after every instant.
    EndTime: { ...instant('When it ended; null while it is active'), missingIsFuture: true, nullable: true },
    StartTime_ts: instant('The same instant as StartTime'),
    EndTime_ts: {
      ...instant('The same instant as EndTime; AFTER is true of an active session'),
      missingIsFuture: true,
      nullable: true,
    },
    Product: TEXT,
    ProductCount: integer('How many of the product were taken'),
    Hours: {
      ...number(
        'Length in hours, at least 0.01; 0 in corrections and in further parts of a split charge; null while active',
      ),
      nullable: true,
    },
    Charge: { ...number('Units booked at the end; negative in a correction; null while active'), nullable: true },
    Currency: TEXT,
    User: TEXT,
    Host: TEXT,
    Project: { ...TEXT, nullable: true },
    DeviceID: text('The session’s id'),
    SessionStatus: TEXT,
    REFERER_IP_ADDRESS: { ...text('The address that the elastic service saw'), nullable: true },
    productVersion: TEXT,
    AnsysCloudJobId: { ...TEXT, nullable: true },
    Active: { type: 'boolean' },
    Count: integer('How many of the feature were taken'),
    Length: { ...number('Length in seconds; null while active'), nullable: true },
    ServerID: text('The elastic license server'),
    Feature: TEXT,
    FeatureFno: TEXT,
    IP_ADDRESS: { ...text('The address in the customer’s own network'), nullable: true },
    ProductLine: TEXT,
    RateFileVersion: TEXT,
    PID: { ...integer(), nullable: true },
    Account: text('The customer number'),
    Acquisition: TEXT,
    ConsumerID: TEXT,
    ActivationID: { ...text('The entitlement that was drawn on'), nullable: true },
    CorrectionOf: { ...text('In a correction: the DeviceID of the original'), nullable: true },
    CorrectedNumber: { ...integer('In a correction: the TransactionNumber of the original'), nullable: true },
  },
  key: ['StartTime', 'TransactionNumber'],
  defaultSort: [{ name: 'StartTime', direction: 'desc' }],
  distinct: 'Product',
  sum: { fields: ['Hours', 'Charge'], by: 'Currency' },
  csv: {
    noun: 'usage transactions',
    summary:
      'Usage transactions as CSV (UTC times), refused over 30,000: FAILURE as JSON, and the background export serves',
    body: {
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_NUMBER,
          description: `How many transactions are taken, ${MAX_FETCH_ALL} at most. More are refused, never cut.`,
        }),
      ),
    },
  },
})

export type UsageTransaction = WireRow<typeof usageList.fields>
export type UsageField = keyof UsageTransaction & string

/** The columns of the screen, in its order, with their headers and decimals. */
export const USAGE_COLUMNS = [
  ['StartTime', 'Start Time'],
  ['EndTime', 'End Time'],
  ['Product', 'Product'],
  ['ProductCount', 'Count'],
  ['Hours', 'Hours', 2],
  ['Charge', 'Cost', 2],
  ['Currency', 'Currency'],
  ['User', 'Username'],
  ['Host', 'Hostname'],
  ['Project', 'Project'],
  ['DeviceID', 'Session ID'],
  ['SessionStatus', 'Session Status'],
  ['REFERER_IP_ADDRESS', 'External IP'],
  ['productVersion', 'Version'],
  ['AnsysCloudJobId', 'Cloud Job Id'],
] as const satisfies readonly (readonly [field: UsageField, header: string, places?: number])[]

/** A file always says which transaction a correction takes back; the screen has the column only where there are corrections. */
export const USAGE_CSV_COLUMNS = [...USAGE_COLUMNS, ['CorrectionOf', 'Correction Of']] as const

/** The fields of a filter as the screen names them. */
export const USAGE_LABELS: ReadonlyMap<string, string> = new Map<string, string>([
  ...USAGE_COLUMNS.map(([name, label]): [string, string] => [name, label]),
  ['StartTime_ts', 'Start Time'],
  ['EndTime_ts', 'End Time'],
  ['ActivationID', 'Activation ID'],
  ['CorrectionOf', 'Correction Of'],
  ['Active', 'Session is active'],
])
