import { Button } from '@mantine/core'
import { IconFilterOff, IconRestore } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { ColumnsButton } from '#web/table/frame/columns-button.tsx'
import { PhoneFilters } from '#web/table/frame/phone-filters.tsx'
import type { Table } from '#web/table/use-table.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
import classes from './frame.module.css'

type Props = {
  table: Pick<Table<never>, 'columns' | 'state'>
  isPhone: boolean
  isFolded: boolean
  title: ReactNode
  controls: ReactNode
  actions: ReactNode
}

/** Above every table, the same things in the same place. */
export function TableBar({ table, isPhone, isFolded, title, controls, actions }: Props) {
  return (
    <div className={classes.bar} data-titled={title ? true : undefined}>
      {title}
      {!isFolded && (
        <>
          <div className={classes.controls}>{controls}</div>
          <div className={classes.actions}>
            {actions}
            <ViewButtons columns={table.columns} state={table.state} isPhone={isPhone} />
          </div>
        </>
      )}
    </div>
  )
}

type ViewProps = Pick<Table<never>, 'columns' | 'state'> & { isPhone: boolean }

/** What changes how the table shows its rows. Drawn again only when the view changes, not with every answer. */
const ViewButtons = memo(function ViewButtons({ isPhone, ...table }: ViewProps) {
  const { state } = table
  return (
    <>
      {isPhone ? <PhoneFilters table={table} /> : <ColumnsButton table={table} />}
      <Button
        variant="default"
        size="xs"
        className={classes.quiet}
        leftSection={<IconFilterOff size={15} aria-hidden />}
        disabled={!hasFilters(state.view)}
        onClick={state.clearFilters}
      >
        Clear Filters
      </Button>
      <Button
        variant="default"
        size="xs"
        className={classes.quiet}
        leftSection={<IconRestore size={15} aria-hidden />}
        disabled={state.isDefault}
        onClick={state.reset}
      >
        Reset View
      </Button>
    </>
  )
})
