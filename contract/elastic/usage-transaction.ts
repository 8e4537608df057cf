import { type Static, type TSchema, Type } from 'typebox'

const text = () => Type.String()
const missing = <S extends TSchema>(present: S) => Type.Union([present, Type.Null()])
const instant = (description: string) => Type.String({ format: 'date-time', description })

/** One row of usage as it goes over the wire. A call that asks for some attributes gets only those. */
export const UsageTransaction = Type.Object({
  TransactionNumber: Type.Integer({ description: 'Unique; decides between transactions that sort alike' }),
  StartTime: instant('When the session began (UTC)'),
  EndTime: missing(instant('When it ended; null while it is active')),
  StartTime_ts: instant('The same instant as StartTime'),
  EndTime_ts: missing(instant('The same instant as EndTime; AFTER is true of an active session')),
  Product: text(),
  ProductCount: Type.Integer({ description: 'How many of the product were taken' }),
  Hours: missing(Type.Number({ description: 'Length in hours, at least 0.01; null while active' })),
  Charge: missing(Type.Number({ description: 'Units booked at the end; negative in a correction; null while active' })),
  Currency: text(),
  User: text(),
  Host: text(),
  Project: missing(text()),
  DeviceID: Type.String({ description: 'The session’s id' }),
  SessionStatus: text(),
  REFERER_IP_ADDRESS: missing(Type.String({ description: 'The address that the elastic service saw' })),
  productVersion: text(),
  AnsysCloudJobId: missing(text()),
  Active: Type.Boolean(),
  Count: Type.Integer({ description: 'How many of the feature were taken' }),
  Length: missing(Type.Number({ description: 'Length in seconds; null while active' })),
  ServerID: Type.String({ description: 'The elastic license server' }),
  Feature: text(),
  FeatureFno: text(),
  IP_ADDRESS: missing(Type.String({ description: 'The address in the customer’s own network' })),
  ProductLine: text(),
  RateFileVersion: text(),
  PID: missing(Type.Integer()),
  Account: Type.String({ description: 'The customer number' }),
  Acquisition: text(),
  ConsumerID: text(),
  ActivationID: missing(Type.String({ description: 'The entitlement that was drawn on' })),
})
export type UsageTransaction = Static<typeof UsageTransaction>
