import { expect, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { rowsOf } from '#e2e/support/table.ts'
import { openWebScreen, rowWith } from '#e2e/support/web-licenses.ts'

test('the report holds seats against their peak, advises, and goes into files', async ({ page }) => {
  await openWebScreen(page, 'viewer', '/home')
  await page.getByRole('navigation').getByRole('link', { name: 'Optimization' }).click()
  await expect(page).toHaveURL(/\/optimization\?/)
  const products = page.getByRole('grid', { name: 'Products' })
  await expect(rowWith(products, 'Mission Systems Toolkit')).toContainText('14')
  await expect(rowsOf(products).filter({ hasText: 'Elastic' }).first()).toBeVisible()
  await expect(rowWith(products, /could be released|needed|In balance/).first()).toBeVisible()
  await expect(page.getByRole('img', { name: /^The seats of each web product/ })).toBeVisible()
  await expectAccessible(page)

  const pdf = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as PDF' }).click()
  expect((await pdf).suggestedFilename()).toMatch(/^optimization_100001_.*\.pdf$/)
  const csv = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as csv file' }).click()
  expect((await csv).suggestedFilename()).toMatch(/^optimization_100001_.*\.csv$/)
})
