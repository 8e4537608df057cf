import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router'
import { userDetailsQuery } from '#web/app/identity/identity.api.ts'
import { Unreachable } from '#web/app/shell/unreachable.tsx'
import { onPersonChanged, useCurrentUserEntry } from '#web/lib/sign-in/current-user.ts'
import { goToSignIn } from '#web/lib/sign-in/sign-in.ts'
import { SignedInProvider } from '#web/lib/sign-in/signed-in.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** The route guard. Shows its content only if somebody is signed in and this browser remembers who. */
export function SignedInOnly({ children }: { children: ReactNode }) {
  const details = useQuery(userDetailsQuery)
  // Renders on every navigation, so that a removed entry is noticed at once.
  useLocation()
  const isRemembered = useCurrentUserEntry()
  const user = details.data
  const queries = useQueryClient()
  // Other queries may have failed as well.
  const retry = () => queries.resetQueries({ predicate: ({ state }) => state.status === 'error' })

  useEffect(() => {
    if (user && !isRemembered) goToSignIn()
  }, [user, isRemembered])

  useEffect(() => {
    if (!user) return
    return onPersonChanged(user.email, (now) => (now === 'nobody' ? goToSignIn() : window.location.reload()))
  }, [user])

  if (details.isError) return <Unreachable failure={details.error} onRetry={retry} />
  if (!user || !isRemembered) return <Spinner />
  return <SignedInProvider user={user}>{children}</SignedInProvider>
}
