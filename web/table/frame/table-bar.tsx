import { Button } from '@mantine/core'
import { IconFilterOff, IconRestore } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
  const { state } = table
  return (
    <div className={classes.bar} data-titled={title ? true : undefined}>
      {title}
      {!isFolded && (
        <>
          <div className={classes.controls}>{controls}</div>
          <div className={classes.actions}>
            {actions}
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
          </div>
        </>
      )}
    </div>
  )
}
