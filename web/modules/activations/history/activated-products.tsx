import { Badge } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { CSV_START, csvLine } from '#domain/csv.ts'
import { EXPIRED } from '#domain/entitlements/term.ts'
import { countText } from '#web/lib/format.ts'
import type { CurrentActivation } from '#web/modules/activations/history/host-history.api.ts'
import confirm from '#web/modules/activations/plans/confirm-changes.module.css'
import { dateFigures } from '#web/ui/figures.tsx'
import { Id } from '#web/ui/id.tsx'
import classes from './history.module.css'

/** The seats of a host by product. */
export function ActivatedProducts({ rows }: { rows: readonly CurrentActivation[] }) {
  const isShared = new Set(rows.map((row) => row.customerNumber)).size > 1
  return (
    <table aria-label="Activated products" className={`plain-table ${confirm.table}`}>
      <thead>
        <tr>
          {isShared && (
            <th style={{ width: 100 }} className={confirm.wide}>
              Customer
            </th>
          )}
          <th>Entitlement</th>
          <th style={{ width: 76 }} className="right figures">
            Count
          </th>
          <th style={{ width: 116 }} className={confirm.wide}>
            Start Date
          </th>
          <th style={{ width: 150 }} className={confirm.wide}>
            Expiration Date
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <ActivatedProduct key={`${row.customerNumber} ${row.activationid}`} row={row} isShared={isShared} />
        ))}
      </tbody>
    </table>
  )
}

export function activatedProductsCsv(rows: readonly CurrentActivation[]): Blob {
  const head = csvLine(['Customer', 'Product', 'Activation ID', 'Count', 'Start Date', 'Expiration Date'])
  const lines = rows.map(({ customerNumber, ansysproduct, activationid, count, startdate, enddate }) =>
    csvLine([customerNumber, ansysproduct, activationid, count, startdate, enddate]),
  )
  return new Blob([CSV_START, head, ...lines], { type: 'text/csv' })
}

/** On a phone, customer and dates stand below the product. */
function ActivatedProduct({ row, isShared }: { row: CurrentActivation; isShared: boolean }) {
  const { customerNumber, ansysproduct, activationid, isEval, count, startdate, enddate, remainingdays } = row
  return (
    <tr>
      {isShared && <td className={confirm.wide}>{customerNumber}</td>}
      <td>
        {ansysproduct}
        {remainingdays === EXPIRED && (
          <span className={confirm.expired}>
            <IconAlertTriangle size={12} aria-hidden /> expired
          </span>
        )}
        <span className={classes.activationId}>
          <Id id={activationid} what="activation ID" />
          {isEval && (
            <Badge size="xs" variant="default" flex="none">
              Evaluation
            </Badge>
          )}
        </span>
        <span className={`${confirm.narrow} figures`}>
          {dateFigures(startdate)} – {dateFigures(enddate)}
        </span>
        {isShared && <span className={confirm.narrow}>Customer {customerNumber}</span>}
      </td>
      <td className="right figures">{countText(count)}</td>
      <td className={`${confirm.wide} figures`}>{dateFigures(startdate)}</td>
      <td className={`${confirm.wide} figures`}>{dateFigures(enddate)}</td>
    </tr>
  )
}
