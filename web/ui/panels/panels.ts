import { useSyncExternalStore } from 'react'

export type Panel = { readonly id: number; readonly kind: 'success' | 'error' | 'warning'; readonly text: string }

let shown: readonly Panel[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Panel[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Shows a message above the screen until the person dismisses it. The same message is never there twice. */
export function showPanel(kind: Panel['kind'], text: string): void {
  lastId += 1
  withdrawPanel(kind, text)
  change([...shown, { id: lastId, kind, text }])
}

/** Takes a message back that holds no longer. */
export function withdrawPanel(kind: Panel['kind'], text: string): void {
  change(shown.filter((panel) => panel.kind !== kind || panel.text !== text))
}

export function dismissPanel(id: number): void {
  change(shown.filter((panel) => panel.id !== id))
}

export function usePanels(): readonly Panel[] {
  return useSyncExternalStore(subscribe, () => shown)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
