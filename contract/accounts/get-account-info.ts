import { type Static, Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly } from '#contract/kit/schema.ts'

export const AccountInfo = Type.Object({
  customerNumber: Type.String(),
  customerName: Type.String(),
  timeZone: Type.String({ description: 'IANA name; every calendar day of the account is a day in it' }),
  today: Type.String({ description: 'The account’s calendar day, decided on the server (yyyy-mm-dd)' }),
  isPortalView: Type.Boolean(),
  isPortalEdit: Type.Boolean(),
  isAsc: Type.Boolean(),
  isFNPLicenseGenerator: Type.Boolean(),
  isAccessDisabled: Type.Boolean(),
  isSalesAccess: Type.Boolean(),
  isSales: Type.Boolean(),
  hasSSL: Type.Boolean(),
  hasSharedLicense: Type.Boolean(),
  hasNamedLicense: Type.Boolean(),
  hasFSA: Type.Boolean(),
  hasElastic: Type.Integer({ description: 'Number of Deployed elastic entitlements; zero means none' }),
  orgType: Type.Union([
    Type.Literal('Undefined'),
    Type.Literal('Direct'),
    Type.Literal('Channel'),
    Type.Literal('Indirect'),
  ]),
  supportEmail: Type.String(),
  ansysExportControlStatus: Type.String(),
})
export type AccountInfo = Static<typeof AccountInfo>

export const getAccountInfo = operation({
  name: 'getaccountinfo',
  summary: 'What the caller is on an account and what the account holds',
  access: { kind: 'account', action: 'account.info', customerNumberIn: 'params' },
  token: 'entitlements',
  writes: false,
  takesTurns: false,
  params: exactly({ customerNumber: CustomerNumber }),
  data: AccountInfo,
})
