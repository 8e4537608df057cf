import { useCallback, useRef, useState } from 'react'

type Part = 'head' | 'body' | 'totals' | 'bar'
const PARTS: readonly Part[] = ['head', 'body', 'totals', 'bar']

/** Keeps head, rows, totals and scrollbar of a wide table at the same place when any of them is scrolled sideways. */
export function useSideways() {
  const parts = useRef(new Map<Part, HTMLElement>())
  // Asking an element itself would make the browser lay out the page at once.
  const left = useRef(0)
  const [isScrolled, setIsScrolled] = useState(false)
  const follow = useCallback((event: Event) => {
    const { scrollLeft } = event.currentTarget as HTMLElement
    left.current = scrollLeft
    for (const one of parts.current.values()) if (one.scrollLeft !== scrollLeft) one.scrollLeft = scrollLeft
    setIsScrolled(scrollLeft > 0)
  }, [])
  const refs = useRef<Record<Part, (element: HTMLElement | null) => (() => void) | undefined>>(undefined)
  refs.current ??= Object.fromEntries(
    PARTS.map((part) => [
      part,
      (element: HTMLElement | null) => {
        if (!element) return undefined
        parts.current.set(part, element)
        if (left.current > 0) element.scrollLeft = left.current
        element.addEventListener('scroll', follow, { passive: true })
        return () => {
          parts.current.delete(part)
          element.removeEventListener('scroll', follow)
        }
      },
    ]),
  ) as Record<Part, (element: HTMLElement | null) => (() => void) | undefined>
  return { refs: refs.current, isScrolled }
}
