import { useLayoutEffect } from 'react'

/**
 * Knows whether something on screen would be lost. Forms report it with `useUnsavedChanges`; the guard in the shell asks
 * before a navigation, a change of account, a sign-out or the closing of the tab.
 */
const unsaved = new Map<symbol, Form>()
let ask: ((leave: () => void) => void) | undefined

/** Deletes the copy of the changes that this browser keeps. */
type Discard = () => void
type Form = {
  /** Present if the changes are kept in this browser. Deletes them when the person gives them up. */
  readonly discard?: Discard | undefined
  /** The parameters of the address that say what is edited. */
  readonly parameters?: readonly string[]
}

export function useUnsavedChanges(isDirty: boolean, { discard, parameters }: Form = {}): void {
  // In a layout effect, because a click right after a save must see the saved state.
  useLayoutEffect(() => {
    if (!isDirty) return
    const form = Symbol()
    unsaved.set(form, { discard, ...(parameters && { parameters }) })
    return () => {
      unsaved.delete(form)
    }
  }, [isDirty, discard, parameters])
}

export function hasUnsavedChanges(): boolean {
  return unsaved.size > 0
}

type Navigation = {
  /** The search parts of the addresses. */
  readonly here: string
  readonly there: string
  readonly action: string
}

/** Whether a navigation within a screen asks for something else to edit, or once more for what it asked before. */
export function isNewRequest({ here, there, action }: Navigation, parameters: readonly string[]): boolean {
  if (action === 'REPLACE') return false
  if (action === 'PUSH' && here === there) return true
  const [before, after] = [new URLSearchParams(here), new URLSearchParams(there)]
  return parameters.some((name) => String(before.getAll(name)) !== String(after.getAll(name)))
}

/** Whether a navigation within a screen would lose unsaved changes. */
export function dropsUnsavedChanges(navigation: Navigation): boolean {
  return [...unsaved.values()].some(({ parameters }) => parameters && isNewRequest(navigation, parameters))
}

export function discardUnsavedChanges(): void {
  for (const { discard } of unsaved.values()) discard?.()
  unsaved.clear()
}

/** Kept changes are offered again after the next sign-in, so nobody is asked before the page goes there. */
export function stopGuardingKeptChanges(): void {
  for (const [form, { discard }] of unsaved) if (discard) unsaved.delete(form)
}

/** For exits that are no navigation. Runs `leave` at once, or after the person agreed to lose all their changes. */
export function leaveSafely(leave: () => void): void {
  const leaveAll = () => {
    discardUnsavedChanges()
    leave()
  }
  if (hasUnsavedChanges() && ask) ask(leaveAll)
  else leave()
}

/**
 * Closes the form of a dialog, after a question if its own changes would be lost. Those of the page below stay, so nobody
 * is asked about them.
 */
export function closeSafely({ isDirty, discard }: { isDirty: boolean; discard: Discard }, close: () => void): void {
  const closeAndDiscard = () => {
    discard()
    close()
  }
  if (isDirty && ask) ask(closeAndDiscard)
  else close()
}

export function onAskToLeave(handler: (leave: () => void) => void): () => void {
  ask = handler
  return () => {
    ask = undefined
  }
}
