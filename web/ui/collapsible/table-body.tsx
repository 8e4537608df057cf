import { ActionIcon, Skeleton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import type { Column } from '#web/ui/grid/model/column.ts'
import classes from './collapsible-table.module.css'

type Props<Row> = {
  columns: readonly Column<Row>[]
  /** How far from the left each column stays that stays in sight. */
  stickyAt: ReadonlyMap<string, number>
  /** Undefined as long as there has been no answer. */
  rows: readonly Row[] | undefined
  rowKey(row: Row): string
  rowName(row: Row): string
  detail(row: Row): ReactNode
  open: ReadonlySet<string>
  onToggle(key: string): void
}

const PLACES = ['one', 'two', 'three', 'four', 'five']

export function TableBody<Row>({ columns, stickyAt, rows, rowKey, rowName, detail, open, onToggle }: Props<Row>) {
  if (!rows) return <Places columns={columns.length + 1} />
  return (
    <tbody>
      {rows.map((row) => {
        const key = rowKey(row)
        const isOpen = open.has(key)
        return (
          <Fragment key={key}>
            <tr className={classes.row} data-open={isOpen || undefined}>
              <td className={classes.toggleCell} data-sticky={stickyAt.size > 0 || undefined}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  className={classes.toggle}
                  aria-expanded={isOpen}
                  aria-label={`Details of ${rowName(row)}`}
                  onClick={() => onToggle(key)}
                >
                  <IconChevronRight size={16} />
                </ActionIcon>
              </td>
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={classes.cell}
                  data-align={column.align}
                  data-sticky={stickyAt.has(column.id) || undefined}
                  style={{ left: stickyAt.get(column.id) }}
                >
                  {column.cell ? column.cell(row) : column.text(row)}
                </td>
              ))}
            </tr>
            {isOpen && (
              <tr>
                <td colSpan={columns.length + 1} className={classes.unfolded}>
                  <div className={classes.detail}>{detail(row)}</div>
                </td>
              </tr>
            )}
          </Fragment>
        )
      })}
    </tbody>
  )
}

/** Where rows will be. */
function Places({ columns }: { columns: number }) {
  return (
    <tbody>
      {PLACES.map((place) => (
        <tr key={place}>
          <td colSpan={columns} className={classes.cell}>
            <Skeleton height={12} />
          </td>
        </tr>
      ))}
    </tbody>
  )
}
