import { useDisclosure } from '@mantine/hooks'
import { IconCalendar, IconCalendarTime } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { FilterCellProps } from '#web/table/filters/cell-props.ts'
import { ChosenField } from '#web/table/filters/chosen-field.tsx'
import { rangeText } from '#web/table/filters/filter-words.ts'
import { TypedField } from '#web/table/filters/typed-field.tsx'
import { readTypedDays, readTypedTimes } from '#web/table/filters/typed-time.ts'
import { useFieldFocus } from '#web/table/filters/use-field-focus.ts'
import classes from './filter-row.module.css'

const RangeDialog = lazy(async () => ({
  default: (await import('#web/table/filters/time-range-dialog.tsx')).TimeRangeDialog,
}))

const TIME_HINT = 'Enter a time such as 2026-03-15 09:30, > 2026-03 or 2026-01 – 2026-03'
const DAY_HINT = 'Enter a date such as 2026-03-15, > 2026-03 or 2026-01 – 2026-03'

/** A partial time, a range, or a range chosen in a dialog to the second. */
export function TimeFilter(props: FilterCellProps) {
  const { filter, onChange } = props
  return (
    <RangeField
      {...props}
      kind="time"
      method="starts with"
      typed={filter?.filterType === 'date' && filter.type === 'startsWith' ? filter.filter : ''}
      problemOf={(text) => (text.trim() === '' || readTypedTimes(text) ? undefined : TIME_HINT)}
      onTyped={(text) => onChange(text === '' ? undefined : { filterType: 'date', type: 'startsWith', filter: text })}
    />
  )
}

const PART_OF_DAY = /^[\d-]+$/

type DayProps = FilterCellProps & { phrase?: string | undefined; words?: readonly string[] | undefined }

/** A part of the written day, a range, or a comparison. */
export function DayFilter({ phrase = '', words = [], ...props }: DayProps) {
  const { filter, onChange } = props
  const isDay = (text: string) => PART_OF_DAY.test(text) || readTypedDays(text) !== undefined
  const isPartOfPhrase = (text: string) => {
    const [typed, before] = [text.toLowerCase(), phrase.toLowerCase()]
    return (
      words.some((word) => word.toLowerCase() === typed) ||
      before.includes(typed) ||
      (before !== '' && typed.startsWith(before) && isDay(typed.slice(before.length).trim()))
    )
  }
  return (
    <RangeField
      {...props}
      kind="day"
      method="contains"
      typed={filter?.filterType === 'text' ? filter.filter : ''}
      problemOf={(text) => (isDay(text.trim()) || isPartOfPhrase(text.trim()) ? undefined : DAY_HINT)}
      onTyped={(text) => onChange(text === '' ? undefined : { filterType: 'text', type: 'contains', filter: text })}
    />
  )
}

type Props = FilterCellProps & {
  kind: 'time' | 'day'
  method: string
  typed: string
  problemOf(text: string): string | undefined
  onTyped(text: string): void
}

function RangeField({ column, filter, onChange, kind, method, typed, problemOf, onTyped }: Props) {
  const { container, focusField } = useFieldFocus()
  const [isChoosing, choose] = useDisclosure(false, { onClose: focusField })
  const range = filter?.filterType === 'date' && filter.type === 'inRange' ? filter : undefined
  const Icon = kind === 'time' ? IconCalendarTime : IconCalendar
  return (
    <div className={classes.filter} ref={container}>
      {range ? (
        <ChosenField
          label={`${column.header} filter`}
          text={rangeText(range, kind)}
          onOpen={choose.open}
          onClear={() => {
            onChange(undefined)
            focusField()
          }}
        />
      ) : (
        <TypedField
          label={`${column.header} ${method}`}
          placeholder={kind === 'time' ? 'YYYY-MM-DD…' : 'YYYY…'}
          value={typed}
          problemOf={problemOf}
          onCommit={(text) => onTyped(text.trim())}
        >
          <button
            type="button"
            className={classes.tool}
            tabIndex={-1}
            aria-label={`Choose ${column.header} range`}
            onClick={choose.open}
          >
            <Icon size={15} aria-hidden />
          </button>
        </TypedField>
      )}
      {isChoosing && (
        <Suspense>
          <RangeDialog column={column} kind={kind} range={range} onApply={onChange} onClose={choose.close} />
        </Suspense>
      )}
    </div>
  )
}
