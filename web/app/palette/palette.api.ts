import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { SHORTEST_SEARCH, search } from '#contract/search/search.ts'
import { call } from '#web/lib/api-client.ts'

/** What the server finds. Shorter texts find screens only. */
export function searchQuery(text: string, customerNumber: string | undefined) {
  return queryOptions({
    queryKey: ['search', customerNumber, text],
    queryFn:
      text.length < SHORTEST_SEARCH
        ? skipToken
        : ({ signal }) => call(search, { body: { text, ...(customerNumber ? { customerNumber } : {}) }, signal }),
    placeholderData: keepPreviousData,
  })
}
