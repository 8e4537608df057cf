import { Checkbox, Table, Title, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'
import { countText } from '#web/lib/format.ts'
import classes from '#web/modules/activations/plans/confirm-changes.module.css'
import { Id, idText } from '#web/ui/id.tsx'

type Toggle = ((row: SeatChange) => void) | undefined
/** Without a toggle, all of them go or come. */
type Props = { title: string; rows: readonly SeatChange[]; onToggle: Toggle }

/** Products that leave a host, or come to it. What is not ticked stays as it is. */
export function SeatChangeTable({ title, rows, onToggle }: Props) {
  if (rows.length === 0) return null
  const seats = rows.reduce((sum, { isTicked, count }) => sum + (isTicked ? count : 0), 0)
  return (
    <section>
      <Title order={3}>{title}</Title>
      <Table aria-label={title} className={classes.table} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            {onToggle && (
              <Table.Th w={44}>
                <VisuallyHidden>Include</VisuallyHidden>
              </Table.Th>
            )}
            <Table.Th>Product</Table.Th>
            <Table.Th w={330} className={classes.wide}>
              Entitlement
            </Table.Th>
            <Table.Th w={76} ta="right" className="figures">
              Count
            </Table.Th>
            <Table.Th w={116} className={classes.wide}>
              Start Date
            </Table.Th>
            <Table.Th w={150} className={classes.wide}>
              Expiration Date
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <SeatChangeRow key={row.activationid} row={row} onToggle={onToggle} />
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            {onToggle && <Table.Td />}
            <Table.Th>Seats</Table.Th>
            <Table.Td className={classes.wide} />
            <Table.Th ta="right" className="figures">
              {countText(seats)}
            </Table.Th>
            <Table.Td className={classes.wide} />
            <Table.Td className={classes.wide} />
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </section>
  )
}

function SeatChangeRow({ row, onToggle }: { row: SeatChange; onToggle: Toggle }) {
  const { activationid, ansysproduct, startdate, enddate, count, isTicked, isMaintenanceExpired } = row
  return (
    <Table.Tr data-unticked={!isTicked || undefined}>
      {onToggle && (
        <Table.Td>
          <Checkbox
            size="xs"
            aria-label={`${ansysproduct} ${activationid}`}
            checked={isTicked}
            onChange={() => onToggle(row)}
          />
        </Table.Td>
      )}
      <Table.Td>
        {ansysproduct}
        {isMaintenanceExpired && (
          <span className={classes.expired}>
            <IconAlertTriangle size={12} aria-hidden /> Maintenance expired
          </span>
        )}
        <span className={classes.narrow}>{idText(activationid)}</span>
        <span className={classes.narrow}>
          {startdate} – {enddate}
        </span>
      </Table.Td>
      <Table.Td className={classes.wide}>
        <Id id={activationid} what="activation ID" />
      </Table.Td>
      <Table.Td ta="right" className="figures">
        {countText(count)}
      </Table.Td>
      <Table.Td className={`${classes.wide} figures`}>{startdate}</Table.Td>
      <Table.Td className={`${classes.wide} figures`}>{enddate}</Table.Td>
    </Table.Tr>
  )
}
