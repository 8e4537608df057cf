import { useSyncExternalStore } from 'react'
import type { getUserDetails } from '#contract/accounts/get-user-details.ts'
import type { DataOf } from '#contract/kit/operation.ts'

/** Who is signed in, as this browser remembers it. No secrets: the session itself is in a cookie that no script sees. */
export type CurrentUser = DataOf<typeof getUserDetails>

const KEY = 'currentUser'
/** How this device likes to look says nothing of anyone, and stays when the person goes. */
const LOOK = ['color-scheme', 'menu']

const listeners = new Set<() => void>()

export function rememberCurrentUser(user: CurrentUser): void {
  localStorage.setItem(KEY, JSON.stringify(user))
  for (const listener of listeners) listener()
}

/** Clears local storage: after sign-out, and after the server said that nobody is signed in. */
export function forgetPerson(): void {
  // Other tabs hear of every clearing, and would send their people to sign in each time.
  if (Object.keys(localStorage).every((key) => LOOK.includes(key))) return
  const look = LOOK.map((key) => [key, localStorage.getItem(key)] as const)
  localStorage.clear()
  for (const [key, value] of look) if (value !== null) localStorage.setItem(key, value)
}

/** Undefined means that nobody is signed in here: the routes are closed then. */
export function useCurrentUserEntry(): boolean {
  return useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) !== null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells when another tab signed this person out, or somebody else in. */
export function onPersonChanged(email: string, react: (now: 'nobody' | 'somebody else') => void): () => void {
  let known: string | undefined = email
  const listen = (event: StorageEvent) => {
    // A cleared storage is reported with no key.
    if (event.storageArea !== localStorage || (event.key !== null && event.key !== KEY)) return
    const entry = localStorage.getItem(KEY)
    const now = entry === null ? undefined : (JSON.parse(entry) as CurrentUser).email
    // Who chose to stay is not asked again for the same reason.
    if (now === known) return
    known = now
    if (now === undefined) react('nobody')
    else if (now !== email) react('somebody else')
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}
