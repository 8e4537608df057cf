import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Table } from '#web/table/use-table.ts'
import { hideColumn, moveColumn, showAllColumns, showColumn } from '#web/table/view/table-view.ts'
import classes from './frame.module.css'

/** Which columns are shown, and in which order. The last column cannot be hidden. */
export function ColumnsPanel({ table: { columns, state } }: { table: Pick<Table<never>, 'columns' | 'state'> }) {
  const { view, setView } = state
  const ordered = view.order.flatMap((id) => columns.find((column) => column.id === id) ?? [])
  const isShown = (id: string) => !view.hidden.includes(id)
  const isOnlyOne = columns.filter((column) => isShown(column.id)).length === 1
  return (
    <>
      <div className={classes.columnList}>
        <fieldset className={classes.columns} aria-label="Columns">
          {ordered.map(({ id, header }, index) => {
            const [before, after] = [ordered[index - 1], ordered[index + 1]]
            return (
              <div key={id} className={classes.column}>
                <Checkbox
                  label={header}
                  checked={isShown(id)}
                  disabled={isShown(id) && isOnlyOne}
                  onChange={(event) => {
                    const change = event.currentTarget.checked ? showColumn : hideColumn
                    setView((now) => change(now, id))
                  }}
                />
                <span className={classes.moves}>
                  <Move icon={IconArrowUp} label={`Move ${header} up`} to={before?.id} id={id} setView={setView} />
                  <Move icon={IconArrowDown} label={`Move ${header} down`} to={after?.id} id={id} setView={setView} />
                </span>
              </div>
            )
          })}
        </fieldset>
      </div>
      <Button
        variant="subtle"
        size="compact-sm"
        disabled={columns.every(({ id }) => isShown(id))}
        onClick={() => setView(showAllColumns)}
      >
        Show all columns
      </Button>
    </>
  )
}

type MoveProps = {
  icon: typeof IconArrowUp
  label: string
  id: string
  to: string | undefined
  setView: Table<never>['state']['setView']
}

function Move({ icon: Icon, label, id, to, setView }: MoveProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={label}
      aria-disabled={to === undefined || undefined}
      data-disabled={to === undefined || undefined}
      onClick={() => to !== undefined && setView((now) => moveColumn(now, id, to))}
    >
      <Icon size={14} />
    </ActionIcon>
  )
}
