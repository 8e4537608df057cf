import { Button, Group, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronLeftPipe, IconChevronRight, IconChevronRightPipe } from '@tabler/icons-react'
import { type ComponentType, memo } from 'react'
import { countText } from '#web/lib/format.ts'
import { pagePlace, totalText } from '#web/table/frame/page-place.ts'
import type { Paging } from '#web/table/list/use-request.ts'
import { NOTHING_SELECTED, type SelectionState, selectedCount } from '#web/table/rows/selection.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './frame.module.css'

const count = new Intl.NumberFormat('en-US')

type Props = {
  paging: Paging
  total: number | undefined
  /** How many there are without the filters, when the filters hide everything. */
  unfilteredTotal: number | undefined
  selection: SelectionState | undefined
  /** What is listed, in the plural: 'transactions'. */
  what: string
}

/** Below a table: the number of rows, which of them are shown, and where they do not fit on the smallest page, its size. */
export const PageBar = memo(function PageBar({ paging, total, unfilteredTotal, selection, what }: Props) {
  const { page, pageSize, pageSizes, goTo, resize } = paging
  const { pages, current, first, last } = pagePlace(page, pageSize, total ?? 0)
  const turn = { from: current, pages, goTo }
  return (
    <div className={classes.pages}>
      <span className={classes.place} aria-live="polite">
        {total === undefined
          ? ' '
          : total === 0
            ? unfilteredTotal
              ? `0 of ${totalText(unfilteredTotal, what)}`
              : `No ${what}`
            : `${pages > 1 ? `${count.format(first)}–${count.format(last)} of ` : ''}${totalText(total, what)}`}
      </span>
      {selection && <SelectedRows {...selection} total={total ?? 0} />}
      {(total ?? 0) > Math.min(...pageSizes) && (
        <nav className={classes.turn} aria-label={`Pages of ${what}`}>
          <NativeSelect
            size="xs"
            aria-label="Rows per page"
            className={classes.size}
            data={pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
            value={String(pageSize)}
            onChange={(event) => resize(Number(event.currentTarget.value))}
          />
          {pages > 1 && (
            <span className={classes.steps}>
              <Turn icon={IconChevronLeftPipe} label="First page" to={0} {...turn} />
              <Turn icon={IconChevronLeft} label="Previous page" to={current - 1} {...turn} />
              <span className={classes.page}>
                Page {count.format(current + 1)} of {count.format(pages)}
              </span>
              <Turn icon={IconChevronRight} label="Next page" to={current + 1} {...turn} />
              <Turn icon={IconChevronRightPipe} label="Last page" to={pages - 1} {...turn} />
            </span>
          )}
        </nav>
      )}
    </div>
  )
})

type TurnProps = {
  icon: ComponentType<{ size: number }>
  label: string
  to: number
  from: number
  pages: number
  goTo(page: number): void
}

function Turn({ icon: Icon, label, to, from, pages, goTo }: TurnProps) {
  // Not `disabled`, because the button would lose the focus on the last page.
  const isOff = to === from || to < 0 || to >= pages
  return (
    <Tooltip label={label}>
      <button
        type="button"
        className={classes.step}
        aria-label={label}
        aria-disabled={isOff || undefined}
        onClick={() => {
          if (!isOff) goTo(to)
        }}
      >
        <Icon size={18} />
      </button>
    </Tooltip>
  )
}

/** How many rows are selected, a way to select all that match, and a way to select none. */
function SelectedRows({ selection, setSelection, total }: SelectionState & { total: number }) {
  const count = selectedCount(selection, total)
  if (count === 0) return null
  return (
    <Group gap="0.25rem" mr="auto">
      <span role="status">{countText(count)} selected</span>
      {!selection.isAllMatching && count < total && (
        <Button variant="subtle" size="compact-xs" onClick={() => setSelection({ ...selection, isAllMatching: true })}>
          Select all {countText(total)} that match
        </Button>
      )}
      <Button variant="subtle" size="compact-xs" onClick={() => setSelection(NOTHING_SELECTED)}>
        Clear selection
      </Button>
    </Group>
  )
}
