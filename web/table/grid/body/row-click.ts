import type { MouseEvent } from 'react'
import type { RowBehavior } from '#web/table/grid/body/row-behavior.ts'

const CONTROLS = 'a[href], button, input, select, textarea, label'

type Clicked<Row> = { row: Row; rowKey: string; behavior: RowBehavior<Row>; canExpand: boolean }

/** A click anywhere on a row opens its page or unfolds it, unless it was meant for something in the row. */
export function handleRowClick<Row>(event: MouseEvent, { row, rowKey, behavior, canExpand }: Clicked<Row>): void {
  const isMiddle = event.button === 1
  if (event.button !== 0 && !isMiddle) return
  if (isElsewhere(event) || hasSelectedText()) return
  if (behavior.rowHref) behavior.onOpen(behavior.rowHref(row), isMiddle || event.ctrlKey || event.metaKey)
  else if (canExpand && behavior.detail && !isMiddle) behavior.onToggle(rowKey)
}

/** On a control in the row, or in a dialog that the row has opened. */
export function isElsewhere({ target, currentTarget }: MouseEvent): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return true
  const control = target.closest(CONTROLS)
  return control !== null && currentTarget.contains(control)
}

/** A person who selects text wants to copy it, not to open the row. */
function hasSelectedText(): boolean {
  return String(getSelection()) !== ''
}
