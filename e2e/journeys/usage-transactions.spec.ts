import { expect, test } from '@playwright/test'
import { USAGE_COLUMNS } from '#contract/elastic/usage/usage-list.ts'
import { presetRange } from '#domain/calendar/presets.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { chipOf, filterBy } from '#e2e/support/table.ts'
import { openUsage } from '#e2e/support/usage-screen.ts'

// Another zone than the account's (Berlin), so that the reader's times differ from the account's days.
test.use({ timezoneId: 'America/New_York', viewport: { width: 2400, height: 1100 } })

test('the screen opens on the last day, with its fifteen columns, and shows active sessions apart', async ({
  page,
}) => {
  const screen = await openUsage(page, 'viewer')
  await expect(page.getByText(/^Last received transaction: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)).toBeVisible()
  await expect(page.getByText('Transactions may be delayed by up to 30 minutes')).toBeVisible()
  await screen.expectRange(presetRange('1 Day', screen.today))
  await screen.expectTotal(await screen.count('1 Day'))
  await test.step('the first row stands high', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(async () => (await screen.cells('StartTime').first().boundingBox())?.y).toBeLessThanOrEqual(260)
    await page.setViewportSize({ width: 2400, height: 1100 })
  })
  const headers = screen.grid.getByRole('columnheader')
  await expect(headers).toHaveText([...USAGE_COLUMNS.map(([, header]) => header), 'Correction Of'])
  await expect(headers.first(), 'the order of the list itself has its arrow').toHaveAttribute('aria-sort', 'descending')
  await expect(screen.button('Clear Filters')).toBeDisabled()
  await expect(screen.button('Reset View')).toBeDisabled()
  await screen.button('Refresh').click()
  await screen.expectTotal(await screen.count('1 Day'))

  const active = await screen.count('1 Day', [{ name: 'Active', method: 'EQUALS', value: true }])
  expect(active).toBeGreaterThan(0)
  await page.getByLabel('Active Sessions').check()
  await screen.expectTotal(active)
  await expect(screen.cells('EndTime')).toHaveText(Array(active).fill('Active'))
  await expect(screen.cells('Hours')).toHaveText(Array(active).fill(''))

  await filterBy(screen.grid, 'Product contains', 'no such product')
  await expect(page.getByText('No transactions match the filters')).toBeVisible()
  await expectAccessible(page)
})

test('a range has its totals for each currency, and pages that turn without a request', async ({ page }) => {
  const screen = await openUsage(page, 'support')
  await screen.choosePreset('Last quarter')
  await screen.expectRange(presetRange('Last quarter', screen.today))
  await screen.choosePreset('1 Month')
  await screen.expectRange(presetRange('1 Month', screen.today))
  await screen.expectTotal(await screen.count('1 Month'))

  await test.step('pages turn without a request', async () => {
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
    for (const size of ['100', '20']) {
      await page.getByLabel('Rows per page').selectOption(size)
      await expect(page.getByText(`1–${size} of`)).toBeVisible()
    }
  })

  await test.step('totals are shown for each currency', async () => {
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
    await filterBy(screen.grid, 'Currency equals', 'AEC')
    await expect.poll(shown).toEqual((await screen.sums('1 Month')).filter(({ currency }) => currency === 'AEC'))
  })

  await test.step('what the filters leave is compared with the period before', async () => {
    const compare = page.getByRole('switch', { name: /^Compare with the period before/ })
    await compare.click()
    await expect(page.getByText(/^AEC: cost ([↑↓] |the same)/i)).toBeVisible()
    await expectAccessible(page)
    await compare.click()
    await expect(page.getByText(/^AEC: cost /)).toHaveCount(0)
  })

  await test.step('a preset clears the filters after a confirmation', async () => {
    const currency = chipOf(page, 'Currency equals "AEC"')
    await screen.choosePreset('Last month')
    const dialog = page.getByRole('dialog', { name: 'Confirm' })
    await expect(dialog).toContainText('Action will clear all current filters. Do you wish to continue?')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await screen.expectRange(presetRange('1 Month', screen.today))
    await expect(currency).toBeVisible()

    await screen.choosePreset('Last month')
    await dialog.getByRole('button', { name: 'Clear filters and change range' }).click()
    await screen.expectRange(presetRange('Last month', screen.today))
    await expect(currency).toHaveCount(0)
    await screen.expectTotal(await screen.count('Last month'))
  })

  await test.step('the last page begins at its top, and the focus stays on the button', async () => {
    await page.setViewportSize({ width: 1280, height: 700 })
    await screen.cells('StartTime').first().hover()
    await page.mouse.wheel(0, 5000)
    await expect(screen.rows.nth(19)).toBeInViewport()
    await screen.button('Last page').focus()
    await page.keyboard.press('Enter')
    await expect(screen.rows.first()).toBeInViewport()
    await expect(screen.button('Last page')).toBeDisabled()
    await expect(screen.button('Last page')).toBeFocused()
    await expect(screen.button('Next page')).toBeDisabled()
  })
})
