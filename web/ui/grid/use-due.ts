import { useEffect, useState } from 'react'

/** Longer than this, and people are shown what is there, content or not. */
const PATIENCE = 500

/**
 * When a costly part of a screen is to be drawn: as soon as there is something to show and it is in sight, else in an
 * idle moment after that, so that it does not hold up what is in sight.
 */
export function useDue(isFilled: boolean): { ref: (element: HTMLElement | null) => void; isDue: boolean } {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const [isSeen, setIsSeen] = useState(false)
  const [isDue, setIsDue] = useState(false)
  const [isLate, setIsLate] = useState(false)
  const hasContent = isFilled || isLate
  if (hasContent && isSeen && !isDue) setIsDue(true)
  useEffect(() => {
    if (!place || isSeen) return
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true)
    })
    observer.observe(place)
    return () => observer.disconnect()
  }, [place, isSeen])
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), PATIENCE)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (!hasContent || isDue) return
    const draw = () => setIsDue(true)
    const cancel = whenIdle(draw)
    addEventListener('beforeprint', draw)
    return () => {
      cancel()
      removeEventListener('beforeprint', draw)
    }
  }, [hasContent, isDue])
  return { ref: setPlace, isDue }
}

/** Not every browser tells when it is idle. */
function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 500)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(act)
  return () => cancelIdleCallback(handle)
}
