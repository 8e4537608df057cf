import { Anchor, Paper, Title } from '@mantine/core'
import { roleLabel } from '#domain/access/role-label.ts'
import { allElastic } from '#web/app/home/home-links.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import type { KnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { Facts } from '#web/ui/facts.tsx'

type Props = { customer: KnownCustomer; screens: ReadonlySet<string> }

/** The account and, in the order of the menu, its licenses. */
export function AccountFacts({ customer: { info, standing }, screens }: Props) {
  const { actor } = useSignedIn()
  const role = roleLabel(actor, standing)
  const { ssl, elastic, fsa, sharedWeb, namedUser } = standing.holdings
  const held = (isHeld: boolean) => (isHeld ? 'Yes' : 'None')
  const elasticCount = elastic > 0 ? countText(elastic) : 'None'
  return (
    <Paper p="1rem">
      <Title order={2} mb="0.75rem">
        Account
      </Title>
      <Facts
        facts={[
          ['Type', info.orgType],
          ['Time zone', info.timeZone],
          ['Today', info.today],
          ['Your role', role?.replace(/^\((.*)\)$/, '$1')],
          ['Support', info.supportEmail],
          ['Leases/Perpetuals', held(ssl)],
          [
            'Elastic entitlements',
            elastic > 0 && screens.has('elastic') ? (
              <Anchor component={PortalLink} to={allElastic()} aria-label={`Elastic entitlements: ${elasticCount}`}>
                {elasticCount}
              </Anchor>
            ) : (
              elasticCount
            ),
          ],
          ['Flexible Spending Account', held(fsa)],
          ['Shared web licenses', held(sharedWeb)],
          ['Named user licenses', held(namedUser)],
        ]}
      />
    </Paper>
  )
}
