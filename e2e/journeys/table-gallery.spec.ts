import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { openGallery } from '#e2e/support/gallery.ts'
import { filterBy, rowsOf } from '#e2e/support/table.ts'

const parts = (page: Page) => page.getByRole('treegrid', { name: 'Parts' })
const row = (page: Page, key: string) => parts(page).locator(`[role=row][data-row="${key}"]`)
const cell = (page: Page, key: string, column: string) =>
  row(page, key).locator(`[role=gridcell][data-col="${column}"]`)

test('child rows unfold to any depth, and rows are struck through before they are removed', async ({ page }) => {
  test.slow()
  await openGallery(page, 'parts')

  await test.step('child rows are loaded when their parent is unfolded', async () => {
    await page.getByRole('button', { name: 'Children of Part 1', exact: true }).click()
    await expect(row(page, '1.1')).toHaveAttribute('aria-level', '2')
    await page.getByRole('button', { name: 'Children of Part 1.1', exact: true }).click()
    await expect(row(page, '1.1.2')).toHaveAttribute('aria-level', '3')
    await cell(page, '2', 'name').focus()
    await page.keyboard.press('ArrowRight')
    await expect(row(page, '2')).toHaveAttribute('aria-expanded', 'true')
    await expect(row(page, '2.1')).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(row(page, '2')).toHaveAttribute('aria-expanded', 'false')
  })

  await test.step('removed rows are struck through and can be restored', async () => {
    await page.getByRole('button', { name: 'Remove Part 3', exact: true }).click()
    await expect(cell(page, '3', 'quantity')).toHaveCSS('text-decoration-line', 'line-through')
    await page.getByRole('button', { name: 'Keep Part 3', exact: true }).click()
    await expect(cell(page, '3', 'quantity')).toHaveCSS('text-decoration-line', 'none')
  })

  await test.step('the table is accessible, also on a phone', async () => {
    await page.getByRole('checkbox', { name: 'Select Part 2', exact: true }).click()
    await expectAccessibleInBothSchemes(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessibleInBothSchemes(page)
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  await test.step('the focus stays in its cell when rows are reloaded', async () => {
    await page.getByRole('button', { name: 'Children of Part 1', exact: true }).click()
    await expect(row(page, '1.1')).toBeHidden()
    const reload = page.getByRole('button', { name: 'Reload with other rows' })
    await cell(page, '4', 'note').focus()
    // Without the mouse, which would take the focus away.
    await reload.evaluate((button: HTMLElement) => button.click())
    await expect(rowsOf(parts(page)).nth(3)).toHaveAttribute('data-row', '4b')
    await expect(cell(page, '4b', 'note')).toBeFocused()
  })
})

test('rows are selected one by one, as a range, as a page, and all that match until the filter changes', async ({
  page,
}) => {
  await openGallery(page, 'parts')
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  const all = page.getByRole('button', { name: 'Select all 45 that match' })
  await box('Part 2').click()
  await box('Part 5').click({ modifiers: ['Shift'] })
  await expect(page.getByText('4 selected')).toBeVisible()
  await expect(row(page, '3')).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('checkbox', { name: 'Select all parts on this page' }).click()
  await expect(page.getByText('20 selected')).toBeVisible()
  await all.click()
  await expect(page.getByText('45 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(row(page, '21')).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await expect(page.getByText(/selected$/)).toHaveCount(0)

  await page.getByRole('button', { name: 'Previous page' }).click()
  await box('Part 2').click()
  await all.click()
  await expect(page.getByText('45 selected')).toBeVisible()
  await filterBy(parts(page), 'Name contains', 'Part 4')
  await expect(page.getByText('7 parts', { exact: true })).toBeVisible()
  await expect(page.getByText(/selected$/)).toHaveCount(0)
})

test('the menu of a header sorts, moves, pins, hides and leads to the filter', async ({ page }) => {
  await openGallery(page, 'parts')
  const headers = parts(page).getByRole('columnheader')
  const header = (name: string) => headers.filter({ hasText: name })
  const choose = async (name: string, item: string) => {
    await header(name).focus()
    await page.keyboard.press('F2')
    await page.getByRole('menuitem', { name: item }).click()
  }
  const names = () => headers.evaluateAll((all) => all.map((one) => one.getAttribute('data-col')))
  const order = async (first: string, second: string) => {
    const found = await names()
    return found.indexOf(second) - found.indexOf(first)
  }
  await choose('Quantity', 'Sort descending')
  await expect(header('Quantity')).toHaveAttribute('aria-sort', 'descending')
  await expect(rowsOf(parts(page)).first()).toContainText('Part 45')
  await choose('State', 'Move right')
  await expect.poll(() => order('due', 'state')).toBe(1)
  await choose('Due', 'Pin to the left')
  await expect.poll(() => order('name', 'due')).toBe(1)
  await choose('Quantity', 'Hide column')
  await expect(header('Quantity')).toHaveCount(0)
  await choose('State', 'Filter')
  await expect(page.getByLabel('State contains')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(header('State')).toBeFocused()
  await page.getByRole('button', { name: 'View settings' }).click()
  await page.getByRole('button', { name: 'Show all columns' }).click()
  await page.keyboard.press('Escape')
  await expect(header('Quantity')).toHaveCount(1)
  await page.getByRole('button', { name: 'Reset View' }).click()
  await expect.poll(() => order('name', 'quantity')).toBe(1)

  await test.step('a pinned header stays above its cells when the table scrolls sideways', async () => {
    await page.setViewportSize({ width: 700, height: 900 })
    const left = async (role: 'columnheader' | 'gridcell') =>
      (await page.locator(`[role=${role}][data-col=name]`).first().boundingBox())?.x
    await expect.poll(async () => (await left('columnheader')) === (await left('gridcell'))).toBe(true)
    const body = page.getByRole('rowgroup').nth(1)
    await body.evaluate((element) => element.scrollTo({ left: 80 }))
    await expect(page.getByRole('treegrid')).toHaveAttribute('data-scrolled', 'true')
    await expect.poll(async () => (await left('columnheader')) === (await left('gridcell'))).toBe(true)
  })
})

test('arrows, Home, End and Page keys move through a thousand rows, of which few are drawn', async ({ page }) => {
  await openGallery(page, 'thousand')
  const grid = page.getByRole('grid', { name: 'Thousand' })
  await expect(grid).toHaveAttribute('aria-rowcount', '1001')
  expect(await rowsOf(grid).count()).toBeLessThan(80)
  const at = (index: number, column: number) => grid.locator(`[data-index="${index}"] [data-col="c${column}"]`)
  await at(0, 0).focus()
  for (const [key, index, column] of [
    ['ArrowDown', 1, 0],
    ['ArrowRight', 1, 1],
    ['End', 1, 14],
    ['Home', 1, 0],
    ['PageDown', 11, 0],
    ['PageUp', 1, 0],
    ['Control+End', 999, 14],
    ['ArrowUp', 998, 14],
    ['Control+Home', 0, 0],
  ] as const) {
    await page.keyboard.press(key)
    await expect(at(index, column), key).toBeFocused()
    await expect(at(index, column)).toBeInViewport()
  }
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(grid.getByRole('columnheader').first()).toBeFocused()
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await expect(rowsOf(grid)).toHaveCount(1000)
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  expect(await rowsOf(grid).count()).toBeLessThan(80)

  await page.setViewportSize({ width: 1280, height: 720 })
  await page.getByRole('button', { name: 'View settings' }).click()
  const showAll = page.getByRole('button', { name: 'Show all columns' })
  await expect(showAll, 'the whole panel of 15 columns is in a window of 720 pixels').toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
})

test('tables in panels and dialogs work independently, and rows that cannot be selected stay out', async ({ page }) => {
  await openGallery(page, 'hosts')

  await test.step('rows that cannot be selected stay out of the selection', async () => {
    await expect(page.getByRole('checkbox', { name: 'Select host-3', exact: true })).toHaveCount(0)
    await page.getByRole('checkbox', { name: 'Select host-2', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Select host-4', exact: true }).click({ modifiers: ['Shift'] })
    await expect(page.getByText('2 selected')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Select all hosts on this page' }).click()
    await expect(page.getByText('19 selected')).toBeVisible()
  })

  await test.step('a table in the panel of a row has its own keyboard navigation', async () => {
    const hosts = page.getByRole('grid', { name: 'Hosts' })
    await hosts.locator('[data-row=h2] [data-col=name]').click()
    const history = page.getByRole('treegrid', { name: 'History of host-2' })
    const first = history.locator('[data-index="0"] [data-col=action]')
    await first.focus()
    await page.keyboard.press('ArrowRight')
    await expect(history.getByRole('row', { name: /Activated/ })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(history.locator('[data-index="1"] [data-col=action]')).toBeFocused()
    await page.keyboard.press('Control+End')
    await expect(history.locator('[data-index="3"] [data-col=seats]')).toBeFocused()
    await hosts.locator('[data-row=h2] [data-col=name]').focus()
    await page.keyboard.press('ArrowDown')
    await expect(hosts.locator('[data-row=h3] [data-col=name]')).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(hosts.locator('[data-row=h2] [data-col=name]')).toBeFocused()
  })

  await test.step('a table in a dialog edits numbers in their cells, and leaves the address alone', async () => {
    await page.getByRole('button', { name: 'Change host-1', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Change host-1' })
    const seats = dialog.getByRole('textbox', { name: 'Seats' })
    await expect(seats).toHaveCount(3)
    await expect(dialog.getByRole('button', { name: 'View settings' })).toHaveCount(0)
    await dialog.getByRole('columnheader', { name: 'Action' }).click()
    await expect(dialog.getByRole('gridcell', { name: 'Emailed' })).toBeVisible()
    await seats.first().fill('two')
    await expect(page.getByText('Enter a whole number.')).toBeVisible()
    await seats.first().fill('9')
    await expect(page.getByText('Only 5 seats are available.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(seats.first()).toHaveValue('3')
    await seats.first().fill('5')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('row').last()).toContainText('8')
    expect(new URL(page.url()).search).toBe('')
    await expectAccessible(page)
  })
})
