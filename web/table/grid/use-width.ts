import { useCallback, useState } from 'react'

/** How wide an element is. Known before the first paint, so that nothing jumps. */
export function useWidth(): { ref: (element: HTMLElement | null) => (() => void) | undefined; width: number } {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const measure = () => setWidth(element.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
