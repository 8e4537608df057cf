import type {
  CellKeyDownEvent,
  FullWidthCellKeyDownEvent,
  HeaderPosition,
  TabToNextHeaderParams,
} from 'ag-grid-community'

/**
 * Arrow keys move inside the grid. Tab goes from the headers to the filters and then out of the grid, instead of through
 * every cell of it; Enter on a filter begins to type, and from there Tab goes on to the next filter.
 */
export function toFiltersThenOut(params: TabToNextHeaderParams): HeaderPosition | false {
  const { api, backwards, previousHeaderPosition } = params
  if (backwards || previousHeaderPosition?.headerRowIndex !== 0) return false
  const column = api.getAllDisplayedColumns().find((one) => one.getColDef().floatingFilter)
  return column ? { headerRowIndex: 1, column } : false
}

export const out = () => false

/** Ctrl+C copies the cell that has the focus; text that is selected is copied by the browser itself. */
export function copyOnKey(pressed: CellKeyDownEvent | FullWidthCellKeyDownEvent): void {
  const { event } = pressed
  if (!(event instanceof KeyboardEvent) || event.key !== 'c' || !(event.ctrlKey || event.metaKey)) return
  if ('value' in pressed && pressed.value && String(getSelection()) === '')
    void navigator.clipboard.writeText(String(pressed.value))
}

const CONTROLS = 'a[href], button:enabled, input:enabled'
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Tab: 1 }

/**
 * Enter and Space on a cell press its first control. F2 moves into the cell, where Tab and the arrow keys go from control
 * to control; Tab past the last one leaves the cell, Escape and F2 go back to it. True if the key has done its work.
 */
export function pressInCell(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : undefined
  const cell = target?.closest<HTMLElement>('[role=gridcell]')
  if (!target || !cell || event.ctrlKey || event.metaKey || event.altKey) return false
  const controls = [...cell.querySelectorAll<HTMLElement>(CONTROLS)]
  const isDone =
    target === cell
      ? enter(event, controls)
      : moveInside(event, cell, controls.indexOf(target as HTMLElement), controls)
  if (isDone) event.preventDefault()
  return isDone
}

function enter({ key, repeat }: KeyboardEvent, [first]: readonly HTMLElement[]): boolean {
  if (!first) return false
  if (key === 'F2') first.focus()
  else if (key !== 'Enter' && key !== ' ') return false
  // A key that is held down presses once.
  else if (!repeat) first.click()
  return true
}

function moveInside(
  { key, shiftKey }: KeyboardEvent,
  cell: HTMLElement,
  place: number,
  controls: readonly HTMLElement[],
) {
  if (key === 'Escape' || key === 'F2') {
    cell.focus()
    return true
  }
  const step = key === 'Tab' && shiftKey ? -1 : STEPS[key]
  if (step === undefined) return false
  const next = controls[place + step]
  next?.focus()
  return next !== undefined || key !== 'Tab'
}
