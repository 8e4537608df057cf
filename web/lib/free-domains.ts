import { queryOptions } from '@tanstack/react-query'

/** The list that the server has. It is large, so the page loads it when somebody begins to use a form. */
export const freeDomainsQuery = queryOptions({
  queryKey: ['free-email-domains'],
  queryFn: async () => new Set<string>((await import('free-email-domains')).default),
  staleTime: Number.POSITIVE_INFINITY,
})
