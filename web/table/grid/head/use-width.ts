import { useCallback, useState } from 'react'
import { flushSync } from 'react-dom'

/** In pixels. */
const BORDER_OF_CARD = 1

/** How wide an element is. Known before the first paint, so that nothing jumps. */
export function useWidth(): { ref: (element: HTMLElement | null) => (() => void) | undefined; width: number } {
  // Most tables fill the page. Then this is right, and nothing has to be drawn again.
  const [width, setWidth] = useState(widthOfPage)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    // The observer is called after the layout and before the paint. Asking earlier would lay out the page once more.
    const observer = new ResizeObserver(() => flushSync(() => setWidth(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

function widthOfPage(): number {
  const page = document.querySelector('main')
  if (!page) return 0
  const { paddingLeft, paddingRight } = getComputedStyle(page)
  return page.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - 2 * BORDER_OF_CARD
}
