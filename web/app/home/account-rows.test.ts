import { expect, test } from 'vitest'
import type { AccountsHome } from '#contract/home/accounts-home.ts'
import { accountRows, isCut } from '#web/app/home/account-rows.ts'

const of = (...accounts: [id: string, count: number][]) => ({
  total: accounts.length,
  accounts: accounts.map(([AccountID, count]) => ({ AccountID, AccountName: `Account ${AccountID}`, count })),
})
const days = { from: '2026-11-13', to: '2026-11-19' }
const home: AccountsHome = {
  denied: { total: 1, accounts: of(['1', 16]).accounts.map((one) => ({ ...one, ...days })) },
  webDenied: { total: 0, accounts: [] },
  overdrawn: of(['2', 1]),
  ending: { leases: of(['2', 3], ['1', 10]), webLicenses: of(), elastic: of(), contracts: of() },
}

test('each account is one row, with all that waits on it and the link to its rows', () => {
  const rows = accountRows(home)
  expect(rows).toMatchObject([
    { AccountID: '1', AccountName: 'Account 1', denied: 16, overdrawn: 0, leases: 10, contracts: 0 },
    { AccountID: '2', denied: 0, overdrawn: 1, leases: 3 },
  ])
  expect(Object.keys(rows[0]?.links ?? {})).toEqual(['denied', 'leases'])
})

test('the table says when the server has left accounts out', () => {
  expect(isCut(home)).toBe(false)
  expect(isCut({ ...home, overdrawn: { ...home.overdrawn, total: 101 } })).toBe(true)
})
