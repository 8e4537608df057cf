import { QueryClient } from '@tanstack/react-query'
import { isTemporary } from '#web/lib/api-failure.ts'

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Every screen shows its failures with a way to retry; waiting for a browser that says it is offline would show nothing.
      queries: { retry: false, networkMode: 'always', staleTime: 30_000 },
      mutations: { networkMode: 'always' },
    },
  })
}

/** For calls that the portal can hardly do without: five retries, each a little later, unless the call was refused. */
export const persistently = {
  retry: (failures: number, error: Error) => failures < 5 && isTemporary(error),
  retryDelay: (failures: number) => (failures + 1) * 100,
  // After that the portal goes on without the answer: neither another reader nor a glance at the window asks again.
  retryOnMount: false,
  refetchOnWindowFocus: false,
}
