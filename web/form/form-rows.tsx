import { Button, Input, Stack, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useFormFrame } from '#web/form/form-context.ts'
import type { Row, Rows } from '#web/form/rows.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './form-rows.module.css'

type Column<Values> = {
  readonly label: string
  /** The input of this column; none for a column that only shows something. */
  input?(row: Row<Values>): ReactNode
  /** Shown instead of the input where the row is removed or not being edited. */
  text(row: Values): ReactNode
  /** A CSS width, if it differs from the other columns. */
  readonly width?: string
}

type Props<Values> = {
  rows: Rows<Values>
  /** The accessible name of the table. */
  label: string
  columns: readonly Column<Values>[]
  /** Completes "Remove …" and "Edit …". */
  nameOf(row: Values, index: number): string
  /** The button that adds a row. */
  add: string
  /** Shown below the column heads if there are no rows. Without it the heads appear with the first row. */
  none?: string
  isReadOnly?(row: Values): boolean
  /** Rows that were saved are text until somebody clicks Edit. */
  hasEdit?: boolean
  max?: number
}

/** Rows that can be added and removed. A removed row stays, struck through, with Undo, until the form is saved. */
export function FormRows<Values extends object>(props: Props<Values>) {
  const { rows, label, columns, nameOf, add, none, isReadOnly = () => false, hasEdit = false } = props
  const { max = Number.POSITIVE_INFINITY } = props
  const { reasonId } = useFormFrame()
  const table = useFocusOnNewRow(rows.rows.length)
  const { isEdited, edit } = useEditedRows(table, hasEdit)
  const hasRows = rows.rows.length > 0
  return (
    <Stack gap="0.5rem">
      {(hasRows || none) && (
        <div className={classes.scroll}>
          <table ref={table} className={`plain-table ${classes.rows}`} aria-label={label}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.label} style={{ width: column.width }}>
                    {column.label}
                  </th>
                ))}
                <td className={classes.removing} />
              </tr>
            </thead>
            <tbody>
              {rows.rows.map((row) => {
                const isFixed = rows.readOnly !== undefined || isReadOnly(row.value)
                const isText = isFixed || !isEdited(row)
                return (
                  <tr key={row.key} data-row={row.key}>
                    {columns.map((column) => (
                      <td key={column.label} data-label={column.label}>
                        {row.isRemoved ? (
                          <del className={classes.removed}>{column.text(row.value)}</del>
                        ) : !isText && column.input ? (
                          column.input(row)
                        ) : (
                          <span className={classes.fixed}>{column.text(row.value)}</span>
                        )}
                      </td>
                    ))}
                    <td className={classes.removing}>
                      {hasEdit && isText && !row.isRemoved && (
                        <Tooltip label="Edit">
                          <Button
                            variant="subtle"
                            color="gray"
                            className={classes.button}
                            aria-label={`Edit ${nameOf(row.value, row.index)}`}
                            disabled={rows.isLocked || isFixed}
                            aria-describedby={reasonId}
                            onClick={() => edit(row.key)}
                          >
                            <IconPencil size={16} />
                          </Button>
                        </Tooltip>
                      )}
                      <RemoveButton
                        name={nameOf(row.value, row.index)}
                        row={row}
                        isDisabled={rows.isLocked || (isFixed && !row.isRemoved)}
                        describedBy={reasonId}
                      />
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      {!hasRows && none && (
        <Text c="dimmed" my="0.5rem">
          {none}
        </Text>
      )}
      {rows.error && <Input.Error role="alert">{rows.error}</Input.Error>}
      <div>
        <ReasonTooltip reason={rows.obstacle ?? (rows.count >= max ? `At most ${max} rows are possible.` : undefined)}>
          <Button
            variant="default"
            size="xs"
            ml="-0.5rem"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={rows.isLocked}
            onClick={() => rows.add()}
          >
            {add}
          </Button>
        </ReasonTooltip>
      </div>
    </Stack>
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

/** Which rows show inputs: new ones, and those whose Edit button was clicked. Their first input gets the focus. */
function useEditedRows(table: { current: HTMLTableElement | null }, hasEdit: boolean) {
  const [edited, setEdited] = useState<ReadonlySet<number>>(new Set())
  const last = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (last.current === undefined || !edited.has(last.current)) return
    table.current?.querySelector<HTMLElement>(`[data-row="${last.current}"] :is(input, select)`)?.focus()
  }, [edited, table])
  return {
    isEdited: (row: { key: number; isAdded: boolean }) => !hasEdit || row.isAdded || edited.has(row.key),
    edit: (key: number) => {
      last.current = key
      setEdited((now) => new Set(now).add(key))
    },
  }
}

/** Focuses a row that was just added. Rows that come from a save or a conflict take no focus. */
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
