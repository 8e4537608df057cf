import { expect, test } from '@playwright/test'
import { USAGE_COLUMNS } from '#contract/elastic/usage/usage-list.ts'
import { addMonths } from '#domain/calendar/calendar-periods.ts'
import { presetRange, USAGE_PRESETS } from '#domain/calendar/presets.ts'
import { openUsage, SAVING } from '#e2e/support/usage-screen.ts'

// Not the account's zone (Berlin), so that the reader's times differ from the account's days.
test.use({ timezoneId: 'America/New_York', viewport: { width: 2400, height: 1100 } })

test('the screen opens on the last day, with its fifteen columns', async ({ page }) => {
  const screen = await openUsage(page, 'viewer')
  await expect(page.getByText(/^Last received transaction: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)).toBeVisible()
  await expect(page.getByText('Transactions may be delayed by up to 30 minutes')).toBeVisible()
  await screen.expectRange(presetRange('1 Day', screen.today))
  await screen.expectTotal(await screen.count('1 Day'))
  await expect(screen.grid.getByRole('columnheader')).toHaveText([
    ...USAGE_COLUMNS.map(([, header]) => header),
    'Correction Of',
  ])
  await expect(screen.button('Clear Filters')).toBeDisabled()
  await expect(screen.button('Reset View')).toBeDisabled()

  await screen.button('Refresh').click()
  await screen.expectTotal(await screen.count('1 Day'))
})

test('an account that never had a cloud job or a correction has no columns for them', async ({ page }) => {
  const screen = await openUsage(page, 'admin', '100008')
  await screen.choosePreset('Max')
  await expect(page.getByText('1–20 of')).toBeVisible()
  const headers = USAGE_COLUMNS.map(([, header]) => header).filter((header) => header !== 'Cloud Job Id')
  await expect(screen.grid.getByRole('columnheader')).toHaveText(headers)
})

test('every named range covers the days of the account that it names', async ({ page }) => {
  test.slow()
  const screen = await openUsage(page, 'sales')
  for (const preset of [...USAGE_PRESETS].reverse()) {
    await screen.choosePreset(preset)
    await screen.expectRange(presetRange(preset, screen.today))
  }
  await screen.choosePreset('Last month')
  await screen.expectTotal(await screen.count('Last month'))
})

test('pages turn without asking, up to the end of what was fetched', async ({ page }) => {
  const screen = await openUsage(page, 'support')
  await screen.choosePreset('1 Month')
  await expect(page.getByText('1–20 of')).toBeVisible()
  await expect(screen.cells('DeviceID')).toHaveCount(20)
  const first = await screen.cells('DeviceID').allTextContents()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await screen.button('Next page').click()
  await expect(page.getByText('21–40 of')).toBeVisible()
  await expect(screen.cells('DeviceID').first()).not.toHaveText(first[0] ?? '')
  expect(asked.filter((url) => url.endsWith('/api/fetchUsage'))).toEqual([])
  await screen.button('Previous page').click()
  await expect(screen.cells('DeviceID')).toHaveText(first)

  await page.getByLabel('Rows per page').selectOption('100')
  await expect(page.getByText('1–100 of')).toBeVisible()
  await screen.button('Last page').click()
  await expect(screen.button('Next page')).toBeDisabled()
  await expect(screen.cells('StartTime').first()).toHaveText(/^\d{4}-/)
})

test('a custom range is typed or clicked, and survives a reload', async ({ page }) => {
  const screen = await openUsage(page, 'coordinator', '100001', { keepsViews: true })
  const month = addMonths(screen.today, -1).slice(0, 7)
  const day = (number: number) => page.getByRole('button', { name: dayLabel(month, number), exact: true })
  const okay = page.getByRole('button', { name: 'Okay' })

  await page.getByRole('button', { name: /^Date range/ }).click()
  await page.getByRole('menuitem', { name: 'Custom' }).click()
  // The dialog opens with the range in force.
  await expect(page.getByLabel('To', { exact: true })).toHaveValue(screen.today)
  await expect(okay).toBeEnabled()
  await day(10).click()
  await expect(okay).toBeDisabled()
  await day(10).click()
  await expect(page.getByLabel('From', { exact: true })).toHaveValue(`${month}-10`)
  await expect(page.getByLabel('To', { exact: true })).toHaveValue(`${month}-10`)
  await expect(okay).toBeEnabled()
  await page.getByLabel('From', { exact: true }).fill('nonsense')
  await expect(page.getByText('Enter a date as YYYY-MM-DD.')).toBeVisible()
  await expect(okay).toBeDisabled()
  await day(5).click()
  await expect(okay).toBeDisabled()
  await day(12).click()
  await expect(okay).toBeEnabled()
  await okay.click()

  const picked = { from: `${month}-05`, to: `${month}-12` }
  await screen.expectRange(picked)
  await expect.poll(() => screen.savedView(), SAVING).toMatchObject({ startDate: picked.from, endDate: picked.to })
  await screen.open()
  await expect(page.getByRole('button', { name: 'Date range: Custom' })).toBeVisible()
  await screen.expectRange(picked)
})

test('active sessions show Active instead of an end, and no hours', async ({ page }) => {
  const screen = await openUsage(page, 'admin')
  const active = await screen.count('1 Day', [{ name: 'Active', method: 'EQUALS', value: true }])
  expect(active).toBeGreaterThan(0)
  await page.getByLabel('Active Sessions').check()
  await screen.expectTotal(active)
  await expect(screen.cells('EndTime')).toHaveText(Array(active).fill('Active'))
  await expect(screen.cells('Hours')).toHaveText(Array(active).fill(''))
})

test('a preset clears the filters after a confirmation', async ({ page }) => {
  const screen = await openUsage(page, 'administrator')
  const product = page.getByLabel('Product contains')
  await product.fill('fluid')
  await screen.expectTotal(await screen.count('1 Day', [{ name: 'Product', method: 'CONTAINS', value: 'fluid' }]))

  await screen.choosePreset('5 Days')
  const dialog = page.getByRole('dialog', { name: 'Confirm' })
  await expect(dialog).toContainText('Action will clear all current filters. Do you wish to continue?')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await screen.expectRange(presetRange('1 Day', screen.today))
  await expect(product).toHaveValue('fluid')

  await screen.choosePreset('5 Days')
  await dialog.getByRole('button', { name: 'Clear filters and change range' }).click()
  await screen.expectRange(presetRange('5 Days', screen.today))
  await expect(product).toHaveValue('')
  await screen.expectTotal(await screen.count('5 Days'))
})

/** As the calendar names its days: '5 October 2026'. */
function dayLabel(month: string, day: number): string {
  const date = new Date(`${month}-${String(day).padStart(2, '0')}T00:00:00Z`)
  return `${day} ${date.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' })} ${month.slice(0, 4)}`
}

test('the totals of hours and cost of all matching rows are below the table, for each currency', async ({ page }) => {
  const screen = await openUsage(page, 'support')
  await screen.choosePreset('1 Month')
  const totals = screen.grid.locator('[role=row][data-totals]')
  const shown = () =>
    totals.evaluateAll((rows) =>
      rows.map((row) => {
        const text = (column: string) => row.querySelector(`[data-col="${column}"]`)?.textContent
        return { currency: text('Currency'), hours: text('Hours'), cost: text('Charge') }
      }),
    )
  await expect.poll(shown).toEqual(await screen.sums('1 Month'))
  await expect(totals.first().getByRole('gridcell').first()).toHaveText('Total')

  await screen.grid.getByLabel('Currency equals').fill('AEC')
  await expect.poll(shown).toEqual((await screen.sums('1 Month')).filter(({ currency }) => currency === 'AEC'))
})
