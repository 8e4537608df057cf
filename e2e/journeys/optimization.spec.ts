import { expect, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'
import { openWebScreen, rowWith } from '#e2e/support/web-licenses.ts'

test('the report holds seats against their peak, advises, and goes into files', async ({ page }) => {
  await openWebScreen(page, 'viewer', '/home')
  await page.getByRole('navigation').getByRole('link', { name: 'Optimization' }).click()
  await expect(page).toHaveURL(/\/optimization\?/)
  const licenses = page.getByRole('grid', { name: 'Web licenses' })
  await expect(rowWith(licenses, 'Mission Systems Toolkit')).toContainText('14')
  await expect(rowWith(licenses, /could be released|needed|In balance/).first()).toBeVisible()
  await expect(rowsOf(page.getByRole('grid', { name: 'Elastic products' })).first()).toContainText('In balance')
  await expect(page.getByRole('img', { name: /^The seats of each web product/ })).toBeVisible()
  await expectAccessible(page)

  const pdf = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as PDF' }).click()
  expect((await pdf).suggestedFilename()).toMatch(/^optimization_100001_.*\.pdf$/)
  const csv = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as csv file' }).click()
  expect((await csv).suggestedFilename()).toMatch(/^optimization_100001_.*\.csv$/)
})

test('an account with elastic licenses only finds the report among its elastic reports', async ({ page }) => {
  await signIn(page, 'elasticOnly', '/optimization')
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('Elastic Reporting')
  await expect(rowsOf(page.getByRole('grid', { name: 'Elastic products' })).first()).toBeVisible()
  await expect(page.getByRole('grid', { name: 'Web licenses' })).toHaveCount(0)
})
