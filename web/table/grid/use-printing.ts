import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

let isPrinting = false

function subscribe(onChange: () => void): () => void {
  const set = (value: boolean) => () => {
    isPrinting = value
    // The rows must be rendered before the event handler returns.
    flushSync(onChange)
  }
  const [begin, end] = [set(true), set(false)]
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', end)
  return () => {
    removeEventListener('beforeprint', begin)
    removeEventListener('afterprint', end)
  }
}

/** Whether the page is being printed: then every row of the page is drawn. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isPrinting)
}
