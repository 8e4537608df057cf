import { Anchor, Text } from '@mantine/core'
import { IconServerOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { LeaseRow } from '#contract/entitlements/lease-row.ts'
import { licenseServerPath } from '#domain/activations/hosts/host.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import type { Data } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { hostsQuery } from '#web/modules/entitlements/leases.api.ts'
import { unusedSeatsText } from '#web/modules/entitlements/unused-seats.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Id } from '#web/ui/id.tsx'
import { Modal } from '#web/ui/overlays/modal.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Host = Data<'fulfillments/hosts'>[number]

type Props = {
  /** The entitlement; still set while the dialog closes. */
  row: LeaseRow | undefined
  opened: boolean
  onClose(): void
}

/** The hosts on which the seats of an entitlement are activated. */
export function SeatsDialog({ row, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Activated on license servers" size="lg">
      {row && <Seats row={row} />}
    </Modal>
  )
}

function Seats({ row }: { row: LeaseRow }) {
  const { number } = useKnownCustomer()
  const hosts = useQuery(hostsQuery(number, row.activationid))
  return (
    <>
      <Text fw={600}>{row.ansysproduct}</Text>
      <Text c="dimmed" mb="md">
        <Id id={row.activationid} what="activation ID" />
      </Text>
      {hosts.error ? (
        <FailureNotice failure={hosts.error} onRetry={() => void hosts.refetch()} />
      ) : hosts.data ? (
        <Hosts hosts={hosts.data} row={row} />
      ) : (
        <Spinner />
      )}
    </>
  )
}

function Hosts({ hosts, row }: { hosts: readonly Host[]; row: LeaseRow }) {
  const seats = hosts.reduce((sum, host) => sum + host.count, 0)
  if (seats === 0)
    return (
      <EmptyState icon={IconServerOff} title="Not activated on any license server">
        {unusedSeatsText(row)}
      </EmptyState>
    )
  return (
    <>
      <Text fw={500} mb="xs">
        {countText(seats)} of {countText(row.ansyscount)} {row.ansyscount === 1 ? 'seat' : 'seats'} activated
      </Text>
      <div className="scrolling-table">
        <table className="plain-table">
          <thead>
            <tr>
              <th>License server</th>
              <th>Host ID</th>
              <th>Type</th>
              <th className="right figures">Seats</th>
            </tr>
          </thead>
          <tbody>
            {hosts.map((host) => (
              <HostRow key={`${host.serverIdType} ${host.serverId}`} host={host} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** A triad is one host of three machines with three names and three ids. */
function HostRow({ host: { serverName, serverId, serverIdType, count } }: { host: Host }) {
  const names = serverName.split(',')
  return (
    <tr>
      <td>
        {names.map((name) => (
          <div key={name}>
            <Anchor component={PortalLink} to={licenseServerPath(serverId)}>
              {name}
            </Anchor>
          </div>
        ))}
      </td>
      <td>
        {serverId.split(',').map((id) => (
          <div key={id}>
            <Id id={id} what="host ID" />
          </div>
        ))}
      </td>
      <td>{serverIdType.split(',')[0]}</td>
      <td className="right figures">{countText(count)}</td>
    </tr>
  )
}
