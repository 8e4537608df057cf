import { expect, type Locator, type Page } from '@playwright/test'

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

/** Opens the filter of a column by its key. The column is named by the beginning of its head. */
export async function openFilter(within: Page | Locator, column: string): Promise<Locator> {
  const name = new RegExp(`^${column}( \\(|\\d|$)`)
  await within.getByRole('columnheader').filter({ hasText: name }).first().press('f')
  const page = 'page' in within ? within.page() : within
  return page.getByRole('dialog', { name: `Filter by ${column}`, exact: true })
}

/** Filters a table by what is typed into one of its filters, named as `Subject contains`. */
export async function filterBy(within: Page | Locator, label: string, text: string): Promise<void> {
  const filter = await openFilter(within, label.replace(/ (contains|equals|starts with)$/, ''))
  const field = filter.getByLabel(label, { exact: true })
  await field.fill(text)
  await field.press('Enter')
  await expect(filter).toBeHidden()
}

/** The chip of a filter in force, by its words: `Subject contains "picture"`. */
export function chipOf(within: Page | Locator, words: string): Locator {
  return within.getByRole('list', { name: 'Filters' }).getByRole('button', { name: words, exact: true })
}

/** Opens a table that is folded to its title at first. */
export async function unfold(page: Page, title: string): Promise<void> {
  const button = page
    .getByRole('region', { name: title, exact: true })
    .getByRole('button', { name: title, exact: true })
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  await button.click()
}

/** Shows the filters of every column below its name, as somebody who wants them there. */
export async function pinFilterRow(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('table-filter-row', 'true'))
}

/** Opens what arranges a table: its columns or its named views. */
export async function openViewSettings(within: Page | Locator, part: 'Columns' | 'Views'): Promise<void> {
  await within
    .getByRole('button', { name: /^View settings/ })
    .first()
    .click()
  const page = 'page' in within ? within.page() : within
  await page.getByRole('radiogroup', { name: 'View settings' }).getByText(part, { exact: true }).click()
}
