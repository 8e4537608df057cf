import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LicenseDenial } from '#contract/license-use/denials.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import type { DenialCause } from '#domain/license-use/logs/denial-cause.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { call } from '#web/lib/api/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import { OrderOrAsk } from '#web/parts/order-or-ask.tsx'
import { AskRequest } from '#web/parts/requests/ask-request.tsx'
import { useOffer } from '#web/parts/spending-accounts.ts'
import { WAIT_FOR_SEAT } from '#web/parts/waiting/wait-for-seat.tsx'
import { ActionButton } from '#web/ui/actions/action-button.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

const REMEDIES: Partial<Record<DenialCause, string>> = {
  shortage: 'All seats were in use. Wait for a free one, activate more seats on the license server, or order some.',
  'not-entitled': 'The license file does not have this feature. Activate a product that has it, or order one.',
  expired: 'The licenses of this feature have ended. Activate current ones, or order some.',
  version: 'The licenses do not cover this version. Renew their maintenance, then generate a new license file.',
  'options-file': 'The options file of the license server refused this user. Change it on the license server.',
  server: 'The license server was down or could not be reached.',
}

type Props = {
  denial: LicenseDenial
  /** The product that gives seats of the feature, if one is known. */
  product: string | undefined
}

/** What a person can do so that the next checkout succeeds. */
export function DenialFix({ denial, product }: Props) {
  const { cause, text } = denial
  const needsSeats = cause === 'shortage' || cause === 'not-entitled' || cause === 'expired'
  return (
    <Group gap="0.75rem" p="xs">
      <Text size="sm">{REMEDIES[cause as DenialCause] ?? `FlexNet says: ${text ?? 'nothing'}.`}</Text>
      {cause === 'shortage' && (
        <ActionButton
          action={WAIT_FOR_SEAT}
          thing={{ feature: denial.feature, server: { serverId: denial.serverId, name: denial.serverName } }}
          size="compact-sm"
          variant="default"
          aria-label={`Wait for a seat of ${denial.feature}`}
        />
      )}
      {needsSeats && <MoreSeats denial={denial} product={product} />}
    </Group>
  )
}

function MoreSeats({ denial, product }: Props) {
  const { serverId, serverName, feature, user, time, causeText } = denial
  const reason = useNothingToActivate(product)
  const seats = Math.max(1, denial.seats)
  const offer = useOffer(product ?? '', seats)
  const name = serverName.replaceAll(',', ', ')
  const what = product ?? `the feature ${feature}`
  const wanted = new URLSearchParams({ id: serverId, ...(product && { product, seats: String(seats) }) })
  return (
    <>
      <ReasonTooltip reason={reason}>
        <Button
          size="compact-sm"
          variant="default"
          component={PortalLink}
          to={`/activations?${wanted}`}
          aria-label={`Activate seats of ${what} on ${name}`}
        >
          Activate seats
        </Button>
      </ReasonTooltip>
      <OrderOrAsk
        about={`${countOf(seats, 'seat')} of ${what}`}
        line={offer && { contract: offer.fsaId, product: offer.partNumber, count: seats }}
        facts={[`License server: ${name} (${serverId})`, `Denied: ${user} at ${time}, ${causeText}`]}
      />
      <AskRequest kind="seats" server={{ serverId, name }} size="xs" />
    </>
  )
}

/** Why this person cannot activate seats of the product. */
function useNothingToActivate(product: string | undefined): string | undefined {
  const { number } = useKnownCustomer()
  const mayActivate = useCan('activations.write')
  const { data } = useQuery({
    queryKey: ['license-use-entitlements', number],
    queryFn: ({ signal }) => call('fulfillments/allentitlements', { body: { customerNumber: number }, signal }),
    enabled: mayActivate && product !== undefined,
    refetchOnWindowFocus: false,
  })
  if (!mayActivate) return NOT_ENOUGH_PERMISSIONS
  const isUsedUp = data
    ?.filter(({ ProductName }) => ProductName === product)
    .every(({ LineItemQuantity, AnsysActivated }) => LineItemQuantity <= AnsysActivated)
  return product !== undefined && isUsedUp ? `No seats of ${product} are left to activate.` : undefined
}
