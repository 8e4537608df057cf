import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Column } from '#web/table/columns/column.ts'
import { idText } from '#web/ui/id.tsx'
import { RowCopyButton } from '#web/ui/row-copy-button.tsx'
import classes from './entitlement.module.css'

type Props = {
  product: string
  /** What it is called where all rows have the same product: by its order, or by its id. */
  name?: string
  /** Empty where there is none. */
  activationId: string
  isEvaluation?: boolean
  /** What the id is, where it is another one. */
  idName?: string
}

/** The product or name, and below it the id under which it is activated. */
export function entitlementCell(props: Props): ReactNode {
  const { product, name = product, activationId, isEvaluation, idName = 'activation ID' } = props
  return (
    <span className={classes.entitlement}>
      <span className={classes.product}>{name}</span>
      <span className={classes.second} data-named-by-id={name === activationId || undefined}>
        {name === activationId ? product : idText(activationId)}
        {isEvaluation && (
          <Badge size="xs" variant="default" className={classes.evaluation}>
            Evaluation
          </Badge>
        )}
        {activationId !== '' && <RowCopyButton value={activationId} what={idName} />}
      </span>
    </span>
  )
}

type Look<Row> = Pick<Column<Row>, 'id' | 'width'> & Partial<Column<Row>>

/** The column that names the rows of a table of entitlements. */
export const entitlementColumn = <Row,>(look: Look<Row>, entitlementOf: (row: Row) => Props): Column<Row> => ({
  header: 'Entitlement',
  filter: 'text',
  isSticky: true,
  phone: 'first line',
  text(row) {
    const { product, name = product, activationId } = entitlementOf(row)
    return [...new Set([name, product, activationId])].join(' ').trim()
  },
  cell: (row) => entitlementCell(entitlementOf(row)),
  ...look,
})
