import { expect, test } from '@playwright/test'
import { presetRange } from '#domain/calendar/presets.ts'
import { openUsage, SAVING } from '#e2e/support/usage-screen.ts'

test.use({ viewport: { width: 2400, height: 1000 } })

test('a view is restored after a reload, and deleted by Reset View', async ({ page }) => {
  test.slow()
  const screen = await openUsage(page, 'busops', '100008', { keepsViews: true })
  await screen.choosePreset('Max')
  await page.getByLabel('Product contains').fill('pro')
  const cost = screen.grid.getByRole('columnheader', { name: 'Cost' })
  await cost.click()
  await cost.click()
  await screen.button('Columns').click()
  await page.getByRole('checkbox', { name: 'Project' }).uncheck()
  await page.keyboard.press('Escape')
  const headers = screen.grid.getByRole('columnheader')
  await headers
    .filter({ hasText: 'Hours' })
    .dragTo(headers.filter({ hasText: 'End Time' }), { sourcePosition: { x: 40, y: 10 } })
  await expect(headers.nth(1)).toHaveText('Hours')
  await expect
    .poll(() => screen.savedView(), SAVING)
    .toMatchObject({
      dateRange: 'Max',
      filterModel: { Product: { filter: 'pro' } },
      sortModel: [{ colId: 'Charge', sort: 'desc', sortIndex: 0 }],
      hiddenColumns: expect.arrayContaining(['Project']),
      columnOrder: expect.arrayContaining(['Hours']),
    })

  await screen.open()
  await screen.expectRange(presetRange('Max', screen.today))
  await expect(page.getByLabel('Product contains')).toHaveValue('pro')
  await expect(cost).toHaveAttribute('aria-sort', 'descending')
  await expect(headers.nth(1)).toHaveText('Hours')
  await expect(headers.filter({ hasText: 'Project' })).toHaveCount(0)
  await screen.expectTotal(await screen.count('Max', [{ name: 'Product', method: 'CONTAINS', value: 'pro' }]))

  await screen.button('Reset View').click()
  const nothing = { customerNumber: '100008', tableName: 'elasticTransaction' }
  await expect.poll(() => screen.savedView(), SAVING).toEqual(nothing)
  for (const step of ['at once', 'after a reload']) {
    if (step === 'after a reload') await screen.open()
    await screen.expectRange(presetRange('1 Day', screen.today))
    await expect(headers.nth(1)).toHaveText('End Time')
    await expect(headers.filter({ hasText: 'Project' })).toHaveCount(1)
    await expect(page.getByLabel('Product contains')).toHaveValue('')
    await expect(screen.button('Reset View')).toBeDisabled()
  }
})

test('a change made just before leaving is saved', async ({ page }) => {
  const screen = await openUsage(page, 'support', '100008', { keepsViews: true })
  await screen.choosePreset('Last year')
  await screen.expectRange(presetRange('Last year', screen.today))
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Elastic Statements' }).click()
  await expect.poll(() => screen.savedView(), SAVING).toMatchObject({ dateRange: 'Last year' })
  await screen.open()
  await screen.expectRange(presetRange('Last year', screen.today))
})

test('the keyboard sorts, filters and copies', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const screen = await openUsage(page, 'viewer', '100001')
  await expect(screen.cells('StartTime').first()).toBeVisible()
  await screen.button('Columns').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(screen.grid.getByRole('columnheader').first()).toHaveAttribute('aria-sort', 'ascending')
  await expect(screen.button('Reset View')).toBeEnabled()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+c')
  const first = await screen.cells('StartTime').first().textContent()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(first)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.keyboard.type('1999')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No transactions match the filters')).toBeVisible()
})

test('a view keeps its settings for a column that is not offered yet', async ({ page }) => {
  const screen = await openUsage(page, 'admin', '100001', { keepsViews: true })
  const view = {
    dateRange: '1 Year',
    filterModel: { AnsysCloudJobId: { filterType: 'text', type: 'contains', filter: 'a' } },
    columnWidths: { AnsysCloudJobId: 250 },
  }
  await screen.saveView(view)
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
  await expect.poll(() => screen.savedView(), SAVING).toMatchObject({ ...view, sortModel: [{ colId: 'Product' }] })
  expect(asked, 'nothing is shown that the filter would keep out').toEqual([])
  isProbed.resolve()
  await expect(page.getByLabel('Cloud Job Id contains')).toHaveValue('a')
  await expect(screen.cells('Product').first()).toBeVisible()
  expect(new Set(asked)).toEqual(new Set([true]))
  await screen.button('Reset View').click()
  await expect(screen.button('Reset View')).toBeDisabled()
})

test('turning the page scrolls to its top and keeps the focus on the button', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 700 })
  const screen = await openUsage(page, 'viewer', '100001')
  await screen.choosePreset('Last month')
  await screen.cells('StartTime').first().hover()
  await page.mouse.wheel(0, 5000)
  await expect(screen.rows.nth(19)).toBeInViewport()
  await screen.button('Last page').focus()
  await page.keyboard.press('Enter')
  await expect(screen.rows.first()).toBeInViewport()
  await expect(screen.button('Last page')).toBeDisabled()
  await expect(screen.button('Last page')).toBeFocused()
})
