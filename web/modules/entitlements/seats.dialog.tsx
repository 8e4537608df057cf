import { Anchor, Modal, Table, Text } from '@mantine/core'
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
import { useLateDialog } from '#web/ui/dialogs/use-late-dialog.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Id } from '#web/ui/id.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Host = Data<'fulfillments/hosts'>[number]

type Props = {
  /** The entitlement; still set while the dialog closes. */
  row: LeaseRow | undefined
  opened: boolean
  onClose(): void
}

/** The hosts on which the seats of an entitlement are activated. */
export function SeatsDialog({ row, onClose, ...props }: Props) {
  const { isRendered, opened } = useLateDialog(props.opened)
  if (!isRendered) return null
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
      <Table.ScrollContainer minWidth={440}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>License server</Table.Th>
              <Table.Th>Host ID</Table.Th>
              <Table.Th>Type</Table.Th>
              <Table.Th ta="right" className="figures">
                Seats
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {hosts.map((host) => (
              <HostRow key={`${host.serverIdType} ${host.serverId}`} host={host} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}

/** A triad is one host of three machines with three names and three ids. */
function HostRow({ host: { serverName, serverId, serverIdType, count } }: { host: Host }) {
  const names = serverName.split(',')
  return (
    <Table.Tr>
      <Table.Td>
        {names.map((name) => (
          <div key={name}>
            <Anchor component={PortalLink} to={licenseServerPath(serverId)}>
              {name}
            </Anchor>
          </div>
        ))}
      </Table.Td>
      <Table.Td>
        {serverId.split(',').map((id) => (
          <div key={id}>
            <Id id={id} what="host ID" />
          </div>
        ))}
      </Table.Td>
      <Table.Td>{serverIdType.split(',')[0]}</Table.Td>
      <Table.Td ta="right" className="figures">
        {countText(count)}
      </Table.Td>
    </Table.Tr>
  )
}
