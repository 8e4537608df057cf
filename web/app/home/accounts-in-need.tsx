import { Anchor, Paper, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { AccountsHome } from '#contract/home/accounts-home.ts'
import { ENDING_STEPS } from '#domain/home/ending.ts'
import { accountsHomeQuery } from '#web/app/home/home.api.ts'
import {
  deniedBetween,
  type EndingKind,
  endingWithin,
  usedUpUnits,
  webDeniedBetween,
} from '#web/app/home/home-links.ts'
import { withCustomer } from '#web/lib/address/portal-address.ts'
import { countText } from '#web/lib/format.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import classes from './accounts-in-need.module.css'

/** For staff: the accounts that need attention, over all accounts. */
export function AccountsInNeed() {
  const { data, error, refetch } = useQuery(accountsHomeQuery)
  if (error) return <FailureNotice failure={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton />
  return (
    <section aria-label="Accounts that need attention" className={classes.reasons}>
      {reasonsOf(data).map((reason) => (
        <Reason key={reason.title} {...reason} />
      ))}
    </section>
  )
}

const STEP = ENDING_STEPS[0]

/** What ends, in words. */
const ENDING: readonly [kind: EndingKind, title: string, one: string, many: string][] = [
  ['leases', 'Leases', 'lease', 'leases'],
  ['webLicenses', 'Web licenses', 'web license', 'web licenses'],
  ['elastic', 'Elastic units', 'elastic entitlement', 'elastic entitlements'],
  ['contracts', 'Spending accounts', 'spending account', 'spending accounts'],
]

function reasonsOf({ denied, webDenied, overdrawn, ending }: AccountsHome): Props[] {
  return [
    {
      title: 'Denied session starts in 7 days',
      what: (count) => (count === 1 ? 'denied session start' : 'denied session starts'),
      nothing: 'No session start was denied in the last 7 days.',
      total: denied.total,
      accounts: denied.accounts.map((account) => ({ ...account, link: deniedBetween(account.from, account.to) })),
    },
    {
      title: 'Denied web checkouts in 7 days',
      what: (count) => (count === 1 ? 'denied web checkout' : 'denied web checkouts'),
      nothing: 'No web checkout was denied in the last 7 days.',
      total: webDenied.total,
      accounts: webDenied.accounts.map((account) => ({ ...account, link: webDeniedBetween(account.from, account.to) })),
    },
    {
      title: 'Elastic units used up or overdrawn',
      what: (count) => `${count === 1 ? 'entitlement' : 'entitlements'} used up or overdrawn`,
      nothing: 'No account has used up its elastic units.',
      total: overdrawn.total,
      accounts: overdrawn.accounts.map((account) => ({ ...account, link: usedUpUnits() })),
    },
    ...ENDING.map(([kind, title, one, many]) => ({
      title: `${title} ending within ${STEP} days`,
      what: (count: number) => `${count === 1 ? one : many} ending`,
      nothing: `No ${one} ends within ${STEP} days.`,
      total: ending[kind].total,
      accounts: ending[kind].accounts.map((account) => ({ ...account, link: endingWithin(kind, STEP) })),
    })),
  ]
}

type Account = { AccountID: string; AccountName: string; count: number; link: string }
type Props = {
  title: string
  what(count: number): string
  nothing: string
  total: number
  accounts: readonly Account[]
}

/** Number of accounts shown at first. */
const SHOWN = 10

function Reason({ title, what, nothing, total, accounts }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const shown = isOpen ? accounts : accounts.slice(0, SHOWN)
  return (
    <Paper p="1rem">
      <Title order={2} mb="0.75rem">
        {title}
      </Title>
      {accounts.length === 0 ? (
        <Text c="dimmed">{nothing}</Text>
      ) : (
        <ol className={classes.accounts}>
          {shown.map(({ AccountID, AccountName, count, link }) => (
            <li key={AccountID}>
              <Anchor component={Link} to={withCustomer('/home', AccountID)} className={classes.account}>
                {AccountName}
                <span className={classes.number}>{AccountID}</span>
              </Anchor>
              <Anchor
                component={Link}
                to={withCustomer(link, AccountID)}
                className="figures"
                aria-label={`${AccountName}: ${countText(count)} ${what(count)}`}
              >
                {countText(count)}
              </Anchor>
            </li>
          ))}
        </ol>
      )}
      {accounts.length > shown.length && (
        <Anchor component="button" type="button" display="inline-block" mt="0.75rem" onClick={() => setIsOpen(true)}>
          Show all {countText(accounts.length)} accounts
        </Anchor>
      )}
      {isOpen && total > accounts.length && (
        <Text c="dimmed">
          {countText(accounts.length)} of {countText(total)} accounts
        </Text>
      )}
    </Paper>
  )
}
