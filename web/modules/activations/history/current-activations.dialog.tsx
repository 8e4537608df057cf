import { Badge, Button, Group, Table } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { EXPIRED } from '#domain/entitlements/term.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { type CurrentActivation, currentActivationsQuery } from '#web/modules/activations/history/host-history.api.ts'
import confirm from '#web/modules/activations/plans/confirm-changes.module.css'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './history.module.css'

type Props = { customerNumber: string; host: HostIdentity; onClose(): void }

/** What is on a host now. */
export function CurrentActivationsDialog({ customerNumber, host, onClose }: Props) {
  const { info } = useKnownCustomer()
  const { data, error, refetch } = useQuery(currentActivationsQuery(customerNumber, host.serverId, info.today))
  const title = `The following products are activated on Host ID: ${host.serverId}.`
  const isShared = new Set(data?.map((row) => row.customerNumber)).size > 1
  return (
    <Dialog onClose={onClose} size={1000} title={title}>
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : !data ? (
        <Spinner />
      ) : (
        <Table aria-label="Activated products" className={confirm.table} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              {isShared && (
                <Table.Th w={100} className={confirm.wide}>
                  Customer
                </Table.Th>
              )}
              <Table.Th>Entitlement</Table.Th>
              <Table.Th w={76} ta="right" className="figures">
                Count
              </Table.Th>
              <Table.Th w={116} className={confirm.wide}>
                Start Date
              </Table.Th>
              <Table.Th w={150} className={confirm.wide}>
                Expiration Date
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.map((row) => (
              <ActivatedProduct key={`${row.customerNumber} ${row.activationid}`} row={row} isShared={isShared} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group justify="flex-end" mt="md" className={confirm.buttons}>
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Dialog>
  )
}

/** On a phone, customer and dates stand below the product. */
function ActivatedProduct({ row, isShared }: { row: CurrentActivation; isShared: boolean }) {
  const { customerNumber, ansysproduct, activationid, isEval, count, startdate, enddate, remainingdays } = row
  return (
    <Table.Tr>
      {isShared && <Table.Td className={confirm.wide}>{customerNumber}</Table.Td>}
      <Table.Td>
        {ansysproduct}
        {remainingdays === EXPIRED && (
          <span className={confirm.expired}>
            <IconAlertTriangle size={12} aria-hidden /> expired
          </span>
        )}
        <span className={classes.activationId}>
          {activationid}
          <CopyButton value={activationid} what="activation ID" />
          {isEval && (
            <Badge size="xs" variant="default" flex="none">
              Evaluation
            </Badge>
          )}
        </span>
        <span className={`${confirm.narrow} figures`}>
          {startdate} – {enddate}
        </span>
        {isShared && <span className={confirm.narrow}>Customer {customerNumber}</span>}
      </Table.Td>
      <Table.Td ta="right" className="figures">
        {countText(count)}
      </Table.Td>
      <Table.Td className={`${confirm.wide} figures`}>{startdate}</Table.Td>
      <Table.Td className={`${confirm.wide} figures`}>{enddate}</Table.Td>
    </Table.Tr>
  )
}
