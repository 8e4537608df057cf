import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { USAGE_COLUMNS, USAGE_CSV_COLUMNS } from '#contract/elastic/usage/usage-list.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { filterBy, rowsOf } from '#e2e/support/table.ts'
import { openUsage } from '#e2e/support/usage-screen.ts'

test.use({ viewport: { width: 2400, height: 1100 } })

/** How many there are depends on the hour: a day of the account can have begun before a day of the demo data. */
const SOME_ROWS = /^1–\d+ of \d/

test('a list, a count or saved views that fail to load show an error instead of rows', async ({ page }) => {
  const screen = await openUsage(page, 'sales', '100001')
  const alert = page.getByRole('main').getByRole('alert')
  const rows = rowsOf(page.getByRole('grid'))
  await expect(page.getByText(SOME_ROWS)).toBeVisible()

  await test.step('a failing list is retried first', async () => {
    let asked = 0
    // Requests of the first visit are not counted.
    await page.goto('about:blank')
    await page.route('**/api/fetchUsage', (route) => {
      const isProbe = route.request().postDataJSON().limit === 1
      if (!isProbe) asked += 1
      return isProbe ? route.fallback() : route.abort()
    })
    await screen.open()
    await expect(alert).toContainText('unable to fetch data after 6 attempts')
    expect(asked).toBe(6)
    await page.unroute('**/api/fetchUsage')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(alert).toHaveCount(0)
    await expect(page.getByText(SOME_ROWS)).toBeVisible()
  })

  await test.step('a refused count is not retried', async () => {
    let asked = 0
    await page.route('**/api/fetchUsage/count', (route) => {
      asked += 1
      return route.fulfill({ status: 400, json: { status: 'FAILURE', err: 'The count was refused' } })
    })
    await screen.open()
    await expect(alert).toContainText('The count was refused')
    await expect(rows).toHaveCount(0)
    expect(asked).toBe(1)
    await page.unroute('**/api/fetchUsage/count')
  })

  await test.step('saved views that fail to load show an error', async () => {
    await page.route('**/api/featureflag/pref', (route) =>
      route.fulfill({ status: 400, json: { status: 'FAILURE', err: 'The saved views cannot be read' } }),
    )
    await screen.open()
    await expect(alert).toContainText('The saved views cannot be read')
    await expect(rows).toHaveCount(0)
    await page.unroute('**/api/featureflag/pref')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText(SOME_ROWS)).toBeVisible()
  })
})

test('an account without an elastic license server has an empty screen that says so', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await signIn(page, 'sales', '/transactions?customer=100006')
  await expect(page.getByText('This account has no elastic license server.').filter({ visible: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Export as csv file' })).toBeDisabled()
  const again = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/lastupdatedon')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await again
  expect(asked).toContain('/api/devices/elastic')
  expect(asked.filter((path) => path.startsWith('/api/fetchUsage'))).toEqual([])
})

test('a day without sessions says what to do, and an export holds all pages of what the table shows', async ({
  page,
}) => {
  const screen = await openUsage(page, 'admin', '100008')
  await expect(page.getByText('Choose a longer date range.')).toBeVisible()
  await screen.choosePreset('Max')
  await expect(page.getByText(SOME_ROWS)).toBeVisible()
  // The account never had a cloud job or a correction, so there are no columns for them.
  const headers = USAGE_COLUMNS.map(([, header]) => header).filter((header) => header !== 'Cloud Job Id')
  await expect(screen.grid.getByRole('columnheader')).toHaveText(headers)

  await filterBy(screen.grid, 'Product contains', 'pro')
  const total = await screen.count('Max', [{ name: 'Product', method: 'CONTAINS', value: 'pro' }])
  expect(total).toBeGreaterThan(20)
  await screen.expectTotal(total)
  const download = page.waitForEvent('download')
  await screen.button('Export as csv file').click()
  expect((await download).suggestedFilename()).toBe(`usage-transactions_100008_2018-01-01_${screen.today}.csv`)
  const text = await readFile(await (await download).path(), 'utf8')
  // No demo value contains a line break.
  const lines = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/)
  expect(lines[0]?.replaceAll('"', '')).toBe(
    USAGE_CSV_COLUMNS.map(([, header]) => (header.endsWith(' Time') ? `${header} (UTC)` : header)).join(','),
  )
  expect(lines.length - 1).toBe(total)
})
