import { useSyncExternalStore } from 'react'

/**
 * Local storage that survives sign-out and the end of a session: closed banners and unsaved drafts. Names contain the
 * person, because several people may use one browser.
 */
const PREFIX = 'kept:'
const listeners = new Set<() => void>()

export function isKept(key: string): boolean {
  return key.startsWith(PREFIX)
}

export function readKept(name: string): string | null {
  return localStorage.getItem(PREFIX + name)
}

export function writeKept(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name)
    else localStorage.setItem(PREFIX + name, value)
  } catch {
    // The storage is full or forbidden. The portal works without it.
  }
  for (const listener of listeners) listener()
}

export function useKept(name: string): [value: string | null, write: (value: string | null) => void] {
  const value = useSyncExternalStore(subscribe, () => readKept(name))
  return [value, (next) => writeKept(name, next)]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
