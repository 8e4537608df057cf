import { Button, Input, Table, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useFormFrame } from '#web/form/form-context.ts'
import type { Row, Rows } from '#web/form/use-form.ts'
import classes from './form-rows.module.css'

type Column<Values> = {
  readonly label: string
  /** The input of this column. */
  input(row: Row<Values>): ReactNode
  /** Stands in its place where the row is removed or cannot be changed. */
  text(row: Values): ReactNode
  /** A CSS width, if not the same as that of the others. */
  readonly width?: string
}

type Props<Values> = {
  rows: Rows<Values>
  /** The accessible name of the table. */
  label: string
  columns: readonly Column<Values>[]
  /** Completes "Remove …". */
  nameOf(row: Values, index: number): string
  /** The button that adds a row. */
  add: string
  /** Shown below the heads of the columns where there is no row. Without it the heads come with the first row. */
  none?: string
  isReadOnly?(row: Values): boolean
  max?: number
}

/** Rows that can be added and removed. A removed row stays in its place, struck through, with Undo, until the save. */
export function FormRows<Values extends object>(props: Props<Values>) {
  const { rows, label, columns, nameOf, add, none, isReadOnly = () => false, max = Number.POSITIVE_INFINITY } = props
  const { reasonId } = useFormFrame()
  const table = useFocusOnNewRow(rows.rows.length)
  const hasRows = rows.rows.length > 0
  return (
    <div className={classes.list}>
      {(hasRows || none) && (
        <Table ref={table} className={classes.rows} verticalSpacing={6} aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.label} style={{ width: column.width }}>
                  {column.label}
                </Table.Th>
              ))}
              <Table.Td className={classes.removing} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.rows.map((row) => {
              const isFixed = rows.readOnly !== undefined || isReadOnly(row.value)
              return (
                <Table.Tr key={row.key}>
                  {columns.map((column) => (
                    <Table.Td key={column.label} data-label={column.label}>
                      {row.isRemoved ? (
                        <del className={classes.removed}>{column.text(row.value)}</del>
                      ) : isFixed ? (
                        <span className={classes.fixed}>{column.text(row.value)}</span>
                      ) : (
                        column.input(row)
                      )}
                    </Table.Td>
                  ))}
                  <Table.Td className={classes.removing}>
                    <RemoveButton
                      name={nameOf(row.value, row.index)}
                      row={row}
                      isDisabled={rows.isLocked || (isFixed && !row.isRemoved)}
                      describedBy={reasonId}
                    />
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      )}
      {!hasRows && none && <p className={classes.none}>{none}</p>}
      {rows.error && <Input.Error role="alert">{rows.error}</Input.Error>}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={rows.isLocked || rows.hasErrors || rows.count >= max}
          aria-describedby={reasonId}
          onClick={() => rows.add()}
        >
          {add}
        </Button>
      </div>
    </div>
  )
}

type RemoveProps = { name: string; row: Row<object>; isDisabled: boolean; describedBy: string | undefined }

function RemoveButton({ name, row: { isRemoved, remove, keep }, isDisabled, describedBy }: RemoveProps) {
  return (
    <Tooltip label="Remove" disabled={isRemoved}>
      <Button
        variant="subtle"
        color={isRemoved ? undefined : 'gray'}
        className={classes.button}
        aria-label={isRemoved ? `Undo: keep ${name}` : `Remove ${name}`}
        disabled={isDisabled}
        aria-describedby={describedBy}
        onClick={(event) => {
          if (!isRemoved) remove()
          // The second half of a double click must not undo the first.
          else if (event.detail <= 1) keep()
        }}
      >
        {isRemoved ? 'Undo' : <IconTrash size={16} />}
      </Button>
    </Tooltip>
  )
}

/** The person goes on typing in the row that they have just added. Rows of a save or of a conflict take no focus. */
function useFocusOnNewRow(count: number) {
  const table = useRef<HTMLTableElement>(null)
  const before = useRef(count)
  useLayoutEffect(() => {
    const last = table.current?.querySelector('tbody tr:last-child')?.querySelector<HTMLElement>('input, select')
    if (count === before.current + 1 && last instanceof HTMLInputElement && last.value === '') last.focus()
    before.current = count
  }, [count])
  return table
}
