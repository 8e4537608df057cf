import { useSyncExternalStore } from 'react'
import type { getUserDetails } from '#contract/accounts/get-user-details.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { isKept } from '#web/lib/kept/kept.ts'

/** Who is signed in, as this browser remembers it. It holds no secret: the session is in a cookie that scripts cannot read. */
export type CurrentUser = DataOf<typeof getUserDetails>

const KEY = 'currentUser'
/** The look and the keys of the portal on this device. They stay when the person signs out. */
const LOOK = ['color-scheme', 'menu', 'single-keys']
const stays = (key: string) => LOOK.includes(key) || isKept(key)

const listeners = new Set<() => void>()

export function rememberCurrentUser(user: CurrentUser): void {
  localStorage.setItem(KEY, JSON.stringify(user))
  for (const listener of listeners) listener()
}

/** Clears local storage after sign-out, and after the server answered that nobody is signed in. */
export function forgetPerson(): void {
  // Other tabs get an event for every clearing, and each would go to sign-in again.
  if (Object.keys(localStorage).every(stays)) return
  const kept = Object.entries({ ...localStorage }).filter(([key]) => stays(key))
  localStorage.clear()
  for (const [key, value] of kept) localStorage.setItem(key, value)
}

/** Whether this browser remembers a signed-in person. Without one, no route is shown. */
export function useCurrentUserEntry(): boolean {
  return useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) !== null)
}

export function currentUserEmail(): string | undefined {
  const entry = localStorage.getItem(KEY)
  return entry === null ? undefined : (JSON.parse(entry) as CurrentUser).email
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls `react` when another tab signs this person out, or somebody else in. */
export function onPersonChanged(email: string, react: (now: 'nobody' | 'somebody else') => void): () => void {
  let known: string | undefined = email
  const listen = (event: StorageEvent) => {
    // An event without a key means that the storage was cleared.
    if (event.storageArea !== localStorage || (event.key !== null && event.key !== KEY)) return
    const now = currentUserEmail()
    // Reported once: a person who chose to stay on the page is not asked again.
    if (now === known) return
    known = now
    if (now === undefined) react('nobody')
    else if (now !== email) react('somebody else')
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}
