import { useEffect, useSyncExternalStore } from 'react'
import { showPanel } from '#web/ui/panels.ts'

type Parts = typeof import('#web/ui/overlays/overlay-parts.ts')['OVERLAY_PARTS']

let parts: Parts | undefined
const listeners = new Set<() => void>()

async function load(): Promise<void> {
  parts = (await import('#web/ui/overlays/overlay-parts.ts')).OVERLAY_PARTS
  for (const tell of listeners) tell()
}

/** Loads them while the browser is idle, so that the first menu opens at once. Safari has no idle callbacks. */
export function prefetchOverlayParts(): void {
  const prefetch = () => void load().catch(() => undefined)
  if ('requestIdleCallback' in window) requestIdleCallback(prefetch)
  else setTimeout(prefetch, 200)
}

/** For what is open or opens now; undefined until the code is loaded. */
export function useOverlayParts(isNeeded = true): Parts | undefined {
  useEffect(() => {
    if (isNeeded && !parts) load().catch(() => showPanel('error', 'This could not be opened. Reload the page.'))
  }, [isNeeded])
  return useSyncExternalStore(subscribe, () => parts)
}

/** For what is only drawn inside of an open menu. */
export const overlayParts = (): Parts | undefined => parts

function subscribe(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}
