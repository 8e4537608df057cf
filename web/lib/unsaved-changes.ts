import { useLayoutEffect } from 'react'

/**
 * The one place that knows whether something on screen would be lost. Forms say so with `useUnsavedChanges`; the guard in
 * the shell asks before a navigation, a change of customer, a sign-out or the closing of the tab.
 */
const unsaved = new Set<symbol>()
let ask: ((leave: () => void) => void) | undefined

export function useUnsavedChanges(isDirty: boolean): void {
  // At commit, not after paint: a click that follows a save at once must see the saved state.
  useLayoutEffect(() => {
    if (!isDirty) return
    const form = Symbol()
    unsaved.add(form)
    return () => {
      unsaved.delete(form)
    }
  }, [isDirty])
}

export function hasUnsavedChanges(): boolean {
  return unsaved.size > 0
}

export function discardUnsavedChanges(): void {
  unsaved.clear()
}

/** For ways out that are no navigation: runs `leave` at once, or after the person agreed to lose their changes. */
export function leaveSafely(leave: () => void): void {
  if (hasUnsavedChanges() && ask) ask(leave)
  else leave()
}

export function onAskToLeave(handler: (leave: () => void) => void): () => void {
  ask = handler
  return () => {
    ask = undefined
  }
}
