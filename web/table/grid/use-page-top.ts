import { useEffect, useRef } from 'react'

const TOOLBAR = 56

/** Another page of a table begins at its top. */
export function usePageTop(page: number) {
  const content = useRef<HTMLDivElement>(null)
  const shown = useRef(page)
  const isTopHidden = useRef(false)
  useEffect(() => {
    // Asking for the position of an element after every page would make the browser lay out twice.
    const top = content.current?.firstElementChild
    if (!top) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        isTopHidden.current = entry !== undefined && entry.boundingClientRect.top < TOOLBAR
      },
      { rootMargin: `-${TOOLBAR}px 0px 0px 0px`, threshold: [0, 1] },
    )
    observer.observe(top)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    if (!isTopHidden.current) return
    const top = content.current?.getBoundingClientRect().top ?? 0
    if (top < TOOLBAR) window.scrollBy({ top: top - TOOLBAR, behavior: 'instant' })
  }, [page])
  return content
}
