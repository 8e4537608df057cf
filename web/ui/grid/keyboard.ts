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
