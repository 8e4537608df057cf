import { Button, Group, Modal, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { HostIdentity } from '#domain/activations/host.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { currentActivationsQuery } from '#web/modules/activations/history/host-history.api.ts'
import { EntitlementCell } from '#web/ui/entitlement/entitlement-cell.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Props = { customerNumber: string; host: HostIdentity; onClose(): void }

/** What is on a host now. */
export function CurrentActivationsDialog({ customerNumber, host, onClose }: Props) {
  const { info } = useKnownCustomer()
  const { data, error, refetch } = useQuery(currentActivationsQuery(customerNumber, host.serverId, info.today))
  const title = `The following products are activated on Host ID: ${host.serverId}.`
  const isShared = new Set(data?.map((row) => row.customerNumber)).size > 1
  return (
    <Modal opened onClose={onClose} size={1000} title={title}>
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : !data ? (
        <Spinner />
      ) : (
        <Table.ScrollContainer minWidth={560} maxHeight={480}>
          <Table aria-label="Activated products" verticalSpacing={6} stickyHeader>
            <Table.Thead>
              <Table.Tr>
                {isShared && <Table.Th>Customer</Table.Th>}
                <Table.Th>Entitlement</Table.Th>
                <Table.Th ta="right">Count</Table.Th>
                <Table.Th>Start Date</Table.Th>
                <Table.Th>Expiration Date</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.map((row) => (
                <Table.Tr key={`${row.customerNumber} ${row.activationid}`}>
                  {isShared && <Table.Td>{row.customerNumber}</Table.Td>}
                  <Table.Td>
                    <EntitlementCell
                      product={row.ansysproduct}
                      activationId={row.activationid}
                      isEvaluation={row.isEval}
                    />
                  </Table.Td>
                  <Table.Td ta="right">{countText(row.count)}</Table.Td>
                  <Table.Td>{row.startdate}</Table.Td>
                  <Table.Td>{row.enddate}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Group justify="flex-end" mt="md">
        <Button data-autofocus onClick={onClose}>
          Ok
        </Button>
      </Group>
    </Modal>
  )
}
