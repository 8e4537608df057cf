import { ActionIcon, Anchor, Group } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { roleLabel } from '#domain/access/role-label.ts'
import { allElastic } from '#web/app/home/home-links.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import type { KnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'

type Props = { customer: KnownCustomer; screens: ReadonlySet<string> }

/** The account and, in the order of the menu, its licenses: beside the number, for whoever asks. */
export function AccountFacts({ customer: { number, info, standing }, screens }: Props) {
  const { actor } = useSignedIn()
  const role = roleLabel(actor, standing)
  const { ssl, elastic, fsa, sharedWeb, namedUser } = standing.holdings
  const held = (isHeld: boolean) => (isHeld ? 'Yes' : 'None')
  const elasticCount = elastic > 0 ? countText(elastic) : 'None'
  return (
    <Popover
      position="bottom-start"
      width="min(26rem, calc(100vw - 1.5rem))"
      withinPortal
      button={
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Account facts">
          <IconInfoCircle size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      }
    >
      <Facts
        facts={[
          [
            'Account ID',
            <Group key="number" gap={4}>
              {number}
              <CopyButton value={number} what="account ID" />
            </Group>,
          ],
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
    </Popover>
  )
}
