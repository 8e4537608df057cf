import { Checkbox, Title, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'
import { countText } from '#web/lib/format.ts'
import classes from '#web/modules/activations/plans/confirm-changes.module.css'
import { dateFigures } from '#web/ui/figures.tsx'
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
      <table aria-label={title} className={`plain-table ${classes.table}`}>
        <thead>
          <tr>
            {onToggle && (
              <th style={{ width: 44 }}>
                <VisuallyHidden>Include</VisuallyHidden>
              </th>
            )}
            <th>Product</th>
            <th style={{ width: 330 }} className={classes.wide}>
              Entitlement
            </th>
            <th style={{ width: 76 }} className="right figures">
              Count
            </th>
            <th style={{ width: 116 }} className={classes.wide}>
              Start Date
            </th>
            <th style={{ width: 150 }} className={classes.wide}>
              Expiration Date
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <SeatChangeRow key={row.activationid} row={row} onToggle={onToggle} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            {onToggle && <td />}
            <th>Seats</th>
            <td className={classes.wide} />
            <th className="right figures">{countText(seats)}</th>
            <td className={classes.wide} />
            <td className={classes.wide} />
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

function SeatChangeRow({ row, onToggle }: { row: SeatChange; onToggle: Toggle }) {
  const { activationid, ansysproduct, startdate, enddate, count, isTicked, isMaintenanceExpired } = row
  return (
    <tr data-unticked={!isTicked || undefined}>
      {onToggle && (
        <td>
          <Checkbox
            size="xs"
            aria-label={`${ansysproduct} ${activationid}`}
            checked={isTicked}
            onChange={() => onToggle(row)}
          />
        </td>
      )}
      <td>
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
      </td>
      <td className={classes.wide}>
        <Id id={activationid} what="activation ID" />
      </td>
      <td className="right figures">{countText(count)}</td>
      <td className={`${classes.wide} figures`}>{dateFigures(startdate)}</td>
      <td className={`${classes.wide} figures`}>{dateFigures(enddate)}</td>
    </tr>
  )
}
