import { Checkbox, Table } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { SeatChange } from '#domain/activations/seat-changes.ts'
import { countText } from '#web/lib/format.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import classes from './confirm-changes.module.css'

type Props = { title: string; rows: readonly SeatChange[]; onToggle(row: SeatChange): void }

/** Products that leave a host, or come to it. What is not ticked stays as it is. */
export function SeatChangeTable({ title, rows, onToggle }: Props) {
  if (rows.length === 0) return null
  const seats = rows.reduce((sum, { isTicked, count }) => sum + (isTicked ? count : 0), 0)
  return (
    <section>
      <h3 className={classes.title}>{title}</h3>
      <Table.ScrollContainer minWidth={640} maxHeight={320}>
        <Table aria-label={title} verticalSpacing={6} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Td w={40} />
              <Table.Th>Product</Table.Th>
              <Table.Th>Entitlement</Table.Th>
              <Table.Th className={classes.figure}>Count</Table.Th>
              <Table.Th>Start Date</Table.Th>
              <Table.Th>Expiration Date</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.activationid} data-unticked={!row.isTicked || undefined}>
                <Table.Td>
                  <Checkbox
                    size="xs"
                    aria-label={`${row.ansysproduct} ${row.activationid}`}
                    checked={row.isTicked}
                    onChange={() => onToggle(row)}
                  />
                </Table.Td>
                <Table.Td>
                  {row.ansysproduct}
                  {row.isMaintenanceExpired && (
                    <span className={classes.expired}>
                      <IconAlertTriangle size={12} aria-hidden /> Maintenance expired
                    </span>
                  )}
                </Table.Td>
                <Table.Td>
                  <span className={classes.id}>
                    {row.activationid}
                    <CopyButton value={row.activationid} what="activation ID" />
                  </span>
                </Table.Td>
                <Table.Td className={classes.figure}>{countText(row.count)}</Table.Td>
                <Table.Td>{row.startdate}</Table.Td>
                <Table.Td>{row.enddate}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Td />
              <Table.Th colSpan={2}>Seats</Table.Th>
              <Table.Th className={classes.figure}>{countText(seats)}</Table.Th>
              <Table.Td colSpan={2} />
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}
