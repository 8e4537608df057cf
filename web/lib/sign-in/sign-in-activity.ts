/** When a call of this person last extended the sign-in, in any tab of this browser. */
const KEY = 'signInExtendedAt'
/** Writing it for every call would wake the other tabs too often. */
const WRITE_EVERY = 15_000

let extendedAt = Date.now()
let writtenAt = 0
const listeners = new Set<() => void>()

/** Called after every call that extends the sign-in, with the time at which it was sent: its answer may come much later. */
export function noteExtended(sentAt: number): void {
  extendedAt = Math.max(extendedAt, sentAt)
  if (extendedAt - writtenAt >= WRITE_EVERY) {
    writtenAt = extendedAt
    localStorage.setItem(KEY, String(extendedAt))
  }
  for (const listener of listeners) listener()
}

export function lastExtended(): number {
  return Math.max(extendedAt, Number(localStorage.getItem(KEY)) || 0)
}

/** Runs `listener` when this tab or another one has extended the sign-in. */
export function onExtended(listener: () => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === KEY) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', listen)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listen)
  }
}
