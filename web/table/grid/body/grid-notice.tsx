import { Button } from '@mantine/core'
import type { GridRows } from '#web/table/grid/body/use-grid-rows.ts'
import classes from '#web/table/grid/grid.module.css'
import type { GridOptions } from '#web/table/grid/grid-options.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
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
  if (data.failure) return <FailureNotice failure={data.failure} onRetry={state.failure ? state.retry : list.retry} />
  if (!hasFilters(state.view)) return <div className={classes.notice}>{noRows}</div>
  return (
    <div className={classes.notice}>
      No {what} match the filters
      <Button size="compact-sm" variant="default" onClick={state.clearFilters}>
        Clear Filters
      </Button>
    </div>
  )
}
