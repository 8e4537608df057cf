import { LANDING, LAST_ACCOUNT } from '#web/lib/address/portal-address.ts'
import { ApiError, textForStatus, UNREACHABLE } from '#web/lib/api/api-error.ts'
import { sealSecretDrafts } from '#web/lib/kept/secret-drafts.ts'
import { stopGuardingKeptChanges } from '#web/lib/kept/unsaved-changes.ts'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { forgetPerson } from '#web/lib/sign-in/current-user.ts'

/** The sign-in has ended: forget the person and go to sign-in, which returns here. */
export function signInEnded(): void {
  stopGuardingKeptChanges()
  forgetPerson()
  goToSignIn()
}

export function goToSignIn(): void {
  window.location.assign(`${runtimeConfig().signInUrl}?${new URLSearchParams({ returnTo: returnAddress() })}`)
}

/** Signs in again before a sensitive change. The provider asks the person anew; what a form has kept is offered after it. */
export function goToFreshSignIn(): void {
  stopGuardingKeptChanges()
  const query = new URLSearchParams({ fresh: '1', returnTo: returnAddress() })
  window.location.assign(`${runtimeConfig().signInUrl}?${query}`)
}

/** The current page; on the start page, Home with the account that was open last. */
function returnAddress(): string {
  const { pathname, search, hash } = window.location
  const here = pathname + search + (sealSecretDrafts() || hash)
  return here === '/' || here === '/home' ? `/home?${LANDING}=${LAST_ACCOUNT}` : here
}

/** Signs out here and at the identity provider. Other tabs go to sign-in as well. */
export async function signOut(): Promise<void> {
  const response = await fetch('/auth/logout', { method: 'POST', headers: { 'X-Requested-With': 'portal' } }).catch(
    () => {
      throw new ApiError(0, UNREACHABLE)
    },
  )
  const answer = (await response.json().catch(() => undefined)) as
    | { err?: string; data?: { location: string } }
    | undefined
  if (!response.ok || !answer?.data) throw new ApiError(response.status, answer?.err ?? textForStatus(response.status))
  forgetPerson()
  window.location.assign(answer.data.location)
}
