import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Fields } from '#domain/filter/fields.ts'
import type { ListRequest, ListState } from '#web/ui/grid/list/list-state.ts'
import { answerFromLoaded, distinctOfLoaded } from '#web/ui/grid/list/loaded-rows.ts'

type Loaded<Row> = Pick<UseQueryResult<readonly Row[]>, 'data' | 'error' | 'refetch' | 'isPlaceholderData'>

/** A list of which all rows come at once and everything else happens here. */
export function useLoadedList<Row>(
  { key, fields, loaded }: { key: readonly unknown[]; fields: Fields; loaded: Loaded<Row> },
  { filter, sorting, offset, limit }: ListRequest,
): ListState<Row> {
  const rows = loaded.data
  const found = useMemo(() => rows && answerFromLoaded(rows, fields, filter, sorting), [rows, fields, filter, sorting])
  const page = useMemo(() => found?.slice(offset, offset + limit), [found, offset, limit])
  return {
    rows: page,
    total: found?.length,
    isStale: loaded.isPlaceholderData,
    failure: loaded.error ?? undefined,
    retry: () => void loaded.refetch(),
    distinct: async (question) => distinctOfLoaded(rows ?? [], fields, question.filter, question.field),
    key,
  }
}
