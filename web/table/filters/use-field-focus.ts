import { useEffect, useRef, useState } from 'react'

/** Gives the focus back to a field of the filter row when what took it away is gone: a dialog, or a filter itself. */
export function useFieldFocus() {
  const place = useRef<HTMLDivElement>(null)
  const [wishes, setWishes] = useState(0)
  useEffect(() => {
    if (wishes > 0) place.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [wishes])
  return { place, focusField: () => setWishes((count) => count + 1) }
}
