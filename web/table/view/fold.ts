import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { hasFilters } from '#web/table/view/table-view.ts'
import type { TableViewState } from '#web/table/view/use-table-view.ts'

/** From here on, two tables stand side by side (data-table.module.css): a folded one would leave half of the window empty. */
const SIDE_BY_SIDE = '(min-width: 150em)'

/**
 * Whether a table is folded to its title. A person's choice is remembered by the browser. Filters in an address open the
 * table: the link was about its rows.
 */
export function useFold(
  { named, view, isFilteredBefore }: Pick<TableViewState, 'named' | 'view' | 'isFilteredBefore'>,
  isFoldedAtFirst: boolean,
): [isFolded: boolean, toggle: () => void] {
  const isWide = useMediaQuery(SIDE_BY_SIDE, false, { getInitialValueInEffect: false })
  const [chosen, choose] = useState<boolean>()
  const [remembered, remember] = useLocalStorage<boolean | undefined>({
    key: `table-folded-${named?.tableName}`,
    getInitialValueInEffect: false,
  })
  const isLinked = hasFilters(view) && !isFilteredBefore
  const isFolded = chosen ?? (!isLinked && (remembered ?? (isFoldedAtFirst && !isWide)))
  const toggle = () => {
    choose(!isFolded)
    if (named) remember(!isFolded)
  }
  return [isFolded, toggle]
}
