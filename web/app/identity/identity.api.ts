import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/api/api-client.ts'
import { rememberCurrentUser } from '#web/lib/sign-in/current-user.ts'

/** Who is signed in. Also stored in this browser, where the route guard reads it. */
export const userDetailsQuery = queryOptions({
  queryKey: ['user-details'],
  queryFn: async ({ signal }) => {
    const user = await call('getUserDetails', { signal })
    rememberCurrentUser(user)
    return user
  },
  staleTime: Number.POSITIVE_INFINITY,
  // Requested before the portal is drawn. If that fails, the page says so and offers Retry.
  retryOnMount: false,
})
