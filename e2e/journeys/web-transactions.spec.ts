import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { rowsOf } from '#e2e/support/table.ts'
import { openWebScreen } from '#e2e/support/web-licenses.ts'

const checkouts = (page: Page) => page.getByRole('grid', { name: 'Web license checkouts' })

async function choosePreset(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Date range/ }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

test('checkouts of a range, those that run, and the export', async ({ page }) => {
  await openWebScreen(page, 'viewer', '/web-transactions')
  await expect(rowsOf(checkouts(page)).first()).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Active Checkouts').check()
  await expect(rowsOf(checkouts(page)).first()).toContainText('Active')
  await expect(rowsOf(checkouts(page))).toHaveCount(12)
  await page.getByLabel('Active Checkouts').uncheck()

  await choosePreset(page, '1 Month')
  await page.getByLabel('Product contains').fill('Photonic')
  await expect(rowsOf(checkouts(page)).first()).toContainText('Photonic Circuit Designer')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as csv file' }).click()
  expect((await download).suggestedFilename()).toMatch(/^web-transactions_100001_.*\.csv$/)
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(lines[0]).toContain('"Start Time (UTC)"')
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.slice(1).every((line) => line.includes('Photonic Circuit Designer'))).toBe(true)

  await choosePreset(page, '3 Months')
  const question = page.getByRole('dialog', { name: 'Confirm' })
  await expect(question).toContainText('Action will clear all current filters. Do you wish to continue?')
  await question.getByRole('button', { name: 'Clear filters and change range' }).click()
  await expect(page.getByLabel('Product contains')).toHaveValue('')
})
