import type { Locator, Page } from '@playwright/test'

/** The rows of a table that hold data: neither its head nor what is unfolded below a row. */
export function rowsOf(table: Locator): Locator {
  return table.locator('[role=row][data-index]')
}

/** The cells of one column, by the id of the column. */
export function cellsOf(table: Locator, column: string): Locator {
  return rowsOf(table).locator(`[role=gridcell][data-col="${column}"]`)
}

/** Saves no view of a table: journeys run in parallel, and others open the tables of the same person. */
export async function keepNoViews(page: Page): Promise<void> {
  await page.route('**/api/featureflag/pref', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
}
