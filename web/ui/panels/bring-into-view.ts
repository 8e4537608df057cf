/** For `ref`: what has just appeared comes into sight, and glides there only if motion is welcome. */
export function bringIntoView(element: HTMLElement | null): void {
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block: 'nearest', behavior: isCalm ? 'instant' : 'smooth' })
}
