import { Button, Paper, Title } from '@mantine/core'
import { IconBuilding, IconChevronRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import { focusAccountPicker } from '#web/app/customer/account-picker.tsx'
import { useRecentAccounts } from '#web/app/customer/recent-accounts.ts'
import { withCustomer } from '#web/lib/portal-address.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './home.module.css'

export function ChooseAccount() {
  const { recent } = useRecentAccounts()
  return (
    <>
      <PageHead
        context="Select an account to see what it holds."
        actions={<Button onClick={focusAccountPicker}>Select an account</Button>}
      />
      <Paper className={classes.card}>
        <Title order={2}>Recent accounts</Title>
        {recent.length === 0 ? (
          <EmptyState icon={<IconBuilding size={28} stroke={1.5} aria-hidden />} title="No recent accounts">
            Accounts that you open in this browser appear here.
          </EmptyState>
        ) : (
          <ul className={classes.links}>
            {recent.map((account) => (
              <li key={account.number}>
                <Link to={withCustomer('/home', account.number)} className={classes.link}>
                  <IconBuilding size={18} stroke={1.6} aria-hidden />
                  <span className={classes.what}>
                    <span>{account.name}</span>
                    <span className={classes.about}>{account.number}</span>
                  </span>
                  <IconChevronRight size={16} aria-hidden className={classes.chevron} />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Paper>
    </>
  )
}
