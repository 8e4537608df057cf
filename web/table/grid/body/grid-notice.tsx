import { Button } from '@mantine/core'
import { IconFilterSearch, IconTableOff } from '@tabler/icons-react'
import type { GridRows } from '#web/table/grid/body/use-grid-rows.ts'
import classes from '#web/table/grid/grid.module.css'
import type { GridOptions } from '#web/table/grid/grid-options.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Props<Row> = { props: GridOptions<Row>; data: GridRows<Row> }

/** Says why there are no rows: they are loading, could not be loaded, are hidden by filters, or there are none. */
export function GridNotice<Row>({ props, data }: Props<Row>) {
  const { table, what, noRows, waitingText } = props
  const { state, list } = table
  if (data.listed === undefined)
    return (
      <div className={classes.waiting}>
        <Spinner {...(waitingText ? { text: waitingText } : {})} />
      </div>
    )
  if (!data.isEmpty) return null
  return (
    <div className={classes.notice}>
      {data.failure ? (
        <FailureNotice failure={data.failure} onRetry={state.failure ? state.retry : list.retry} />
      ) : hasFilters(state.view) ? (
        <EmptyState
          icon={<IconFilterSearch size={28} stroke={1.5} aria-hidden />}
          title={`No ${what} match the filters`}
          actions={
            <Button variant="default" onClick={state.clearFilters}>
              Clear Filters
            </Button>
          }
        >
          Change the filters above the columns, or clear them.
        </EmptyState>
      ) : (
        <EmptyState icon={<IconTableOff size={28} stroke={1.5} aria-hidden />} title={`No ${what}`}>
          {noRows}
        </EmptyState>
      )}
    </div>
  )
}
