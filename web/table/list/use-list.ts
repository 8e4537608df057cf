import type { ListSource } from '#web/table/list/list-source.ts'
import type { ListRequest, ListState } from '#web/table/list/list-state.ts'
import { type LoadedList, useLoadedList } from '#web/table/list/use-loaded-list.ts'
import { useServerList } from '#web/table/list/use-server-list.ts'

/** A list that the server pages, or one of which all rows come at once. */
export type TableSource<Row> = ListSource<Row> | LoadedList<Row>

const NO_LIST: LoadedList<never> = { key: ['no-list'], fields: {}, rows: undefined, failure: undefined, retry() {} }
const NO_SOURCE: ListSource<never> = {
  key: ['no-list'],
  fields: {},
  defaultSort: [],
  fetchPage: () => Promise.reject(new Error('There is no list')),
  count: () => Promise.reject(new Error('There is no list')),
  distinct: () => Promise.reject(new Error('There is no list')),
}

export function useList<Row>(source: TableSource<Row>, request: ListRequest, isReady: boolean): ListState<Row> {
  const isServer = 'fetchPage' in source
  const served = useServerList<Row>(isServer ? source : NO_SOURCE, request, isServer && isReady)
  const loaded = useLoadedList<Row>(isServer ? NO_LIST : source, request)
  if (isServer) return served
  // Rows in another order than the saved one would jump as soon as that is known.
  return isReady ? loaded : { ...loaded, rows: undefined, total: undefined }
}
