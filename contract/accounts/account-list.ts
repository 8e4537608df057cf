import { declareList } from '#contract/kit/list.ts'
import type { AccountSearch } from '#domain/accounts/account-search.ts'
import type { FilterInput } from '#domain/filter/filter.ts'

/** With this many matches or more, the account search asks for a narrower text. */
export const MAX_ACCOUNTS = 500

const accounts = {
  access: { kind: 'signed-in' },
  fields: { AccountName: { type: 'text' }, AccountID: { type: 'text' } },
  key: ['AccountID'],
  defaultSort: [{ name: 'AccountID', direction: 'asc' }],
} as const

export const accountList = declareList({
  ...accounts,
  name: 'getaccounts',
  token: null,
  rows: 'accounts that the caller sees',
  scope: {},
  distinct: 'AccountName',
})

export const customerAccountList = declareList({
  ...accounts,
  name: 'getCustomerAccounts',
  token: null,
  rows: 'accounts that can be associated with a license server',
  scope: {},
  distinct: false,
  count: false,
})

/** What a person typed into the account search, as a filter of the list. */
export function accountSearchFilter(search: AccountSearch & { kind: 'exact' | 'contains' }): FilterInput {
  if (search.kind === 'exact')
    return {
      condition: 'ALL',
      criteria: [
        { name: 'AccountID', method: 'EQUALS', value: search.number, casefold: true },
        { name: 'AccountName', method: 'EQUALS', value: search.name, casefold: true },
      ],
    }
  return {
    condition: 'ANY',
    criteria: [
      { name: 'AccountID', method: 'CONTAINS', value: search.text, casefold: true },
      { name: 'AccountName', method: 'CONTAINS', value: search.text, casefold: true },
    ],
  }
}
