import { type Static, type TProperties, Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'

/** Maximum number of accounts named for each reason. */
export const MAX_ACCOUNTS = 100

const account = { AccountID: Type.String(), AccountName: Type.String() }
const Count = Type.Integer({ minimum: 1 })
const Day = Type.String({ format: 'date', description: 'A calendar day of the account, yyyy-mm-dd' })
const reason = <const P extends TProperties>(properties: P, description: string) =>
  Type.Object(
    {
      total: Type.Integer({ minimum: 0, description: 'How many accounts there are in all' }),
      accounts: Type.Array(Type.Object({ ...account, ...properties }), { maxItems: MAX_ACCOUNTS }),
    },
    { description },
  )

const inDays = { count: Count, from: Day, to: Day }

const AccountsHome = Type.Object({
  denied: reason(inDays, 'Elastic session starts were denied on the last 7 days, the most first'),
  webDenied: reason(inDays, 'Web checkouts were denied on the last 7 days, the most first'),
  overdrawn: reason({ count: Count }, 'So many elastic entitlements that are valid today are used up or overdrawn'),
  ending: Type.Object(
    {
      leases: reason({ count: Count }, 'Leases other than web licenses'),
      webLicenses: reason({ count: Count }, 'Named User and Shared Web licenses'),
      elastic: reason({ count: Count }, 'Elastic entitlements that are not used up'),
      contracts: reason({ count: Count }, 'Spending accounts that can be ordered from'),
    },
    { description: 'So many end within 30 days, the most first' },
  ),
})
export type AccountsHome = Static<typeof AccountsHome>

export const getAccountsHome = operation({
  name: 'home/accounts',
  summary: 'Which accounts need attention, over all accounts that export compliance leaves open',
  access: { kind: 'portal', action: 'accounts.overview' },
  token: null,
  writes: false,
  data: AccountsHome,
})
