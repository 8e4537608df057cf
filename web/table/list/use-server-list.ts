import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { failureAfterRetries } from '#web/table/list/list-calls.ts'
import type { ListSource } from '#web/table/list/list-source.ts'
import type { ListRequest, ListState } from '#web/table/list/list-state.ts'
import { answerFromLoaded, distinctOfLoaded, isAnsweredBy } from '#web/table/list/loaded-rows.ts'
import { useServerRows } from '#web/table/list/use-server-rows.ts'

/**
 * A list that lives on the server. Once everything that a filter lets through is loaded, a filter that refines it and any
 * sorting are answered from what is here; anything else asks the server again. The request must keep its identity as
 * long as nothing in it changes.
 */
export function useServerList<Row>(source: ListSource<Row>, request: ListRequest, isReady = true): ListState<Row> {
  const queries = useQueryClient()
  const [sent, setSent] = useState(request)
  const { rows, count, page } = useServerRows(source, sent, isReady)

  const isSettled = !rows.isPlaceholderData && !count.isPlaceholderData
  const all = isSettled && rows.data && count.data === rows.data.rows.length ? rows.data.rows : undefined
  // Only the server knows the default order of the list.
  const isOrderKnown = request.sorting.length > 0 || sent.sorting.length === 0
  const isHere = all !== undefined && isOrderKnown && isAnsweredBy(source.fields, sent.filter, request.filter)
  if (!isHere && sent !== request) setSent(request)

  const { filter, sorting } = request
  const local = useMemo(
    () => (isHere ? answerFromLoaded(all, source.fields, filter, sorting) : undefined),
    [isHere, all, source, filter, sorting],
  )
  const { offset, limit } = request
  const localPage = useMemo(() => local?.slice(offset, offset + limit), [local, offset, limit])
  return {
    rows: localPage ?? page,
    total: local ? local.length : count.data,
    isStale: !local && !(isSettled && sent === request),
    failure: failureAfterRetries(rows) ?? failureAfterRetries(count),
    retry: () => void queries.resetQueries({ queryKey: source.key }),
    distinct: async (question) =>
      all && isAnsweredBy(source.fields, sent.filter, question.filter)
        ? distinctOfLoaded(all, source.fields, question.filter, question.field)
        : source.distinct(question),
    count: source.count,
    key: source.key,
  }
}
