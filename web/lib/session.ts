import { ApiFailure, textForStatus, UNREACHABLE } from '#web/lib/api-failure.ts'
import { forgetPerson } from '#web/lib/current-user.ts'
import { runtimeConfig } from '#web/lib/runtime-config.ts'

/** The server no longer knows this browser: forget the person and ask them to sign in, then come back here. */
export function sessionEnded(): void {
  forgetPerson()
  goToSignIn()
}

export function goToSignIn(): void {
  const { pathname, search, hash } = window.location
  const here = pathname + search + hash
  // Without a place to return to the server leads to /home, which is where sign-in from the front door ends.
  const query = here === '/' ? '' : `?${new URLSearchParams({ returnTo: here })}`
  window.location.assign(runtimeConfig().signInUrl + query)
}

/** Ends the session here and at the identity provider; other tabs notice that the person is gone. */
export async function signOut(): Promise<void> {
  const response = await fetch('/auth/logout', { method: 'POST', headers: { 'X-Requested-With': 'portal' } }).catch(
    () => {
      throw new ApiFailure(0, UNREACHABLE)
    },
  )
  const answer = (await response.json().catch(() => undefined)) as
    | { err?: string; data?: { location: string } }
    | undefined
  if (!response.ok || !answer?.data)
    throw new ApiFailure(response.status, answer?.err ?? textForStatus(response.status))
  forgetPerson()
  window.location.assign(answer.data.location)
}
