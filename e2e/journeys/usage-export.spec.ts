import { readFile } from 'node:fs/promises'
import { type Download, expect, test } from '@playwright/test'
import { USAGE_CSV_COLUMNS } from '#contract/elastic/usage/usage-list.ts'
import { openUsage } from '#e2e/support/usage-screen.ts'

test('an export holds all pages of what the table shows', async ({ page }) => {
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
  expect(lines[0]?.replaceAll('"', '')).toBe(
    USAGE_CSV_COLUMNS.map(([, header]) => (header.endsWith(' Time') ? `${header} (UTC)` : header)).join(','),
  )
  expect(lines.length - 1).toBe(total)
})

test('a large export runs in the background', async ({ page }) => {
  test.slow()
  const screen = await openUsage(page, 'busops', '100001')
  await screen.choosePreset('Max')
  const total = await screen.count('Max')
  await screen.expectTotal(total)
  await screen.button('Export as csv file').click()
  const dialog = page.getByRole('dialog', { name: 'Background exports' })
  await expect(dialog).toContainText(
    'Total number of available transactions exceeds 30,000. Apply filters to reduce selection.',
  )
  await dialog.getByRole('button', { name: `Export ${total.toLocaleString('en-US')} transactions` }).click()
  const newest = dialog.getByRole('list', { name: 'Your exports' }).getByRole('listitem').first()
  await expect(newest).toContainText(/Waiting to start|transactions written/)
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  // The export continues while another page is open.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Elastic Licensing' }).click()
  await screen.open()
  await screen.button('Background exports').click()
  await expect(newest).toContainText('kept until', { timeout: 60_000 })
  const download = page.waitForEvent('download')
  await newest.getByRole('link', { name: 'Download' }).click()
  expect((await linesOf(await download)).length - 1).toBe(total)
})

test('the same export is not made twice, and can be deleted', async ({ page }) => {
  const screen = await openUsage(page, 'coordinator', '100001')
  await screen.choosePreset('Max')
  await screen.expectTotal(await screen.count('Max'))
  await screen.button('Background exports').click()
  const dialog = page.getByRole('dialog', { name: 'Background exports' })
  const lines = dialog.getByRole('list', { name: 'Your exports' }).getByRole('listitem')
  const start = dialog.getByRole('button', { name: /^Export [\d,]+ transactions$/ })
  await start.click()
  await expect(lines).toHaveCount(1)
  await expect(lines).toContainText('kept until', { timeout: 60_000 })
  await start.click()
  await expect(dialog.getByRole('status').last()).toContainText('You have this export already')
  await expect(lines).toHaveCount(1)

  const name = `usage-transactions_100001_2018-01-01_${screen.today}.csv`
  await lines.getByRole('button', { name: `Delete ${name}` }).click()
  const question = page.getByRole('dialog', { name: 'Confirm' })
  await expect(question).toContainText(`Do you want to delete the export “${name}”?`)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(lines).toHaveCount(1)
  await lines.getByRole('button', { name: `Delete ${name}` }).press('Enter')
  await question.getByRole('button', { name: 'Delete export' }).click()
  await expect(lines).toHaveCount(0)
  await expect(dialog).not.toContainText('You have this export already')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('an export that failed says why', async ({ page }) => {
  const failure = 'The portal ran out of disk space. Please try again later.'
  const one = {
    id: '00000000-0000-4000-8000-000000000001',
    customerNumber: '100001',
    accountName: 'Aerodyne Motors',
    timeZone: 'Europe/Berlin',
    kind: 'usage-export',
    request: {},
    requestedBy: 'vic.viewer@aerodyne.example',
    state: 'failed',
    fileName: 'usage-transactions_100001_start_today.csv',
    total: 40_000,
    done: 10_000,
    bytes: 0,
    requestedAt: '2026-11-15T10:00:00.000Z',
    finishedAt: '2026-11-15T10:01:00.000Z',
    keptUntil: null,
    downloadedAt: null,
    failure,
  }
  await page.route('**/api/tasks', (route) => route.fulfill({ json: { status: 'SUCCESS', data: [one] } }))
  const screen = await openUsage(page, 'viewer', '100001')
  await screen.button('Background exports').click()
  await expect(page.getByRole('dialog', { name: 'Background exports' })).toContainText(`Failed: ${failure}`)
})

test('polling does not count as activity once nobody touches the page', async ({ page }) => {
  const isBackground: boolean[] = []
  await page.route('**/api/tasks', async (route) => {
    isBackground.push((await route.request().headerValue('x-background')) === '1')
    const answer = await route.fetch()
    const { data } = (await answer.json()) as { data: object[] }
    await route.fulfill({ json: { status: 'SUCCESS', data: data.map((one) => ({ ...one, state: 'running' })) } })
  })
  const screen = await openUsage(page, 'sales', '100001')
  await screen.choosePreset('1 Month')
  await screen.button('Background exports').click()
  const dialog = page.getByRole('dialog', { name: 'Background exports' })
  await dialog.getByRole('button', { name: /^Export [\d,]+ transactions$/ }).click()
  await expect.poll(() => isBackground.at(-1)).toBe(true)
  expect(isBackground[0]).toBe(false)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  // The list of the toolbar keeps polling while something runs.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

/** Without the empty line at the end. No demo value contains a line break. */
async function linesOf(download: Download): Promise<string[]> {
  const text = await readFile(await download.path(), 'utf8')
  return text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/)
}
