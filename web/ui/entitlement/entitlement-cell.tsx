import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Column } from '#web/table/columns/column.ts'
import { RowCopyButton } from '#web/ui/row-copy-button.tsx'
import classes from './entitlement.module.css'

type Props = {
  product: string
  /** Empty where there is none. */
  activationId: string
  isEvaluation?: boolean
  /** What the id is, where it is another one. */
  idName?: string
  /** Without room for the product in one line, it takes two. */
  isWrapping?: boolean | undefined
}

/** The product, and below it the id under which it is activated. */
export function entitlementCell(props: Props): ReactNode {
  const { product, activationId, isEvaluation, idName = 'activation ID', isWrapping } = props
  return (
    <span className={classes.entitlement}>
      <span className={classes.names}>
        <span className={classes.product} data-wrapping={isWrapping}>
          {product}
        </span>
        <span className={classes.second}>
          <span className={classes.activationId}>{activationId}</span>
          {isEvaluation && (
            <Badge size="xs" variant="default" className={classes.evaluation}>
              Evaluation
            </Badge>
          )}
        </span>
      </span>
      {activationId !== '' && <RowCopyButton value={activationId} what={idName} />}
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
    const { product, activationId } = entitlementOf(row)
    return `${product} ${activationId}`.trim()
  },
  cell: (row) => entitlementCell(entitlementOf(row)),
  ...look,
})
