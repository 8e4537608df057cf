import { type MouseEvent, memo } from 'react'
import { type Column, isNeverCut } from '#web/table/columns/column.ts'
import { contentOf, drawCell } from '#web/table/grid/body/body-cell.tsx'
import { handleRowClick, isElsewhere } from '#web/table/grid/body/row-click.ts'
import { RowPanel } from '#web/table/grid/body/row-panel.tsx'
import type { BodyRowProps } from '#web/table/grid/body/row-props.ts'
import classes from './phone.module.css'

function PhoneRowOf<Row>(props: BodyRowProps<Row>) {
  const { row, rowKey, index, drawn, behavior, isSelected, isExpanded, depth, children } = props
  const columns = drawn.flatMap((one) => one.column ?? [])
  const inLine = (line: Column<Row>['phone']) => columns.filter((column) => column.phone === line)
  const first = inLine('first line')
  const third = inLine('third line')
  const [title = columns[0], ...besides] = first
  const select = drawn.find((one) => one.id === '$select')
  const actions = drawn.find((one) => one.id === '$actions')
  const click = (event: MouseEvent) => {
    if (behavior.rowHref) handleRowClick(event, props)
    else if (!isElsewhere(event)) behavior.onToggle(rowKey)
  }
  return (
    <>
      <div
        role="row"
        className={classes.row}
        aria-rowindex={index + 1}
        aria-selected={isSelected || undefined}
        aria-level={behavior.isTree ? depth + 1 : undefined}
        data-row={rowKey}
        data-index={index}
        data-state={behavior.rowState?.(row)}
        style={depth > 0 ? { paddingLeft: 12 + depth * 20 } : undefined}
        onClick={click}
      >
        {select && drawCell(select, props)}
        <div className={classes.lines}>
          <div className={classes.line}>
            {title && (
              <PhoneCell column={title} columns={columns} row={row} rowKey={rowKey} className={classes.title} />
            )}
            {besides.map((column) => (
              <PhoneCell
                key={column.id}
                column={column}
                columns={columns}
                row={row}
                rowKey={rowKey}
                className={classes.aside}
              />
            ))}
          </div>
          <SmallLine line={inLine('second line')} columns={columns} row={row} />
          {third.length > 0 && <SmallLine line={third} columns={columns} row={row} />}
        </div>
        {actions && drawCell(actions, props)}
      </div>
      {isExpanded && (
        <RowPanel key={rowKey} colSpan={columns.length}>
          <dl className={classes.facts}>
            {columns.map((column) => (
              <div key={column.id}>
                <dt>{column.header}</dt>
                <dd>
                  {contentOf(column, row, rowKey)}
                  {column.text(row) && currencyAfter(column, columns, row)}
                </dd>
              </div>
            ))}
          </dl>
          {behavior.detail?.(row)}
        </RowPanel>
      )}
      {children}
    </>
  )
}

/** What follows an amount: its currency. */
function currencyAfter<Row>({ currency }: Column<Row>, columns: readonly Column<Row>[], row: Row): string {
  const text = currency && columns.find(({ id }) => id === currency)?.text(row)
  return text ? ` ${text}` : ''
}

type LineProps<Row> = { line: readonly Column<Row>[]; columns: readonly Column<Row>[]; row: Row }

function SmallLine<Row>({ line, columns, row }: LineProps<Row>) {
  return (
    <div className={classes.line} data-small>
      {line.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          tabIndex={-1}
          data-cell
          data-col={column.id}
          className={classes.part}
          data-figures={isNeverCut(column) || undefined}
          // A number needs the name of its column.
          data-label={column.kind === 'number' ? column.header : undefined}
        >
          {column.text(row) && column.text(row) + currencyAfter(column, columns, row)}
        </div>
      ))}
    </div>
  )
}

type CellProps<Row> = {
  column: Column<Row>
  columns: readonly Column<Row>[]
  row: Row
  rowKey: string
  className: string | undefined
}

function PhoneCell<Row>({ column, columns, row, rowKey, className }: CellProps<Row>) {
  return (
    <div
      role="gridcell"
      tabIndex={-1}
      data-cell
      data-col={column.id}
      className={className}
      data-figures={isNeverCut(column) || undefined}
    >
      {contentOf(column, row, rowKey)}
      {column.text(row) && currencyAfter(column, columns, row)}
    </div>
  )
}

/** A row on a phone: two lines instead of columns. A row without a page unfolds to show all of its values. */
export const PhoneRow = memo(PhoneRowOf) as typeof PhoneRowOf
