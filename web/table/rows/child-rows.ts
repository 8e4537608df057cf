import { type QueryKey, queryOptions, useQueries, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Marks } from '#web/table/engine.ts'

/** Rows below rows, to any depth. They are loaded when their parent is unfolded. */
export type ChildRows<Row> = {
  has(row: Row): boolean
  key(row: Row): QueryKey
  load(row: Row, signal: AbortSignal): Promise<readonly Row[]>
}

function childRowsQuery<Row>(childRows: ChildRows<Row>, parent: Row) {
  return queryOptions({
    queryKey: childRows.key(parent),
    queryFn: ({ signal }) => childRows.load(parent, signal),
  })
}

type Loaded<Row> = { rows?: readonly Row[] | undefined; failure?: Error | undefined; retry(): void }

/** The children of every row that is unfolded, as far as they have come. */
export function useChildRows<Row>(
  childRows: ChildRows<Row> | undefined,
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  expanded: Marks,
): ReadonlyMap<string, Loaded<Row>> {
  const queries = useQueryClient()
  const parents = childRows ? unfolded(rows) : []
  const answers = useQueries({
    queries: childRows ? parents.map((parent) => childRowsQuery(childRows, parent)) : [],
  })
  const version = answers.map((answer) => `${answer.dataUpdatedAt} ${answer.errorUpdatedAt}`).join()
  const keys = parents.map(rowKey)
  return useMemo(
    () =>
      new Map(
        answers.map((answer, index) => [
          keys[index] ?? '',
          { rows: answer.data, failure: answer.error ?? undefined, retry: () => void answer.refetch() },
        ]),
      ),
    // The results are new objects on every render. This text changes only when a result does.
    [version, keys.join()],
  )

  function unfolded(among: readonly Row[]): Row[] {
    return among.flatMap((row) => {
      if (!expanded[rowKey(row)] || !childRows?.has(row)) return []
      const known = queries.getQueryData(childRowsQuery(childRows, row).queryKey)
      return [row, ...unfolded(known ?? [])]
    })
  }
}
