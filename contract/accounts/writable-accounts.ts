import { Type } from 'typebox'
import { MAX_ACCOUNTS } from '#contract/accounts/account-list.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'

/** With two or more, the activation screens show a tab per customer. */
export const writableAccounts = operation({
  name: 'accounts',
  summary: 'Accounts on which the caller may write',
  access: { kind: 'account', action: 'account.read', customerNumberIn: 'body' },
  token: null,
  writes: false,
  body: requestFields({
    customerNumber: CustomerNumber,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ACCOUNTS })),
  }),
  data: Type.Array(Type.Object({ AccountName: Type.String(), AccountID: Type.String() })),
})
