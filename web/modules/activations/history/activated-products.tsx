import { Badge, Table } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { CSV_START, csvLine } from '#domain/csv.ts'
import { EXPIRED } from '#domain/entitlements/term.ts'
import { countText } from '#web/lib/format.ts'
import type { CurrentActivation } from '#web/modules/activations/history/host-history.api.ts'
import confirm from '#web/modules/activations/plans/confirm-changes.module.css'
import { Id } from '#web/ui/id.tsx'
import classes from './history.module.css'

/** The seats of a host by product. */
export function ActivatedProducts({ rows }: { rows: readonly CurrentActivation[] }) {
  const isShared = new Set(rows.map((row) => row.customerNumber)).size > 1
  return (
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
        {rows.map((row) => (
          <ActivatedProduct key={`${row.customerNumber} ${row.activationid}`} row={row} isShared={isShared} />
        ))}
      </Table.Tbody>
    </Table>
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
          <Id id={activationid} what="activation ID" />
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
