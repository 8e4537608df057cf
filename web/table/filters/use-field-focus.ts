import { useEffect, useRef, useState } from 'react'

/** Returns the focus to a field of the filter row after a dialog closes or a filter is cleared. */
export function useFieldFocus() {
  const container = useRef<HTMLDivElement>(null)
  const [focusRequests, setFocusRequests] = useState(0)
  useEffect(() => {
    if (focusRequests > 0) container.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [focusRequests])
  return { container, focusField: () => setFocusRequests((count) => count + 1) }
}
