import { NoRows } from '#web/table/frame/no-rows.tsx'
import type { GridRows } from '#web/table/grid/body/use-grid-rows.ts'
import classes from '#web/table/grid/grid.module.css'
import type { GridOptions } from '#web/table/grid/grid-options.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Props<Row> = { props: GridOptions<Row>; data: GridRows<Row> }

/** Says why there are no rows: they are loading, could not be loaded, or there are none. */
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
      ) : (
        <NoRows what={what} onClearFilters={hasFilters(state.view) ? state.clearFilters : undefined}>
          {noRows}
        </NoRows>
      )}
    </div>
  )
}
