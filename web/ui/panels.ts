import { useSyncExternalStore } from 'react'
import { customerIn } from '#web/lib/address/portal-address.ts'

export type Panel = {
  readonly id: number
  readonly kind: 'success' | 'error' | 'warning'
  readonly text: string
  /** Takes back what the message tells. */
  readonly undo?: () => void
  /** The screen on which it appeared. */
  readonly screen: string
}

let shown: readonly Panel[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Panel[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/**
 * Shows a message over the screen. Errors and warnings stay until the person dismisses them. Only the newest success is
 * shown, for a few seconds. The same message never appears twice.
 */
export function showPanel(kind: Panel['kind'], text: string, undo?: () => void): void {
  lastId += 1
  const others = shown.filter((panel) => panel.kind !== kind || (kind !== 'success' && panel.text !== text))
  change([...others, { id: lastId, kind, text, ...(undo && { undo }), screen: screenAt(window.location) }])
}

/** Removes a message that is no longer true. */
export function withdrawPanel(kind: Panel['kind'], text: string): void {
  change(shown.filter((panel) => panel.kind !== kind || panel.text !== text))
}

export function dismissPanel(id: number): void {
  change(shown.filter((panel) => panel.id !== id))
}

/** Removes successes of other screens. */
export function dropSuccessOfOtherScreens(screen: string): void {
  change(shown.filter((panel) => panel.kind !== 'success' || panel.screen === screen))
}

/** A screen of another customer is another screen. */
export function screenAt({ pathname, search }: { pathname: string; search: string }): string {
  return `${pathname} ${customerIn(search) ?? ''}`
}

export function usePanels(): readonly Panel[] {
  return useSyncExternalStore(subscribe, () => shown)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
