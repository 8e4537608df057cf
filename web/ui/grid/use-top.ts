import { useCallback, useState } from 'react'

/** How far below the top of the page an element stands; noticed whenever what stands above it grows or shrinks. */
export function useTop(): { ref: (element: HTMLElement | null) => (() => void) | undefined; top: number } {
  const [top, setTop] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const measure = () => setTop(Math.round(element.getBoundingClientRect().top + window.scrollY))
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    measure()
    return () => observer.disconnect()
  }, [])
  return { ref, top }
}
