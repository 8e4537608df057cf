import { Anchor, Paper, Title } from '@mantine/core'
import { roleLabel } from '#domain/access/role-label.ts'
import { holdingLines } from '#web/app/home/holdings.ts'
import { allElastic } from '#web/app/home/home-links.ts'
import type { KnownCustomer } from '#web/lib/customer.tsx'
import { PortalLink } from '#web/lib/portal-link.tsx'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { Facts } from '#web/ui/facts.tsx'
import classes from './home.module.css'

type Props = { customer: KnownCustomer; screens: ReadonlySet<string> }

export function AccountFacts({ customer: { info, standing }, screens }: Props) {
  const { actor } = useSignedIn()
  const role = roleLabel(actor, standing)
  return (
    <Paper className={classes.card}>
      <Title order={2} className={classes.heading}>
        Account
      </Title>
      <Facts
        facts={[
          ['Type', info.orgType],
          ['Time zone', info.timeZone],
          ['Today', info.today],
          ['Your role', role?.replace(/^\((.*)\)$/, '$1')],
          ['Support', info.supportEmail],
          ...holdingLines(standing.holdings).map(
            ({ label, value, isElasticCount }) =>
              [
                label,
                isElasticCount && screens.has('elastic') ? (
                  <Anchor key={label} component={PortalLink} to={allElastic()} aria-label={`${label}: ${value}`}>
                    {value}
                  </Anchor>
                ) : (
                  value
                ),
              ] as const,
          ),
        ]}
      />
    </Paper>
  )
}
