import { expect, type Locator, type Page } from '@playwright/test'

/** A table by its name, whether it is drawn as a grid or as a plain table. */
export function tableNamed(page: Page, name: string): Locator {
  return page.getByRole('grid', { name, exact: true }).or(page.getByRole('table', { name, exact: true }))
}

/** The cell around a control. */
export function cellAround(table: Locator, control: Locator): Locator {
  return table.getByRole('gridcell').or(table.getByRole('cell')).filter({ has: control })
}

const MAX_STEPS = 200

/**
 * Walks to a cell without a mouse: from the start of the content (where the skip link leads) with Tab into the table, and
 * then with the arrow keys. In a plain table every control is a Tab stop instead.
 */
export async function walkTo(page: Page, cell: Locator): Promise<void> {
  await expect(cell).toBeVisible()
  await page.getByRole('main').focus()
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const key = await cell.evaluate(nextKey)
    if (!key) return
    await page.keyboard.press(key)
  }
  throw new Error(`The cell cannot be reached in ${MAX_STEPS} steps.`)
}

/** Runs in the page. Compares places on screen: a row may be drawn in several parts. */
function nextKey(cell: Element): string | undefined {
  const active = document.activeElement ?? document.body
  if (cell.contains(active)) return undefined
  const table = cell.closest('[role=grid], table')
  if (table?.getAttribute('role') !== 'grid' || !table.contains(active)) return 'Tab'
  const [from, to] = [active.getBoundingClientRect(), cell.getBoundingClientRect()]
  if (from.bottom <= to.top + 1) return 'ArrowDown'
  if (from.top >= to.bottom - 1) return 'ArrowUp'
  return from.left < to.left ? 'ArrowRight' : 'ArrowLeft'
}
