import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'

export const getRecentAccounts = operation({
  name: 'getRecentAccounts',
  summary: 'The accounts that the caller opened last, newest first',
  access: { kind: 'signed-in' },
  token: null,
  writes: false,
  takesTurns: false,
  data: Type.Array(Type.Object({ AccountName: Type.String(), AccountID: Type.String() })),
})

export const noteOpenedAccount = operation({
  name: 'noteOpenedAccount',
  summary: 'Remember that the caller opened an account',
  access: { kind: 'account', action: 'account.read', customerNumberIn: 'body' },
  token: null,
  writes: true,
  audit: { none: 'Looking at an account changes nothing of it. The row is replaced by the next look.' },
  background: true,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: Type.Null(),
})
