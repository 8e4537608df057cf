import { Box, Button, Group, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { AccountLinks } from '#web/app/customer/account-links.tsx'
import { focusAccountPicker } from '#web/app/customer/account-picker.tsx'
import { usePortfolio } from '#web/app/customer/portfolio.ts'
import type { Information } from '#web/app/information/information.ts'
import { ScreenSkeleton } from '#web/app/screens/screen-skeleton.tsx'
import { NewInstallation } from '#web/app/setup/new-installation.tsx'
import { PortalLink, PortalRedirect, useCustomerNumber } from '#web/lib/address/portal-link.tsx'
import { useCustomer } from '#web/lib/customer.tsx'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

export function InformationPage({ page }: { page: Information }) {
  const customer = useCustomer()
  const portfolio = usePortfolio()
  const number = useCustomerNumber()
  const [arrivedWith] = useState(number)
  const from = fromIn(useLocation().state)
  const isStaff = useSignedIn().actor.staff.size > 0
  const onwards = page.onwards?.({ customer, portfolio, isStaff, isOtherCustomer: number !== arrivedWith, from })
  if (onwards) return <PortalRedirect to={onwards} />
  if (page.isOfCustomer && customer.state === 'asking') return <ScreenSkeleton />
  if (page.isOfCustomer && customer.state === 'failed')
    return <FailureNotice failure={customer.failure} onRetry={customer.retry} />
  // With at most one account, there is none to select.
  const isOpen = (way: string) => way !== 'select' || !['single', 'none'].includes(portfolio.state)
  const reason = (
    <>
      <PageHead />
      <Paper p="md">
        <Text>{page.text}</Text>
        <Group mt="md" gap="xs">
          {page.ways.filter(isOpen).map((way, index) => (
            <Way key={way} way={way} isFirst={index === 0} />
          ))}
        </Group>
      </Paper>
      {page.offersAccounts && (
        <Box mt="md">
          <AccountLinks path={from ?? '/home'} />
        </Box>
      )}
    </>
  )
  return page.offersSetup ? <NewInstallation otherwise={reason} /> : reason
}

function Way({ way, isFirst }: { way: Information['ways'][number]; isFirst: boolean }) {
  const variant = isFirst ? 'filled' : 'default'
  switch (way) {
    case 'select':
      return (
        <Button variant={variant} onClick={focusAccountPicker}>
          Select an account
        </Button>
      )
    case 'home':
      return (
        <Button variant={variant} component={PortalLink} to="/home">
          Go to Home
        </Button>
      )
    case 'support':
      return (
        <Button variant={variant} component="a" href={runtimeConfig().supportUrl} target="_blank" rel="noopener">
          Get Support
        </Button>
      )
  }
}

function fromIn(state: unknown): string | undefined {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined
  return typeof from === 'string' ? from : undefined
}
