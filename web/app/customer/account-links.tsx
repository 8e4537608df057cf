import { Paper, Title } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { usePortfolio } from '#web/app/customer/portfolio.ts'
import { useRecentAccounts } from '#web/app/customer/recent-accounts.ts'
import { LinkList } from '#web/app/home/link-list.tsx'
import { withCustomer } from '#web/lib/address/portal-address.ts'
import type { Account } from '#web/modules/accounts/accounts.api.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** All accounts of a person if they are few, otherwise those that the person opened last. */
export function useOfferedAccounts(): { heading: string; items: readonly Account[] } {
  const portfolio = usePortfolio()
  const { recent = [] } = useRecentAccounts()
  return portfolio.state === 'many' && portfolio.accounts
    ? { heading: 'Your accounts', items: portfolio.accounts }
    : { heading: 'Recent accounts', items: recent }
}

/** Links to the offered accounts. They open `path`. */
export function AccountLinks({ path }: { path: string }) {
  const { heading, items } = useOfferedAccounts()
  return (
    <Paper p="1rem">
      <Title order={2}>{heading}</Title>
      {items.length === 0 ? (
        <EmptyState icon={IconBuilding} title="No recent accounts">
          Accounts that you open appear here.
        </EmptyState>
      ) : (
        <LinkList
          label={heading}
          items={items.map(({ number, name }) => ({
            to: withCustomer(path, number),
            icon: <IconBuilding size={18} stroke={1.6} aria-hidden />,
            name,
            about: number,
          }))}
        />
      )}
    </Paper>
  )
}
