import { type RefObject, useEffect, useState } from 'react'
import { useOverlayParts } from '#web/ui/overlays/use-overlay-parts.ts'

const DELAY = 400

/** One tooltip for the whole table: for elements that ask for one, and for text that is cut off. */
export function CellTooltip({ grid }: { grid: RefObject<HTMLElement | null> }) {
  const [shown, setShown] = useState<{ target: HTMLElement; label: string }>()
  useEffect(() => {
    const root = grid.current
    if (!root) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let current: Element | null = null
    const hide = () => {
      clearTimeout(timer)
      current = null
      setShown(undefined)
    }
    const show = ({ target }: Event) => {
      const found = target instanceof Element ? tipOf(target) : undefined
      if (!found) return hide()
      if (found.target === current) return
      hide()
      current = found.target
      timer = setTimeout(() => found.target.isConnected && setShown(found), DELAY)
    }
    root.addEventListener('pointerover', show)
    root.addEventListener('pointerleave', hide)
    root.addEventListener('pointerdown', hide)
    root.addEventListener('keydown', hide)
    return () => {
      hide()
      root.removeEventListener('pointerover', show)
      root.removeEventListener('pointerleave', hide)
      root.removeEventListener('pointerdown', hide)
      root.removeEventListener('keydown', hide)
    }
  }, [grid])
  const parts = useOverlayParts(shown !== undefined)
  if (!shown || !parts) return null
  return <parts.Tooltip opened target={shown.target} label={shown.label} multiline maw={420} openDelay={0} />
}

function tipOf(under: Element): { target: HTMLElement; label: string } | undefined {
  const said = under.closest<HTMLElement>('[data-tip]')
  if (said) return { target: said, label: said.dataset.tip ?? '' }
  for (let one: Element | null = under; one instanceof HTMLElement; one = one.parentElement) {
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).textOverflow === 'ellipsis')
      return { target: one, label: one.textContent ?? '' }
    if (one.hasAttribute('data-cell')) return undefined
  }
  return undefined
}
