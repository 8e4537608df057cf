import { failureText } from '#web/lib/api/api-error.ts'
import type { ListSource } from '#web/table/list/list-source.ts'
import { ANY_ROW, NOTHING_SELECTED, type Selection, selectedCount, useSelection } from '#web/table/rows/selection.ts'
import type { Table } from '#web/table/use-table.ts'
import { showPanel } from '#web/ui/panels.ts'

const PAGE = 1000
/** Maximum number of keys in one call of the portal. */
const MAX = 5000

/** A table whose ticked rows are used by the buttons above it. */
type Selected<Row> = { table: Table<Row>; source: ListSource<Row>; canSelect?: (row: Row) => boolean }

/** The selection of a table, how many rows it has, and their keys. */
export function useRowSelection<Row>() {
  const state = useSelection()
  const { selection } = state
  return {
    state,
    countOf: ({ list }: Pick<Table<Row>, 'list'>) => selectedCount(selection, list.total ?? 0),
    clear() {
      state.setSelection(NOTHING_SELECTED)
      // The focused button disappears with the selection.
      document.getElementById('main')?.focus({ preventScroll: true })
    },
    /** If all matching rows are selected, their keys are loaded first. */
    withKeys: (of: Selected<Row>, use: (keys: string[]) => unknown): Promise<void> =>
      listKeys(selection, of).then(
        (keys) => void use(keys),
        (error) => showPanel('error', failureText(error)),
      ),
  }
}

async function listKeys<Row>(selection: Selection, { table, source, canSelect = ANY_ROW }: Selected<Row>) {
  if (!selection.isAllMatching) return Object.keys(selection.keys)
  const { filter, sorting } = table.request
  const { signal } = new AbortController()
  const keys: string[] = []
  let from: { offset: number } | { token: string } = { offset: 0 }
  for (;;) {
    const page = await source.fetchPage({ filter, sorting, from, limit: PAGE, signal })
    keys.push(...page.rows.filter(canSelect).map(table.rowKey))
    if (!page.token || keys.length >= MAX) return keys.slice(0, MAX)
    from = { token: page.token }
  }
}
