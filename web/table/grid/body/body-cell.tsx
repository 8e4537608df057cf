import { VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import type { Column } from '#web/table/columns/column.ts'
import type { BodyRowProps } from '#web/table/grid/body/row-props.ts'
import { cellProps, type DrawnColumn } from '#web/table/grid/drawn-column.ts'
import { EditableCell } from '#web/table/grid/editing/editable-cell.tsx'
import classes from '#web/table/grid/grid.module.css'
import { dateFigures } from '#web/ui/figures.tsx'
import { Id } from '#web/ui/id.tsx'

/*
 * Plain functions, not components: a page has hundreds of cells, and a component for each of them takes twice as long to
 * draw.
 */

/** One cell of a row. */
export function drawCell<Row>(one: DrawnColumn<Row>, props: BodyRowProps<Row>) {
  const { id, column } = one
  return (
    <div key={id} {...cellProps(one)} className={column ? classes.cell : classes.controlCell}>
      {column ? drawContent(column, props) : drawControl(id, props)}
    </div>
  )
}

function drawContent<Row>(column: Column<Row>, props: BodyRowProps<Row>): ReactNode {
  const { row, rowKey, behavior, depth, drawn } = props
  const content = contentOf(column, row, rowKey)
  if (!behavior.isTree && !behavior.rowState) return content
  const isFirst = drawn.find((one) => one.column)?.column === column
  if (!isFirst) return content
  const state = behavior.rowState?.(row)
  const text = (
    <>
      {state && <VisuallyHidden>{state === 'new' ? 'Not saved yet. ' : 'To be removed. '}</VisuallyHidden>}
      {content}
    </>
  )
  if (!behavior.isTree) return text
  return (
    <span className={classes.tree} style={{ paddingLeft: depth * 20 }}>
      {props.canExpand ? drawToggle(`Children of ${behavior.rowName(row)}`, props) : <span />}
      <span className={classes.treeText}>{text}</span>
    </span>
  )
}

/** Row elements are reused for other rows. The key keeps the state of a cell with its row. */
export function contentOf<Row>(column: Column<Row>, row: Row, rowKey: string): ReactNode {
  if (column.editor && !column.editor.isDisabled?.(row))
    return <EditableCell key={rowKey} editor={column.editor} label={column.header} row={row} />
  if (column.cell) return <Fragment key={rowKey}>{column.cell(row)}</Fragment>
  if (column.kind === 'id') return <Id key={rowKey} id={column.text(row)} what={column.header} />
  return column.kind === 'date' || column.kind === 'time' ? dateFigures(column.text(row)) : column.text(row)
}

function drawControl<Row>(id: string, props: BodyRowProps<Row>): ReactNode {
  const { row, rowKey, behavior, isSelected, canExpand } = props
  switch (id) {
    case '$expand':
      return canExpand && drawToggle(`Details of ${behavior.rowName(row)}`, props)
    case '$select':
      return (
        behavior.canSelect(row) && (
          <input
            type="checkbox"
            className={classes.checkbox}
            aria-label={`Select ${behavior.rowName(row)}`}
            checked={isSelected}
            onChange={(event) => behavior.onSelect(rowKey, event.nativeEvent as globalThis.MouseEvent)}
          />
        )
      )
    case '$actions':
      return <Fragment key={rowKey}>{behavior.rowActions?.(row)}</Fragment>
  }
}

function drawToggle<Row>(label: string, { rowKey, behavior, isExpanded }: BodyRowProps<Row>) {
  return (
    <button
      type="button"
      className={classes.toggle}
      aria-expanded={isExpanded}
      aria-label={label}
      onClick={() => behavior.onToggle(rowKey)}
    >
      <IconChevronRight size={16} aria-hidden />
    </button>
  )
}
