import type { ReactNode } from 'react'
import type { FilterKind } from '#web/table/columns/column.ts'
import type { FilterCellProps } from '#web/table/filters/cell-props.ts'
import { type FilterWay, WAY_NAMES } from '#web/table/filters/filter-ways.ts'
import { TypedField } from '#web/table/filters/typed-field.tsx'
import { formatNumberFilter, readTypedNumber } from '#web/table/filters/typed-number.ts'
import { readTypedDays, readTypedTimes } from '#web/table/filters/typed-time.ts'

const NUMBER_HINT = 'Enter a number such as 1.14, > 5, ≤ 30 or 10 – 30'
const TIME_HINT = 'Enter a time such as 2026-03-15 09:30, > 2026-03 or 2026-01 – 2026-03'
const DAY_HINT = 'Enter a date such as 2026-03-15, > 2026-03 or 2026-01 – 2026-03'

type Props = FilterCellProps & {
  kind: FilterKind
  way: FilterWay
  /** Takes the focus when its popover opens. */
  isFirst?: boolean
  children?: ReactNode
}

/** The field of a filter that is typed: text, a number, a part of a time or of a day, or a range of them. */
export function TypedFilter({ column, filter, onChange, kind, way, ...common }: Props) {
  const label = `${column.header} ${way}`
  switch (kind.kind) {
    case 'text':
      return (
        <TypedField
          {...common}
          label={label}
          {...(way === 'equals' ? { placeholder: '', sign: '=' } : { placeholder: WAY_NAMES[way] })}
          value={filter?.filterType === 'text' ? filter.filter : ''}
          problemOf={kind.problemOf}
          onCommit={(text) =>
            onChange(
              text === ''
                ? undefined
                : { filterType: 'text', type: way === 'equals' ? 'equals' : 'contains', filter: text },
            )
          }
        />
      )
    case 'number':
      // Numbers are compared; without a sign they have to be equal.
      return (
        <TypedField
          {...common}
          label={label}
          placeholder="="
          inputMode="text"
          value={filter?.filterType === 'number' ? formatNumberFilter(filter) : ''}
          problemOf={(text) => (text.trim() === '' || readTypedNumber(text) ? undefined : NUMBER_HINT)}
          onCommit={(text) => onChange(readTypedNumber(text))}
        />
      )
    case 'time':
      return (
        <TypedField
          {...common}
          label={label}
          placeholder="YYYY-MM-DD…"
          value={filter?.filterType === 'date' && filter.type === 'startsWith' ? filter.filter : ''}
          problemOf={(text) => (text.trim() === '' || readTypedTimes(text) ? undefined : TIME_HINT)}
          onCommit={(text) =>
            onChange(text.trim() === '' ? undefined : { filterType: 'date', type: 'startsWith', filter: text.trim() })
          }
        />
      )
    case 'day':
      return (
        <TypedField
          {...common}
          label={label}
          placeholder="YYYY…"
          value={filter?.filterType === 'text' ? filter.filter : ''}
          problemOf={(text) => (isDayText(text.trim(), kind) ? undefined : DAY_HINT)}
          onCommit={(text) =>
            onChange(text.trim() === '' ? undefined : { filterType: 'text', type: 'contains', filter: text.trim() })
          }
        />
      )
  }
}

const PART_OF_DAY = /^[\d-]+$/

/** A part of the written day, a range, a comparison, or words that the cells show before the day or instead of it. */
function isDayText(text: string, { phrase = '', words = [] }: FilterKind & { kind: 'day' }): boolean {
  const isDay = (one: string) => PART_OF_DAY.test(one) || readTypedDays(one) !== undefined
  const [typed, before] = [text.toLowerCase(), phrase.toLowerCase()]
  return (
    isDay(text) ||
    words.some((word) => word.toLowerCase() === typed) ||
    before.includes(typed) ||
    (before !== '' && typed.startsWith(before) && isDay(typed.slice(before.length).trim()))
  )
}
