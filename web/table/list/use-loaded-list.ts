import { useMemo } from 'react'
import type { Fields } from '#domain/filter/fields.ts'
import type { ListRequest, ListState } from '#web/table/list/list-state.ts'
import { answerFromLoaded, distinctOfLoaded } from '#web/table/list/loaded-rows.ts'

/** A list of which all rows come at once. */
export type LoadedList<Row> = {
  key: readonly unknown[]
  fields: Fields
  /** Undefined until they have come. */
  rows: readonly Row[] | undefined
  failure: Error | undefined
  retry(): void
}

type Loading<Row> = { data: readonly Row[] | undefined; error: Error | null; refetch(): unknown }

/** The source of a table whose rows come with one query. */
export function loadedSource<Row>(key: readonly unknown[], fields: Fields, query: Loading<Row>): LoadedList<Row> {
  const { data, error, refetch } = query
  return { key, fields, rows: data, failure: error ?? undefined, retry: () => void refetch() }
}

/** The source of a table whose rows are in the browser already: nothing is loaded, so nothing can fail. */
export function rowsSource<Row>(key: readonly unknown[], fields: Fields, rows: readonly Row[]): LoadedList<Row> {
  return { key, fields, rows, failure: undefined, retry() {} }
}

/** Filters, sorts and pages in the browser. */
export function useLoadedList<Row>(
  { key, fields, rows, failure, retry }: LoadedList<Row>,
  { filter, sorting, offset, limit }: ListRequest,
): ListState<Row> {
  const found = useMemo(() => rows && answerFromLoaded(rows, fields, filter, sorting), [rows, fields, filter, sorting])
  const page = useMemo(() => found?.slice(offset, offset + limit), [found, offset, limit])
  return {
    rows: page,
    total: found?.length,
    isStale: false,
    failure,
    retry,
    distinct: async (question) => distinctOfLoaded(rows ?? [], fields, question.filter, question.field),
    count: async (question) => answerFromLoaded(rows ?? [], fields, question.filter, []).length,
    key,
  }
}
