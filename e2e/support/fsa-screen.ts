import { expect, type Locator, type Page } from '@playwright/test'
import { rowsOf } from '#e2e/support/table.ts'

export const contracts = (page: Page, which: 'Active' | 'Inactive'): Locator =>
  page.getByRole('grid', { name: `${which} Entitlements`, exact: true })

/** Chooses the nth product that the contract offers, counted from 0, and returns its name. */
export async function chooseProduct(page: Page, line: number, nth: number): Promise<string> {
  await page.getByRole('combobox', { name: `Product of line ${line}` }).click()
  const option = page.getByRole('option').nth(nth)
  const name = (await option.textContent()) ?? ''
  await option.click()
  return name
}

/** Opens the order tab with one of the two contracts of a small account. Journeys that order take one each. */
export async function orderFrom(page: Page, ending: 'first' | 'last'): Promise<void> {
  const buttons = contracts(page, 'Active').getByRole('button', { name: /^Order Now from/ })
  await expect(buttons).toHaveCount(2)
  await buttons[ending]().click()
  await expect(contract(page)).toHaveValue(/^ENT-/)
}

export const drafts = (page: Page): Locator => page.getByRole('grid', { name: 'Drafts' })
export const figure = (page: Page, name: string): Locator => page.getByText(name, { exact: true }).locator('..')

export const contract = (page: Page): Locator => page.getByRole('combobox', { name: 'FSA Contract' })

/** Expects the buttons of a table to be on the screen, even while the menu is open. */
export async function expectInWindow(page: Page, name: RegExp): Promise<void> {
  const box = await page.getByRole('button', { name }).first().boundingBox()
  expect(box && box.x + box.width).toBeLessThanOrEqual(1280 - 24)
}

/** Pixels by which letters of some fonts are taller than their line. */
const LEADING = 2

/** Expects every column of a table to be on the screen, and no head or cell to be cut off. */
export async function expectWhole(table: Locator): Promise<void> {
  await expect(rowsOf(table)).not.toHaveCount(0)
  await expect(table).not.toHaveAttribute('data-wide')
  // Columns of dates and numbers get wider once their content has been measured.
  await expect
    .poll(() =>
      table
        .getByRole('columnheader')
        .or(table.getByRole('gridcell'))
        .evaluateAll(
          (cells, leading) =>
            cells
              .flatMap((cell) => [cell, ...cell.querySelectorAll('span')])
              .filter((box) => getComputedStyle(box).display !== 'inline')
              .filter((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + leading)
              .map((box) => box.textContent),
          LEADING,
        ),
    )
    .toEqual([])
}
