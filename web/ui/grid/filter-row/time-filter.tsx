import { useDisclosure } from '@mantine/hooks'
import { IconCalendarTime } from '@tabler/icons-react'
import { timeText } from '#web/lib/time-text.ts'
import type { FilterCellProps } from '#web/ui/grid/filter-row/cell-props.ts'
import { ChosenField } from '#web/ui/grid/filter-row/chosen-field.tsx'
import { TimeRangeDialog } from '#web/ui/grid/filter-row/time-range-dialog.tsx'
import { TypedField } from '#web/ui/grid/filter-row/typed-field.tsx'
import { useFieldFocus } from '#web/ui/grid/filter-row/use-field-focus.ts'
import classes from './filter-row.module.css'

/** Times can be typed, as far as one likes, or chosen from one second to another. */
export function TimeFilter({ column, filter, onChange }: FilterCellProps) {
  const { place, focusField } = useFieldFocus()
  const [isChoosing, choose] = useDisclosure(false, { onClose: focusField })
  const range = filter?.filterType === 'date' && filter.type === 'inRange' ? filter : undefined
  return (
    <div className={classes.filter} ref={place}>
      {range ? (
        <ChosenField
          label={`${column.header} filter`}
          text={rangeText(range)}
          onOpen={choose.open}
          onClear={() => {
            onChange(undefined)
            focusField()
          }}
        />
      ) : (
        <TypedField
          label={`${column.header} starts with`}
          placeholder="YYYY-MM-DD…"
          value={filter?.filterType === 'date' && filter.type === 'startsWith' ? filter.filter : ''}
          onCommit={(typed) =>
            onChange(typed.trim() === '' ? undefined : { filterType: 'date', type: 'startsWith', filter: typed.trim() })
          }
        >
          <button
            type="button"
            className={classes.tool}
            aria-label={`Choose ${column.header} range`}
            onClick={choose.open}
          >
            <IconCalendarTime size={15} aria-hidden />
          </button>
        </TypedField>
      )}
      {isChoosing && <TimeRangeDialog column={column} range={range} onApply={onChange} onClose={choose.close} />}
    </div>
  )
}

function rangeText({ dateFrom, dateTo }: { dateFrom: string | null; dateTo: string | null }): string {
  if (dateFrom && dateTo) return `${timeText(dateFrom)} – ${timeText(dateTo)}`
  return dateFrom ? `From ${timeText(dateFrom)}` : `To ${timeText(dateTo)}`
}
