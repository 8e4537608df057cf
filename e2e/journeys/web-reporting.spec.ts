import { expect, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { rowsOf } from '#e2e/support/table.ts'
import { openWebScreen, rowWith } from '#e2e/support/web-licenses.ts'

test('the report shows peaks against the seats, use and denials, and goes into files', async ({ page }) => {
  await openWebScreen(page, 'viewer', '/web-reporting')
  const products = page.getByRole('grid', { name: 'Use per product' })
  await expect(rowWith(products, 'Mission Systems Toolkit')).toContainText('14')
  await expect(rowsOf(page.getByRole('grid', { name: 'Use per user' })).first()).toBeVisible()
  await expect(rowsOf(page.getByRole('grid', { name: 'Denials' })).first()).toBeVisible()

  const chart = page.getByRole('region', { name: 'Peak concurrent use', exact: true })
  await chart.getByLabel('Product').click()
  await page.getByRole('option', { name: 'Mission Systems Toolkit' }).click()
  await expect(chart.getByRole('img', { name: /^Peak concurrent use of Mission Systems Toolkit/ })).toBeVisible()
  await expect(chart.getByText('Limit 14')).toBeVisible()
  await expect(chart.getByRole('columnheader', { name: 'Seats' })).toBeVisible()
  const days = chart.getByRole('row')
  await expect(days).toHaveCount(13)
  await chart.getByRole('button', { name: /^Show all \d+$/ }).click()
  await expect.poll(() => days.count()).toBeGreaterThan(28)
  await expectAccessible(page)

  const pdf = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as PDF' }).click()
  expect((await pdf).suggestedFilename()).toMatch(/^web-report_100001_.*\.pdf$/)
  const csv = page.waitForEvent('download')
  await page.getByRole('region', { name: 'Use per user' }).getByRole('button', { name: 'Export as csv file' }).click()
  expect((await csv).suggestedFilename()).toMatch(/^web-report_users_100001_.*\.csv$/)
})
