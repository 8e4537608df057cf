import { declareList } from '#contract/kit/list.ts'

/** From this many matches on, the account search asks for a narrower text. */
export const MAX_ACCOUNTS = 500

const accounts = {
  module: 'accounts',
  access: { kind: 'signed-in' },
  fields: { AccountName: { type: 'text' }, AccountID: { type: 'text' } },
  key: ['AccountID'],
  defaultSort: [{ name: 'AccountID', direction: 'asc' }],
} as const

export const accountList = declareList({
  ...accounts,
  name: 'getaccounts',
  rows: 'accounts that the caller sees',
  scope: {},
  distinct: 'AccountName',
})

export const customerAccountList = declareList({
  ...accounts,
  name: 'getCustomerAccounts',
  rows: 'accounts that can be associated with a license server',
  scope: {},
  distinct: false,
  count: false,
})
