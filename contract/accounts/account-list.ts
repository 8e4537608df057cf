import { Type } from 'typebox'
import { countBody, distinctBody, listBody, token } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'

/** From this many matches on, the account search asks for a narrower text. */
export const MAX_ACCOUNTS = 500

/** Which fields an account has is up to the `attributes` of the request. */
const AccountItem = Type.Partial(Type.Object({ AccountName: Type.String(), AccountID: Type.String() }))

export const getAccounts = operation({
  name: 'getaccounts',
  method: 'POST',
  path: '/api/getaccounts',
  summary: 'Accounts that the caller sees',
  module: 'accounts',
  access: { kind: 'signed-in' },
  writes: false,
  body: listBody({}),
  data: Type.Array(AccountItem),
  beside: token,
})

export const countAccounts = operation({
  name: 'getaccounts/count',
  method: 'POST',
  path: '/api/getaccounts/count',
  summary: 'How many accounts match',
  module: 'accounts',
  access: { kind: 'signed-in' },
  writes: false,
  body: countBody({}),
  data: Type.Integer(),
})

export const distinctAccounts = operation({
  name: 'getaccounts/distinct',
  method: 'POST',
  path: '/api/getaccounts/distinct',
  summary: 'Distinct values of one account field (AccountName unless key says otherwise)',
  module: 'accounts',
  access: { kind: 'signed-in' },
  writes: false,
  body: distinctBody({}),
  data: Type.Array(Type.String()),
  beside: token,
})

export const getCustomerAccounts = operation({
  name: 'getCustomerAccounts',
  method: 'POST',
  path: '/api/getCustomerAccounts',
  summary: 'Accounts that can be associated with a license server',
  module: 'accounts',
  access: { kind: 'signed-in' },
  writes: false,
  body: listBody({}),
  data: Type.Array(AccountItem),
  beside: token,
})
