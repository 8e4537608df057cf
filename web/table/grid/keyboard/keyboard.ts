/** What keys do in a grid; see the ARIA patterns "grid" and "treegrid". */

const CONTROLS = 'a[href], button, input, select, textarea'
const TYPED = 'input:not([type=checkbox]):not([type=radio]), select, textarea'
const PAGE = 10
const ARROWS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

export type GridKeys = {
  root: HTMLElement
  rowCount: number
  scrollToRow(index: number): void
  moveColumn(id: string, step: 1 | -1): void
  resizeColumn(id: string, step: 1 | -1): void
  /** Returns whether the column has a filter. */
  openFilter(id: string, cell: HTMLElement): boolean
}

/** Returns whether the key was used. */
export function handleGridKey(event: KeyboardEvent, keys: GridKeys): boolean {
  const target = event.target as HTMLElement
  const cell = target.closest<HTMLElement>('[data-cell]')
  if (!cell || !isOwn(keys.root, cell)) return false
  // Something else has used the key and moved the focus, for example Escape that closed a dialog.
  if (target !== document.activeElement) return false
  return target === cell ? onCell(event, cell, keys) : inCell(event, target, cell)
}

const GRIDS = '[role=grid], [role=treegrid]'

/** The panel of a row may contain another table, whose cells do not belong to this grid. */
export const isOwn = (grid: HTMLElement, element: Element) => element.closest(GRIDS) === grid

export function ownElements(grid: HTMLElement, selector: string): HTMLElement[] {
  return [...grid.querySelectorAll<HTMLElement>(selector)].filter((element) => isOwn(grid, element))
}

/** The focus is on something in the cell. */
function inCell(event: KeyboardEvent, target: HTMLElement, cell: HTMLElement): boolean {
  // A field that is being edited decides about its keys itself.
  if (target.hasAttribute('data-editing')) return false
  if (event.key === 'Escape' || event.key === 'F2') {
    cell.focus()
    return true
  }
  if (event.key === 'Tab') return tabBetween(event, target, cell)
  const step = ARROWS[event.key]
  if (step === undefined || hasModifier(event) || target.matches(TYPED)) return false
  const controls = controlsOf(cell)
  controls[controls.indexOf(target) + step]?.focus()
  return true
}

/** Tab goes through the filters one by one, and through the controls of one cell, and then out of the table. */
function tabBetween(event: KeyboardEvent, target: HTMLElement, cell: HTMLElement): boolean {
  const controls = controlsOf(cell.closest('[data-filters]') ?? cell)
  const next = controls[controls.indexOf(target) + (event.shiftKey ? -1 : 1)]
  if (!next) {
    // With the focus on the cell, the browser's own Tab order leaves the table.
    cell.focus()
    return false
  }
  next.focus()
  return true
}

/** The focus is on the cell itself. */
function onCell(event: KeyboardEvent, cell: HTMLElement, keys: GridKeys): boolean {
  const { key } = event
  const isHeader = cell.getAttribute('role') === 'columnheader'
  const id = cell.dataset.col ?? ''
  if (isHeader && (key === 'ArrowLeft' || key === 'ArrowRight') && event.shiftKey !== event.altKey) {
    const step = key === 'ArrowRight' ? 1 : -1
    event.altKey ? keys.resizeColumn(id, step) : keys.moveColumn(id, step)
    // A moved element loses the focus.
    cell.focus()
    return true
  }
  if (isHeader && (key === 'F2' || key === 'ContextMenu' || (key === 'ArrowDown' && event.altKey))) {
    cell.querySelector<HTMLElement>('button')?.click()
    return true
  }
  if (key === 'F2') {
    firstControl(cell)?.focus()
    return true
  }
  if (key.toLowerCase() === 'f' && !hasModifier(event)) return keys.openFilter(id, cell)
  if (key === 'Enter' || key === ' ') {
    // A key that is held down acts once.
    if (!event.repeat) activate(cell, event)
    return true
  }
  if (key.toLowerCase() === 'c' && (event.ctrlKey || event.metaKey)) return copy(cell)
  if (event.altKey || event.shiftKey) return false
  if ((key === 'ArrowRight' || key === 'ArrowLeft') && unfold(cell, key === 'ArrowRight')) return true
  return move(event, cell, keys)
}

function move(event: KeyboardEvent, cell: HTMLElement, keys: GridKeys): boolean {
  const row = cell.closest<HTMLElement>('[role=row]')
  if (!row) return false
  const cells = cellsOf(row)
  const column = cells.indexOf(cell)
  const far = event.ctrlKey || event.metaKey
  switch (event.key) {
    case 'ArrowLeft':
      return focusCell(cells[far ? 0 : column - 1])
    case 'ArrowRight':
      return focusCell(far ? cells.at(-1) : cells[column + 1])
    case 'Home':
      return far ? toRow(keys, 0, cellsOf(row)[0]) : focusCell(cells[0])
    case 'End':
      return far ? toRow(keys, keys.rowCount - 1, cells.at(-1)) : focusCell(cells.at(-1))
    case 'ArrowUp':
      return stepRow(keys, row, cell, -1)
    case 'ArrowDown':
      return stepRow(keys, row, cell, 1)
    case 'PageUp':
      return toRow(keys, Math.max(0, indexOf(row) - PAGE), cell)
    case 'PageDown':
      return toRow(keys, Math.min(keys.rowCount - 1, indexOf(row) + PAGE), cell)
    default:
      return false
  }
}

const indexOf = (row: HTMLElement) => Number(row.dataset.index ?? -1)

function stepRow(keys: GridKeys, row: HTMLElement, cell: HTMLElement, step: 1 | -1): boolean {
  const index = indexOf(row)
  const next = index + step
  if (index >= 0 && next >= 0 && next < keys.rowCount) return toRow(keys, next, cell)
  const rows = ownElements(keys.root, '[role=row]').filter((one) => cellsOf(one).length > 0)
  const other = rows[rows.indexOf(row) + step]
  return other ? focusCell(sameColumn(other, cell)) : true
}

/** A row that is out of view is scrolled to first, and then drawn. */
function toRow(keys: GridKeys, index: number, cell: HTMLElement | undefined): boolean {
  if (index < 0 || !cell) return true
  const find = () => ownElements(keys.root, `[role=row][data-index="${index}"]`)[0]
  const row = find()
  if (row) return focusCell(sameColumn(row, cell))
  keys.scrollToRow(index)
  let tries = 0
  const look = () => {
    const drawn = find()
    if (drawn) focusCell(sameColumn(drawn, cell))
    else if (tries++ < 20) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  return true
}

function sameColumn(row: HTMLElement, cell: HTMLElement): HTMLElement | undefined {
  const cells = cellsOf(row)
  return cells.find((one) => one.dataset.col === cell.dataset.col) ?? cells[0]
}

function cellsOf(row: HTMLElement): HTMLElement[] {
  // The row of a panel has no cells; those of a table in the panel are not its own.
  return row.querySelector('[data-panel]') ? [] : [...row.querySelectorAll<HTMLElement>('[data-cell]')]
}

function focusCell(cell: HTMLElement | undefined): boolean {
  cell?.focus()
  return true
}

/** Sorts by a header, begins to type in a filter, uses the control of a cell, or else opens the row. */
function activate(cell: HTMLElement, { shiftKey, ctrlKey, metaKey }: KeyboardEvent): void {
  const control = cell.getAttribute('role') === 'columnheader' ? undefined : firstControl(cell)
  if (control?.matches(TYPED) || (control && cell.hasAttribute('data-filter-cell'))) control.focus()
  else
    (control ?? cell).dispatchEvent(
      new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey, ctrlKey, metaKey }),
    )
}

const firstControl = (cell: HTMLElement) => controlsOf(cell)[0]

function controlsOf(within: Element): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(CONTROLS)].filter(isUsable)
}

const isUsable = (control: HTMLElement) => !control.hasAttribute('disabled') && !control.closest('[aria-hidden=true]')

/** In a tree, the arrows unfold and fold the row. */
function unfold(cell: HTMLElement, isRight: boolean): boolean {
  const row = cell.closest('[role=row]')
  const state = row?.getAttribute('aria-expanded')
  const toggle = cell.querySelector<HTMLElement>('button[aria-expanded]')
  if (!toggle || state === null || state === undefined || (state === 'true') === isRight) return false
  toggle.click()
  return true
}

/** Copies the cell; selected text is copied by the browser itself. */
function copy(cell: HTMLElement): boolean {
  const text = cell.textContent?.trim()
  if (!text || String(getSelection()) !== '') return false
  void navigator.clipboard.writeText(text)
  return true
}

function hasModifier(event: KeyboardEvent): boolean {
  return event.altKey || event.shiftKey || event.ctrlKey || event.metaKey
}
