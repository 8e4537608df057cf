import { Group, Paper, Title } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { roleLabel } from '#domain/access/role-label.ts'
import { accountLimits } from '#web/app/home/account-limits.ts'
import { holdingLines } from '#web/app/home/holdings.ts'
import { ScreenIcon } from '#web/app/menu/screen-icon.tsx'
import { useMenu } from '#web/app/menu/use-menu.ts'
import type { KnownCustomer } from '#web/lib/customer.tsx'
import { PortalLink } from '#web/lib/portal-link.tsx'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './home.module.css'

/** Facts about the account, and links to its screens. */
export function AccountSummary({ customer }: { customer: KnownCustomer }) {
  return (
    <>
      <PageHead title={customer.name} context={<AccountNumber number={customer.number} />} />
      <div className={classes.summary}>
        <Limits customer={customer} />
        <AccountFacts customer={customer} />
        <Screens />
      </div>
    </>
  )
}

/** Says why screens are missing. */
function Limits({ customer: { standing } }: { customer: KnownCustomer }) {
  const { actor } = useSignedIn()
  const limits = accountLimits(actor, standing)
  if (limits.length === 0) return null
  return (
    <SignalStrip signal="blue">
      <ul className={classes.limits}>
        {limits.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
    </SignalStrip>
  )
}

function AccountNumber({ number }: { number: string }) {
  return (
    <Group gap={4}>
      <span className={classes.number}>{number}</span>
      <CopyButton value={number} what="account ID" />
    </Group>
  )
}

function AccountFacts({ customer: { info, standing } }: { customer: KnownCustomer }) {
  const { actor } = useSignedIn()
  const role = roleLabel(actor, standing)
  return (
    <Paper className={classes.card}>
      <Facts
        layout="line"
        facts={[
          ['Type', info.orgType],
          ['Time zone', info.timeZone],
          ['Today', info.today],
          ['Your role', role?.replace(/^\((.*)\)$/, '$1')],
          ['Support', info.supportEmail],
        ]}
      />
      <Title order={2} className={classes.holds}>
        Licenses
      </Title>
      <Facts layout="line" facts={holdingLines(standing.holdings).map(({ label, value }) => [label, value])} />
    </Paper>
  )
}

function Screens() {
  const groups = useMenu()
  return (
    <div className={classes.groups}>
      {groups.map((group) => (
        <Paper key={group.title} className={classes.card}>
          <Title order={2}>{group.title}</Title>
          <ul className={classes.links}>
            {group.entries.map(({ path, title, about }) => (
              <li key={path}>
                <PortalLink to={`/${path}`} className={classes.link}>
                  <ScreenIcon path={path} />
                  <span className={classes.what}>
                    <span>{title}</span>
                    <span className={classes.about}>{about}</span>
                  </span>
                  <IconChevronRight size={16} aria-hidden className={classes.chevron} />
                </PortalLink>
              </li>
            ))}
          </ul>
        </Paper>
      ))}
    </div>
  )
}
