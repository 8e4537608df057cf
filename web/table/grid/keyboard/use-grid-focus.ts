import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { type GridKeys, handleGridKey, isOwn, ownElements } from '#web/table/grid/keyboard/keyboard.ts'

const ZONES = ['[role=columnheader]', '[data-filter-cell]', '[role=row][data-index] [data-cell]'] as const
const CONTROLS_IN_CELLS = '[data-cell] :is(a[href], button, input, select, textarea)'

type Focus = { cell: HTMLElement; rowKey: string | undefined; index: number; column: string }

/**
 * Keyboard and focus of a grid. The headers, the filters and the rows are one stop of the Tab key each: the cell that had
 * the focus last. When the cell with the focus disappears because other rows have come, the cell in its place gets it.
 */
export function useGridFocus(root: RefObject<HTMLElement | null>, keys: Omit<GridKeys, 'root'>) {
  const last = useRef<Focus>(undefined)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !root.current) return
    if (!handleGridKey(event, { ...keys, root: root.current })) return
    event.preventDefault()
    // The key that opened a menu must not reach its handler for outside keys, which would close it.
    event.stopPropagation()
  })
  useEffect(() => {
    const grid = root.current
    if (!grid) return
    const remember = (event: FocusEvent) => {
      const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]')
      if (!cell || !isOwn(grid, cell)) return
      makeStop(grid, cell)
      const row = cell.closest<HTMLElement>('[role=row]')
      const index = Number(row?.dataset.index ?? -1)
      last.current = { cell, rowKey: row?.dataset.row, index, column: cell.dataset.col ?? '' }
    }
    const forget = ({ relatedTarget }: FocusEvent) => {
      // A cell that is being removed loses the focus to nothing.
      const isLeaving = relatedTarget instanceof Node && !grid.contains(relatedTarget)
      if (isLeaving) last.current = undefined
    }
    const keyed = (event: KeyboardEvent) => onKey(event)
    grid.addEventListener('focusin', remember)
    grid.addEventListener('focusout', forget)
    grid.addEventListener('keydown', keyed)
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node instanceof HTMLElement) takeOutOfTabOrder(node)
    })
    observer.observe(grid, { childList: true, subtree: true })
    takeOutOfTabOrder(grid)
    return () => {
      observer.disconnect()
      grid.removeEventListener('focusin', remember)
      grid.removeEventListener('focusout', forget)
      grid.removeEventListener('keydown', keyed)
    }
  }, [root])
  useLayoutEffect(() => {
    const grid = root.current
    if (!grid) return
    for (const zone of ZONES) {
      if (ownElements(grid, `${zone}[tabindex="0"]`).length > 0) continue
      const [first] = ownElements(grid, zone)
      if (first) first.tabIndex = 0
    }
    bringBack(grid, last.current)
  })
  return { focusedIndex: () => last.current?.index ?? -1 }
}

/** Cells have the focus. Controls inside of them are reached from the cell. */
function takeOutOfTabOrder(within: HTMLElement): void {
  const controls = [...within.querySelectorAll<HTMLElement>(CONTROLS_IN_CELLS)]
  if (within.matches(CONTROLS_IN_CELLS)) controls.push(within)
  for (const control of controls)
    if (control.tabIndex !== -1 && control !== document.activeElement) control.tabIndex = -1
}

function makeStop(grid: HTMLElement, cell: HTMLElement): void {
  const zone = ZONES.find((one) => cell.matches(one))
  if (!zone) return
  for (const other of ownElements(grid, zone)) if (other.tabIndex === 0) other.tabIndex = -1
  cell.tabIndex = 0
}

function bringBack(grid: HTMLElement, focus: Focus | undefined): void {
  if (!focus || focus.cell.isConnected || document.activeElement !== document.body) return
  const find = (selector: string) => ownElements(grid, selector)[0]
  const row =
    (focus.rowKey !== undefined && find(`[role=row][data-row="${CSS.escape(focus.rowKey)}"]`)) ||
    find(`[role=row][data-index="${focus.index}"]`) ||
    find('[role=row][data-index]')
  const cell = row?.querySelector<HTMLElement>(`[data-col="${CSS.escape(focus.column)}"]`)
  cell?.focus({ preventScroll: true })
}
