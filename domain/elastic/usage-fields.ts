import type { Fields } from '#domain/filter/fields.ts'

const TIME = { type: 'instant' } as const
/** A running session has not ended yet: its end lies after every instant. */
const END = { type: 'instant', missingIsFuture: true } as const
const TEXT = { type: 'text' } as const
const NUMBER = { type: 'number' } as const

/** What a usage transaction holds on the wire: the server makes SQL of it, the browser filters loaded rows by it. */
export const USAGE_FIELDS = {
  TransactionNumber: NUMBER,
  StartTime: TIME,
  EndTime: END,
  StartTime_ts: TIME,
  EndTime_ts: END,
  Product: TEXT,
  ProductCount: NUMBER,
  Hours: NUMBER,
  Charge: NUMBER,
  Currency: TEXT,
  User: TEXT,
  Host: TEXT,
  Project: TEXT,
  DeviceID: TEXT,
  SessionStatus: TEXT,
  REFERER_IP_ADDRESS: TEXT,
  productVersion: TEXT,
  AnsysCloudJobId: TEXT,
  Active: { type: 'boolean' },
  Count: NUMBER,
  Length: NUMBER,
  ServerID: TEXT,
  Feature: TEXT,
  FeatureFno: TEXT,
  IP_ADDRESS: TEXT,
  ProductLine: TEXT,
  RateFileVersion: TEXT,
  PID: NUMBER,
  Account: TEXT,
  Acquisition: TEXT,
  ConsumerID: TEXT,
  ActivationID: TEXT,
} as const satisfies Fields

export type UsageField = keyof typeof USAGE_FIELDS

/** The columns of the screen, in its order, with their headers: what an export shows as well. */
export const USAGE_COLUMNS = [
  ['StartTime', 'Start Time'],
  ['EndTime', 'End Time'],
  ['Product', 'Product'],
  ['ProductCount', 'Count'],
  ['Hours', 'Hours'],
  ['Charge', 'Cost'],
  ['Currency', 'Currency'],
  ['User', 'Username'],
  ['Host', 'Hostname'],
  ['Project', 'Project'],
  ['DeviceID', 'Session ID'],
  ['SessionStatus', 'Session Status'],
  ['REFERER_IP_ADDRESS', 'External IP'],
  ['productVersion', 'Version'],
  ['AnsysCloudJobId', 'Cloud Job Id'],
] as const satisfies readonly (readonly [UsageField, string])[]
