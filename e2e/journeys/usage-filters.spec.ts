import { expect, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { pinFilterRow } from '#e2e/support/table.ts'
import { openUsage } from '#e2e/support/usage-screen.ts'

const ACCOUNT = '100007'
test.use({ timezoneId: 'America/New_York', viewport: { width: 2400, height: 1100 } })
test.beforeEach(({ page }) => pinFilterRow(page))

test('a time is typed in parts or chosen to the second, in the time zone of the reader', async ({ page }) => {
  test.slow()
  const screen = await openUsage(page, 'support', ACCOUNT)
  await screen.choosePreset('Last month')
  await screen.expectTotal(await screen.count('Last month'))
  const shown = (await screen.cells('StartTime').first().textContent()) ?? ''
  const start = page.getByLabel('Start Time starts with')
  for (const length of [6, 10, 15, 19]) {
    const typed = shown.slice(0, length)
    await start.fill(typed)
    await start.press('Enter')
    await expect(page.locator('[data-stale]')).toHaveCount(0)
    const times = await screen.cells('StartTime').allTextContents()
    expect(times.length).toBeGreaterThan(0)
    expect(times.filter((time) => !time.startsWith(typed))).toEqual([])
  }
  await start.fill(`> ${shown.slice(0, 10)}`)
  await expect(page.getByText(/^0 of [\d,]+ transactions$/)).toBeVisible()
  await start.fill('not a time')
  await expect(start).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('Enter a time such as')).toBeVisible()
  await start.fill('')

  await page.getByRole('button', { name: 'Choose End Time range' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter by End Time' })
  await expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'From', exact: true }).click()
  await page.getByRole('button', { name: 'Previous month' }).click()
  await page.getByRole('button', { name: /^15 / }).click()
  for (const [label, value] of [
    ['hours', '06'],
    ['minutes', '30'],
    ['seconds', '15'],
  ] as const)
    await page.getByRole('spinbutton', { name: new RegExp(label, 'i') }).fill(value)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use this time' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('button', { name: /^End Time filter: From \d{4}-\d\d-15 06:30:15$/ })).toBeVisible()
  await expect(page.locator('[data-stale]')).toHaveCount(0)
  for (const time of await screen.cells('EndTime').allTextContents()) expect(time.slice(8) >= '15 06:30:15').toBe(true)
  await page.getByRole('button', { name: 'Clear End Time filter' }).click()
  await screen.expectTotal(await screen.count('Last month'))
})

test('values are ticked in a list, one by one or all but one, and the focus comes back to the field', async ({
  page,
}) => {
  const screen = await openUsage(page, 'sales', ACCOUNT)
  await screen.choosePreset('1 Month')

  await test.step('values are ticked one by one', async () => {
    await page.getByRole('button', { name: 'Product filter options' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Filter by Product' })
    await dialog.getByText('Values', { exact: true }).click()
    const apply = dialog.getByRole('button', { name: 'Apply' })
    await expect(dialog.getByLabel('Select All')).toBeChecked()
    await expectAccessible(page)
    await dialog.getByLabel('Search Product').fill('nothing is called like this')
    await expect(dialog.getByText('No matches found.')).toBeVisible()
    await expect(apply).toBeDisabled()
    await dialog.getByLabel('Search Product').fill('')
    await dialog.getByLabel('Select All').uncheck()
    await expect(apply).toBeDisabled()
    await dialog.getByLabel('Fluid Flow Pro', { exact: true }).check()
    await dialog.getByLabel('HPC Pack', { exact: true }).check()
    await apply.press('Enter')
    const chosen = page.getByRole('button', { name: 'Product filter: 2 values' })
    await expect(chosen).toBeFocused()
    const values = ['Fluid Flow Pro', 'HPC Pack']
    const criteria = values.map((value) => ({ name: 'Product', method: 'EQUALS' as const, value }))
    await screen.expectTotal(await screen.count('1 Month', [{ condition: 'ANY', criteria }]))
    expect(new Set(await screen.cells('Product').allTextContents())).toEqual(new Set(values))

    await chosen.click()
    await expect(dialog.getByLabel('Acoustics Response')).not.toBeChecked()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Clear Product filter' }).press('Enter')
    await expect(page.getByLabel('Product contains')).toBeFocused()
    await screen.expectTotal(await screen.count('1 Month'))
    await expect(screen.button('Clear Filters')).toBeDisabled()
  })

  await test.step('all values but one are ticked, and Enter applies the choice', async () => {
    await page.getByRole('button', { name: 'Username filter options' }).click()
    const dialog = page.getByRole('dialog', { name: 'Filter by Username' })
    await dialog.getByText('Values', { exact: true }).click()
    await expect(dialog.getByLabel('Select All')).toBeChecked()
    const name = (await dialog.locator('.mantine-Checkbox-label').nth(3).textContent()) ?? ''
    const one = dialog.getByLabel(name, { exact: true })
    await one.uncheck()
    await dialog.getByLabel('Search Username').press('Enter')
    await expect(dialog).toBeHidden()
    const others = [{ name: 'User', method: 'EQUALS' as const, value: name, not: true }]
    await screen.expectTotal(await screen.count('1 Month', others))

    const chosen = page.getByRole('button', { name: `Username filter: All but ${name}` })
    await chosen.click()
    await expect(one).not.toBeChecked()
    await expect(dialog.getByRole('checkbox', { checked: false })).toHaveCount(1)
    await dialog.getByLabel('Search Username').fill(name)
    await expect(dialog.getByRole('checkbox')).toHaveCount(2)
    await one.check()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(chosen).toBeHidden()
    await screen.expectTotal(await screen.count('1 Month'))
  })

  await test.step('Escape closes the dialog and returns the focus to the field', async () => {
    const dialog = page.getByRole('dialog')
    const opener = page.getByRole('button', { name: 'Choose Start Time range' })
    await opener.press('Enter')
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByLabel('Start Time starts with')).toBeFocused()
    // A dialog takes the focus a moment after it is seen. Escape may come first, while the focus is still in the table.
    await opener.press('Enter')
    await expect(dialog).toBeVisible()
    await opener.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByLabel('Start Time starts with')).toBeFocused()
  })
})

test('numbers and currencies are filtered by value, texts ignoring case, and loaded rows without a request', async ({
  page,
}) => {
  const screen = await openUsage(page, 'elasticOnly', ACCOUNT)
  const [count, hours, product] = ['Count equals', 'Hours equals', 'Product contains'].map((label) =>
    page.getByLabel(label),
  ) as [ReturnType<typeof page.getByLabel>, ReturnType<typeof page.getByLabel>, ReturnType<typeof page.getByLabel>]

  await test.step('a narrower filter and a sort need no request once everything is loaded', async () => {
    const total = await screen.count('1 Day')
    expect(total).toBeLessThanOrEqual(100)
    await screen.expectTotal(total)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await product.fill('a')
    await screen.expectTotal(await screen.count('1 Day', [{ name: 'Product', method: 'CONTAINS', value: 'a' }]))
    const cost = screen.grid.getByRole('columnheader', { name: 'Cost' })
    await cost.click()
    await expect(cost).toHaveAttribute('aria-sort', 'ascending')
    const costs = (await screen.cells('Charge').allTextContents()).filter((text) => text !== '').map(Number)
    expect(costs).toEqual([...costs].sort((one, other) => one - other))
    expect(asked.filter((path) => path === '/api/fetchUsage')).toEqual([])
    // Without sorting, rows are in the default order of the server: newest first.
    await cost.click()
    await cost.click()
    await expect.poll(async () => isNewestFirst(await screen.cells('StartTime').allTextContents())).toBe(true)
    await product.fill('')
  })

  await screen.choosePreset('1 Month')
  await count.fill('2')
  await screen.expectTotal(await screen.count('1 Month', [{ name: 'ProductCount', method: 'EQUALS', value: 2 }]))
  await count.fill('two')
  await expect(count).toHaveAttribute('aria-invalid', 'true')
  await hours.fill('0,19')
  await expect(hours).toHaveAttribute('aria-invalid', 'true')
  // Text that is not a number does not filter, and stays while somebody types.
  await screen.expectTotal(await screen.count('1 Month'))
  await expect(screen.button('Clear Filters')).toBeDisabled()
  await expect(count).toHaveValue('two')

  await page.getByLabel('Currency equals').fill('aeu')
  await screen.expectTotal(await screen.count('1 Month', [{ name: 'Currency', method: 'EQUALS', value: 'AEU' }]))
  await screen.button('Clear Filters').click()
  for (const field of [count, hours, page.getByLabel('Currency equals')]) await expect(field).toHaveValue('')

  await screen.grid.getByLabel('Username contains').fill('HANSEN')
  await screen.expectTotal(await screen.count('1 Month', [{ name: 'User', method: 'CONTAINS', value: 'hansen' }]))
  await page.getByRole('button', { name: 'Username filter options' }).click()
  await page.getByRole('dialog', { name: 'Filter by Username' }).getByText('Equals', { exact: true }).click()
  await screen.expectTotal(await screen.count('1 Month', [{ name: 'User', method: 'EQUALS', value: 'hansen' }]))
  await page.keyboard.press('Escape')
  await count.fill('abc')
  await screen.button('Reset View').click()
  await expect(count).toHaveValue('')
})

function isNewestFirst(times: readonly string[]): boolean {
  return times.length > 1 && times.every((time, place) => place === 0 || time <= (times[place - 1] ?? ''))
}
