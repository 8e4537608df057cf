import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { MAX_ACCOUNTS } from '#contract/home/accounts-home.ts'
import { AccountFinder } from '#web/app/customer/account-picker.tsx'
import { useRecentAccounts } from '#web/app/customer/recent-accounts.ts'
import { type AccountInNeed, accountRows, isCut, NEED_KINDS, type NeedKind } from '#web/app/home/account-rows.ts'
import { accountsHomeQuery } from '#web/app/home/home.api.ts'
import { withCustomer } from '#web/lib/address/portal-address.ts'
import { countText } from '#web/lib/format.ts'
import type { Column } from '#web/table/columns/column.ts'
import { countColumn, textColumn } from '#web/table/columns/column-kinds.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import classes from './home.module.css'

const KINDS = Object.keys(NEED_KINDS) as NeedKind[]

const FIELDS = {
  AccountID: { type: 'text' },
  AccountName: { type: 'text' },
  ...Object.fromEntries(KINDS.map((kind) => [kind, { type: 'number' } as const])),
} as const

const COLUMNS: readonly Column<AccountInNeed>[] = [
  textColumn('AccountName', 'Account', 200, { flexible: { min: 160 }, phone: 'first line' }),
  textColumn('AccountID', 'Account ID', 108, { phone: 'first line' }),
  ...KINDS.map((kind) =>
    countColumn<NeedKind, AccountInNeed>(kind, NEED_KINDS[kind].header, 92, {
      phone: 'second line',
      cell: (row) =>
        row[kind] === 0 ? (
          <Text span inherit c="dimmed">
            0
          </Text>
        ) : (
          <Anchor
            component={Link}
            to={withCustomer(row.links[kind] ?? '', row.AccountID)}
            inherit
            aria-label={`${row.AccountName}: ${countText(row[kind])} ${NEED_KINDS[kind].what(row[kind])}`}
          >
            {countText(row[kind])}
          </Anchor>
        ),
    }),
  ),
]
const MOST_DENIED_FIRST = [
  { column: 'denied', direction: 'desc' },
  { column: 'leases', direction: 'desc' },
] as const

/** For staff: the account search, and the accounts that need attention in one table. */
export function AccountsInNeed() {
  const { recent = [] } = useRecentAccounts()
  const { data, error, refetch } = useQuery(accountsHomeQuery)
  const rows = useMemo(() => data && accountRows(data), [data])
  const source = loadedSource(['home', 'accounts'], FIELDS, { data: rows, error, refetch })
  const table = useTable({ columns: COLUMNS, rowKey, source, sorting: MOST_DENIED_FIRST })
  return (
    <Stack gap="1rem">
      <div className={classes.finder}>
        <AccountFinder />
        {recent.length > 0 && (
          <ul className={classes.recent} aria-label="Recent accounts">
            {recent.map(({ number, name }) => (
              <li key={number}>
                <Anchor component={Link} to={withCustomer('/home', number)}>
                  {name}
                </Anchor>
              </li>
            ))}
          </ul>
        )}
      </div>
      <DataTable
        table={table}
        title="Accounts that need attention"
        what="accounts"
        noRows="No account needs attention today."
        rowHref={rowHref}
        notice={data && isCut(data) && <Text c="dimmed">Of each kind, the {MAX_ACCOUNTS} accounts with the most.</Text>}
      />
    </Stack>
  )
}

const rowKey = ({ AccountID }: AccountInNeed) => AccountID
const rowHref = ({ AccountID }: AccountInNeed) => withCustomer('/home', AccountID)
