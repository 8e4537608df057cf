import { readFile } from 'node:fs/promises'
import { type Download, expect, test } from '@playwright/test'
import { USAGE_COLUMNS } from '#domain/elastic/usage-fields.ts'
import { openUsage } from '#e2e/support/usage-screen.ts'

test('what the table shows, all pages of it, is exported', async ({ page }) => {
  const screen = await openUsage(page, 'admin', '100008')
  await screen.choosePreset('Max')
  await page.getByLabel('Product contains').fill('pro')
  const total = await screen.count('Max', [{ name: 'Product', method: 'CONTAINS', value: 'pro' }])
  expect(total).toBeGreaterThan(20)
  await screen.expectTotal(total)
  const download = page.waitForEvent('download')
  await screen.button('Export as csv file').click()
  expect((await download).suggestedFilename()).toBe(`usage-transactions_100008_2018-01-01_${screen.today}.csv`)
  const lines = await linesOf(await download)
  expect(lines[0]?.replaceAll('"', '')).toBe(USAGE_COLUMNS.map(([, header]) => header).join(','))
  expect(lines.length - 1).toBe(total)
})

test('what is too much to export at once is exported in the background', async ({ page }) => {
  test.slow()
  const screen = await openUsage(page, 'busops', '100001')
  await screen.choosePreset('Max')
  const total = await screen.count('Max')
  await screen.expectTotal(total)
  await screen.button('Export as csv file').click()
  const dialog = page.getByRole('dialog', { name: 'Background exports' })
  await expect(dialog).toContainText(
    'Total number of available transactions exceeds 30000. Apply filters to reduce selection.',
  )
  await dialog.getByRole('button', { name: `Export ${total.toLocaleString('en-US')} transactions` }).click()
  const newest = dialog.getByRole('list', { name: 'Your exports' }).getByRole('listitem').first()
  await expect(newest).toContainText(/Waiting to begin|transactions written/)
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  // It goes on while one is elsewhere.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Elastic Licensing' }).click()
  await screen.open()
  await screen.button('Background exports').click()
  await expect(newest).toContainText('kept until', { timeout: 60_000 })
  const download = page.waitForEvent('download')
  await newest.getByRole('link', { name: 'Download' }).click()
  expect((await linesOf(await download)).length - 1).toBe(total)
})

/** Without the empty one after the last line's end. No demo value holds a line break. */
async function linesOf(download: Download): Promise<string[]> {
  const text = await readFile(await download.path(), 'utf8')
  return text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/)
}
