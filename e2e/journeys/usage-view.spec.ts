import { expect, test } from '@playwright/test'
import { addMonths } from '#domain/calendar/calendar-periods.ts'
import { presetRange } from '#domain/calendar/presets.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf, chipOf, filterBy, openViewSettings } from '#e2e/support/table.ts'
import { openUsage } from '#e2e/support/usage-screen.ts'

test.use({ viewport: { width: 2400, height: 1000 } })

test('a view is saved, restored after a reload, and deleted by Reset View', async ({ page }) => {
  test.slow()
  const screen = await openUsage(page, 'busops', '100008', { keepsViews: true })

  await test.step('a custom range is typed or clicked', async () => {
    const month = addMonths(screen.today, -1).slice(0, 7)
    const day = (number: number) => page.getByRole('button', { name: dayLabel(month, number), exact: true })
    const okay = page.getByRole('button', { name: 'Okay' })
    await page.getByRole('button', { name: /^Date range/ }).click()
    await page.getByRole('menuitem', { name: 'Custom' }).click()
    // The dialog opens with the range in force.
    await expect(page.getByLabel('To', { exact: true })).toHaveValue(screen.today)
    await expect(okay).toBeEnabled()
    await expectAccessible(page)
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
    await okay.click()
    const picked = { from: `${month}-05`, to: `${month}-12` }
    await screen.expectRange(picked)
    await expect(page.getByRole('button', { name: 'Date range: Custom' })).toBeVisible()
    // Leaving at once saves as well.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Elastic Statements' }).click()
    await expect(page).toHaveURL(/\/statementv2\?/)
    await expect.poll(() => screen.savedView()).toMatchObject({ startDate: picked.from, endDate: picked.to })
    await page.goBack()
    await expect(page.getByRole('button', { name: 'Date range: Custom' })).toBeVisible()
    await screen.expectRange(picked)
  })

  await screen.choosePreset('Max')
  await filterBy(screen.grid, 'Product contains', 'pro')
  const cost = screen.grid.getByRole('columnheader', { name: 'Cost' })
  await cost.click()
  await cost.click()
  await openViewSettings(page, 'Columns')
  await page.getByRole('checkbox', { name: 'Project' }).uncheck()
  await page.keyboard.press('Escape')
  const headers = screen.grid.getByRole('columnheader')
  await headers
    .filter({ hasText: 'Hours' })
    .dragTo(headers.filter({ hasText: 'End Time' }), { sourcePosition: { x: 40, y: 10 } })
  await expect(headers.nth(1)).toHaveText('Hours')
  await expect
    .poll(() => screen.savedView())
    .toMatchObject({
      dateRange: 'Max',
      filterModel: { Product: { filter: 'pro' } },
      sortModel: [{ colId: 'Charge', sort: 'desc', sortIndex: 0 }],
      hiddenColumns: expect.arrayContaining(['Project']),
      columnOrder: expect.arrayContaining(['Hours']),
    })

  await screen.open()
  await screen.expectRange(presetRange('Max', screen.today))
  const chip = chipOf(page, 'Product contains "pro"')
  await expect(chip).toBeVisible()
  await expect(cost).toHaveAttribute('aria-sort', 'descending')
  await expect(headers.nth(1)).toHaveText('Hours')
  await expect(headers.filter({ hasText: 'Project' })).toHaveCount(0)
  await screen.expectTotal(await screen.count('Max', [{ name: 'Product', method: 'CONTAINS', value: 'pro' }]))

  await screen.button('Reset View').click()
  await screen.expectRange(presetRange('1 Day', screen.today))
  await expect(headers.nth(1)).toHaveText('End Time')
  await expect(headers.filter({ hasText: 'Project' })).toHaveCount(1)
  await expect(chip).toHaveCount(0)
  await expect(screen.button('Reset View')).toBeDisabled()
  const nothing = { customerNumber: '100008', tableName: 'elasticTransaction' }
  await expect.poll(() => screen.savedView()).toEqual(nothing)
})

/** The label of a day in the calendar: '5 October 2026'. */
function dayLabel(month: string, day: number): string {
  const date = new Date(`${month}-${String(day).padStart(2, '0')}T00:00:00Z`)
  return `${day} ${date.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' })} ${month.slice(0, 4)}`
}

test('a view keeps its settings for a column that is not offered yet', async ({ page }) => {
  const screen = await openUsage(page, 'admin', '100001', { keepsViews: true })
  const view = {
    dateRange: '1 Year',
    filterModel: { AnsysCloudJobId: { filterType: 'text', type: 'contains', filter: 'a' } },
    columnWidths: { AnsysCloudJobId: 250 },
  }
  await screen.saveView(view)
  // The page that is open still asks without the saved view.
  await page.goto('about:blank')
  const isProbed = Promise.withResolvers<void>()
  const asked: boolean[] = []
  await page.route('**/api/fetchUsage', async (route) => {
    const body = route.request().postDataJSON()
    if (body.limit === 1) await isProbed.promise
    else asked.push(JSON.stringify(body.filter).includes('AnsysCloudJobId'))
    await route.continue()
  })
  await screen.open()
  await screen.grid.getByRole('columnheader', { name: 'Product' }).click()
  await expect.poll(() => screen.savedView()).toMatchObject({ ...view, sortModel: [{ colId: 'Product' }] })
  expect(asked, 'nothing is shown that the filter would keep out').toEqual([])
  isProbed.resolve()
  await expect(chipOf(page, 'Cloud Job Id contains "a"')).toBeVisible()
  await expect(screen.cells('Product').first()).toBeVisible()
  expect(new Set(asked)).toEqual(new Set([true]))
  await screen.button('Reset View').click()
  await expect(screen.button('Reset View')).toBeDisabled()
})

test('an address with filters, order and page shows the same to a colleague', async ({ page }) => {
  const screen = await openUsage(page, 'support', '100007')
  await screen.choosePreset('Max')
  await filterBy(screen.grid, 'Count equals', '≤ 2')
  await expect.poll(() => page.url()).toContain('filter=')
  const header = (name: string) => screen.grid.getByRole('columnheader', { name })
  await header('Cost').click()
  await expect(header('Cost')).toHaveAttribute('aria-sort', 'ascending')
  await header('Start Time').click({ modifiers: ['Shift'] })
  await expect(header('Start Time')).toContainText('2')
  await screen.button('Next page').click()
  await expect(page.getByText(/^21–40 of/)).toBeVisible()
  // The old rows stay until the new ones arrive.
  await expect(screen.grid).toHaveAttribute('aria-busy', 'false')
  const sessions = await screen.cells('DeviceID').allTextContents()

  await signIn(page, 'admin', page.url().replace(/^https?:\/\/[^/]+/, ''))
  await expect(page.getByText(/^21–40 of/)).toBeVisible()
  await expect(chipOf(page, 'Count ≤ 2')).toBeVisible()
  await expect(cellsOf(screen.grid, 'DeviceID')).toHaveText(sessions)
  await expect(header('Cost')).toContainText('1')
  await expect(header('Start Time')).toContainText('2')
})
