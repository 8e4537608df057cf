import { Anchor, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { type Answer, ask, type Data } from '#web/lib/api/api-client.ts'
import { useCan } from '#web/lib/customer.tsx'
import { countText, timeText } from '#web/lib/format.ts'
import { ResetPinLock } from '#web/modules/elastic/sessions/denial-fix.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

type PinLock = Data<'elastic/pinlocks'>[number]
type GuessedServer = NonNullable<Answer<'elastic/pinlocks'>['servers']>[number]

/** An attack from many addresses must not fill the screen. */
const MAX = 10

/** Servers whose PIN is being guessed, and addresses that must wait after wrong PINs, or are locked. Staff can unlock them. */
export function PinLocks({ customerNumber }: { customerNumber: string }) {
  const { data: found } = useQuery(locksQuery(customerNumber))
  if (!found || (found.data.length === 0 && !found.servers?.length)) return null
  const { data, servers = [] } = found
  return (
    <Stack gap="0.5rem" mb="1rem">
      {servers.map((server) => (
        <GuessedPin key={server.serverId} server={server} />
      ))}
      {data.slice(0, MAX).map((lock) => (
        <LockedAddress key={`${lock.serverId} ${lock.externalIp}`} lock={lock} />
      ))}
      {data.length > MAX && (
        <SignalStrip signal="orange">{countText(data.length - MAX)} more addresses have to wait.</SignalStrip>
      )}
    </Stack>
  )
}

function GuessedPin({ server: { serverId, failures, since, until } }: { server: GuessedServer }) {
  return (
    <SignalStrip signal="red">
      {countText(failures)} wrong PINs were sent for {serverId} since {timeText(since)}. Until {timeText(until)}, the
      portal accepts only one PIN per second from addresses that have not sent the right one before. To accept sessions
      from your own networks only, add rules in{' '}
      <Anchor inherit component={PortalLink} to="/whitelistips">
        Elastic IP Settings
      </Anchor>
      .
    </SignalStrip>
  )
}

function LockedAddress({ lock: { serverId, externalIp, failures, until } }: { lock: PinLock }) {
  const mayUnlock = useCan('elastic.unlock-pin')
  return (
    <SignalStrip signal="orange">
      <Group justify="space-between" gap="0.5rem">
        <span>
          {externalIp} sent {countText(failures)} wrong PINs for {serverId}. No PIN is accepted from there before{' '}
          {timeText(until)}.
        </span>
        {mayUnlock && <ResetPinLock denied={{ server: serverId, subject: externalIp }} />}
      </Group>
    </SignalStrip>
  )
}

const locksQuery = (customerNumber: string) => ({
  queryKey: ['elastic-pin-locks', customerNumber],
  queryFn: async ({ signal }: { signal: AbortSignal }) => ask('elastic/pinlocks', { body: { customerNumber }, signal }),
})
