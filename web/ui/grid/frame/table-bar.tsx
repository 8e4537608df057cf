import { Button } from '@mantine/core'
import { IconFilterOff, IconRestore } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ColumnsMenu } from '#web/ui/grid/frame/columns-menu.tsx'
import type { Column } from '#web/ui/grid/model/column.ts'
import { hasFilters, type TableView } from '#web/ui/grid/model/table-view.ts'
import classes from './frame.module.css'

type Props = {
  columns: readonly Column<never>[]
  view: TableView
  setView(change: (view: TableView) => TableView): void
  onClearFilters(): void
  isDefault: boolean
  onReset(): void
  /** At the left: what the table is about. */
  controls?: ReactNode
  /** Before Clear Filters: what can be done with the table. */
  actions?: ReactNode
}

/** Above every table, the same things in the same place. */
export function TableBar({ columns, view, setView, onClearFilters, isDefault, onReset, controls, actions }: Props) {
  return (
    <div className={classes.bar}>
      <div className={classes.controls}>{controls}</div>
      <div className={classes.actions}>
        {actions}
        <ColumnsMenu columns={columns} view={view} setView={setView} />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFilterOff size={15} aria-hidden />}
          disabled={!hasFilters(view)}
          onClick={onClearFilters}
        >
          Clear Filters
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRestore size={15} aria-hidden />}
          disabled={isDefault}
          onClick={onReset}
        >
          Reset View
        </Button>
      </div>
    </div>
  )
}
