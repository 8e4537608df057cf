import { Checkbox, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { failureText } from '#web/lib/api/api-error.ts'
import { fieldOf, filterOf } from '#web/table/columns/column.ts'
import type { FilterCellProps } from '#web/table/filters/cell-props.ts'
import type { SetFilter } from '#web/table/filters/column-filter.ts'
import { FilterButtons } from '#web/table/filters/filter-buttons.tsx'
import { useFilterRow } from '#web/table/filters/filter-row.ts'
import {
  BLANK,
  type Choice,
  choiceOf,
  filterToApply,
  isTicked,
  problemOf,
  toggle,
  toggleAll,
} from '#web/table/filters/value-choice.ts'
import { failureAfterRetries } from '#web/table/list/list-calls.ts'
import { distinctQuery } from '#web/table/list/list-queries.ts'
import { SpinnerOverlay } from '#web/ui/spinner.tsx'
import classes from './filter-row.module.css'

const SEARCH_PAUSE = 500

type Props = {
  column: FilterCellProps['column']
  /** Without a choice so far, everything is ticked. */
  chosen: SetFilter | undefined
  onApply(filter: SetFilter | undefined): void
  onCancel(): void
}

/** The values that occur in a column, to tick those that are wanted. */
export function ValueList({ column, chosen: before, onApply, onCancel }: Props) {
  const [search, setSearch] = useState('')
  const [searched] = useDebouncedValue(search.trim(), SEARCH_PAUSE)
  const values = useValues(column, searched)
  const { data: listed = [], isPending, isPlaceholderData } = values
  const error = failureAfterRetries(values)
  const { data: all } = useValues(column, '')
  const lists = { listed, all, search: searched }
  const [picked, setPicked] = useState<Choice | undefined>(before && choiceOf(before))
  const choice = picked ?? { isExcept: false, values: new Set(listed) }

  const ticked = listed.filter((value) => isTicked(choice, value)).length
  const isNothingFound = !isPending && !error && listed.length === 0
  const problem = error
    ? failureText(error)
    : isNothingFound
      ? 'No matches found.'
      : isPending
        ? undefined
        : problemOf(choice, lists)
  const isListOfSearch = search.trim() === searched && !isPending && !isPlaceholderData
  const canApply = isListOfSearch && problem === undefined
  const apply = (event: FormEvent) => {
    event.preventDefault()
    if (canApply) onApply(filterToApply(choice, lists))
  }
  return (
    <Stack gap="sm" component="form" onSubmit={apply}>
      <TextInput
        size="xs"
        data-autofocus
        aria-label={`Search ${column.header}`}
        placeholder="Search"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <div className={classes.values}>
        {(isPending || isPlaceholderData) && <SpinnerOverlay />}
        {listed.length > 0 && !error && (
          <ScrollArea.Autosize mah="min(20rem, 45dvh)" type="auto">
            <Checkbox
              label="Select All"
              className={classes.all}
              checked={ticked === listed.length}
              indeterminate={ticked > 0 && ticked < listed.length}
              onChange={(event) => setPicked(toggleAll(choice, listed, event.currentTarget.checked))}
            />
            {listed.map((value) => (
              <Checkbox
                key={String(value)}
                label={value ?? BLANK}
                className={classes.value}
                checked={isTicked(choice, value)}
                onChange={() => setPicked(toggle(choice, value))}
              />
            ))}
          </ScrollArea.Autosize>
        )}
      </div>
      <Text size="sm" c={error ? 'var(--mantine-color-error)' : 'dimmed'} role="status" mih="1.25rem">
        {problem}
      </Text>
      <FilterButtons onClear={() => onApply(undefined)} onCancel={onCancel} canApply={canApply} />
    </Stack>
  )
}

function useValues(column: FilterCellProps['column'], search: string) {
  const { filterWithout, list } = useFilterRow()
  const kind = filterOf(column)
  const fixed = kind?.kind === 'text' && Array.isArray(kind.hasValues) && kind.hasValues
  const field = fieldOf(column)
  const others = filterWithout(column.id)
  const filter = search
    ? { ...others, criteria: [...others.criteria, { name: field, method: 'CONTAINS' as const, value: search }] }
    : others
  const isFound = (value: string) => value.toLowerCase().includes(search.toLowerCase())
  const offered = fixed ? { key: list.key, distinct: async () => fixed.filter(isFound) } : list
  return useQuery({ ...distinctQuery(offered, field, filter), placeholderData: keepPreviousData })
}
