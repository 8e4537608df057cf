import { QueryClient } from '@tanstack/react-query'
import { isTemporary } from '#web/lib/api/api-error.ts'

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Screens show failures with Retry. The default mode would wait silently while the browser is offline.
      queries: { retry: false, networkMode: 'always', staleTime: 30_000 },
      mutations: { networkMode: 'always' },
    },
  })
}

/** Five retries with growing delays, unless the call was refused. */
export const retried = {
  retry: (failures: number, error: Error) => failures < 5 && isTemporary(error),
  retryDelay: (failures: number) => (failures + 1) * 100,
}

/** For essential calls. */
export const persistently = {
  ...retried,
  // After the retries, the portal works without the answer and does not request it again.
  retryOnMount: false,
  refetchOnWindowFocus: false,
}
