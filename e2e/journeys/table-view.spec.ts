import { expect, type Page, test } from '@playwright/test'
import { measureTables } from '#e2e/support/measured-tables.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf, rowsOf } from '#e2e/support/table.ts'
import { openUsage } from '#e2e/support/usage-screen.ts'

const emails = (page: Page) => page.getByRole('grid', { name: 'Emails' })

test('Back returns to the page of the list that was left', async ({ page }) => {
  await signIn(page, 'sales', '/emails?customer=100001')
  await expect(page.getByText('1–20 of 300 emails')).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('21–40 of 300 emails')).toBeVisible()
  await expect(page).toHaveURL('/emails?customer=100001&page=2')
  const subject = cellsOf(emails(page), 'subject').nth(5)
  const text = (await subject.textContent()) ?? ''
  await cellsOf(emails(page), 'to').nth(5).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(text)
  await page.goBack()
  await expect(page.getByText('21–40 of 300 emails')).toBeVisible()
  await expect(subject).toHaveText(text)
})

test('an address with filters, order and page shows the same to a colleague', async ({ page, browser }) => {
  const screen = await openUsage(page, 'support', '100007')
  await screen.choosePreset('Max')
  await page.getByLabel('Count equals').fill('≤ 2')
  await expect.poll(() => page.url()).toContain('filter=')
  await screen.grid.getByRole('columnheader', { name: 'Cost' }).click()
  await expect(screen.grid.getByRole('columnheader', { name: 'Cost' })).toHaveAttribute('aria-sort', 'ascending')
  await screen.grid.getByRole('columnheader', { name: 'Start Time' }).click({ modifiers: ['Shift'] })
  await expect(screen.grid.getByRole('columnheader', { name: 'Start Time' })).toContainText('2')
  await screen.button('Next page').click()
  await expect(page.getByText(/^21–40 of/)).toBeVisible()
  // The old rows stay until the new ones arrive.
  await expect(screen.grid).toHaveAttribute('aria-busy', 'false')
  const sessions = await screen.cells('DeviceID').allTextContents()

  const colleague = await (await browser.newContext()).newPage()
  await signIn(colleague, 'admin', page.url().replace(/^https?:\/\/[^/]+/, ''))
  const grid = colleague.getByRole('grid', { name: 'Usage transactions' })
  await expect(colleague.getByText(/^21–40 of/)).toBeVisible()
  await expect(colleague.getByLabel('Count equals')).toHaveValue('≤ 2')
  await expect(cellsOf(grid, 'DeviceID')).toHaveText(sessions)
  await expect(grid.getByRole('columnheader', { name: 'Cost' })).toContainText('1')
  await expect(grid.getByRole('columnheader', { name: 'Start Time' })).toContainText('2')
})

test('a row opens with a click or Enter, and with Ctrl-click in a new tab', async ({ page, context }) => {
  await signIn(page, 'viewer', '/emails?customer=100001')
  const opened = context.waitForEvent('page')
  await cellsOf(emails(page), 'date')
    .first()
    .click({ modifiers: ['ControlOrMeta'] })
  await expect((await opened).getByRole('heading', { level: 1 })).toContainText('Your license file, with a picture')
  await expect(page).toHaveURL('/emails?customer=100001')
  await cellsOf(emails(page), 'date').first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Your license file, with a picture')
})

test('the menu of a header sorts, pins, moves, hides and leads to the filter', async ({ page }) => {
  const screen = await openUsage(page, 'sales', '100001')
  const headers = screen.grid.getByRole('columnheader')
  const menu = async (header: string, item: string) => {
    await headers.filter({ hasText: header }).focus()
    await page.keyboard.press('F2')
    await page.getByRole('menuitem', { name: item }).click()
  }
  await expect(screen.cells('Product').first()).toBeVisible()
  await expect(headers.first(), 'the order of the list itself has its arrow').toHaveAttribute('aria-sort', 'descending')
  await menu('Product', 'Sort descending')
  await expect(headers.filter({ hasText: 'Product' })).toHaveAttribute('aria-sort', 'descending')
  await menu('Product', 'Move right')
  await expect(headers.nth(3)).toHaveText('Product')
  await menu('Product', 'Pin to the left')
  await expect(headers.nth(1)).toHaveText('Product')
  await menu('Count', 'Hide column')
  await expect(headers.filter({ hasText: 'Count' })).toHaveCount(0)
  await menu('Product', 'Filter')
  await expect(page.getByLabel('Product contains')).toBeFocused()
  await screen.button('Columns').click()
  const showAll = page.getByRole('button', { name: 'Show all columns' })
  await expect(showAll, 'the whole panel is in a window of 720 pixels').toBeInViewport({ ratio: 1 })
  await showAll.click()
  await page.keyboard.press('Escape')
  await expect(headers.filter({ hasText: 'Count' })).toHaveCount(1)
  await screen.button('Reset View').click()
  await expect(headers.nth(1)).toHaveText('End Time')
})

test('the note that maintenance has ended is not cut off', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, 'support', '/ssl?customer=100001')
  const grid = page.getByRole('grid', { name: 'Active Entitlements', exact: true })
  // Other journeys see the leases of this person as well: the view is not kept.
  await page.route('**/api/featureflag/pref', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  const section = page.getByRole('region', { name: 'Active Entitlements', exact: true })
  await section.getByText('Permanent', { exact: true }).first().click()
  await expect(grid.getByText('ended').first()).toBeVisible()
  expect((await measureTables(page)).flatMap(({ faults }) => faults)).toEqual([])
})

test('the leases fit into 1280 pixels, ids included', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, 'admin', '/ssl?customer=100001')
  const grid = page.getByRole('grid', { name: 'Active Entitlements', exact: true })
  await expect(rowsOf(grid).first()).toBeVisible()
  const [head] = await grid.getByRole('rowgroup').all()
  expect(await head?.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  // Evaluations have a badge next to their id.
  await expect(grid.getByText('Evaluation').first()).toBeVisible()
  const cut = await grid
    .getByText(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .evaluateAll((ids) => ids.filter((id) => id.scrollWidth > id.clientWidth).map((id) => id.textContent))
  expect(cut).toEqual([])
})

test('head and filters stay below the toolbar while the window scrolls', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 700 })
  await signIn(page, 'busops', '/emails?customer=100001')
  await expect(rowsOf(emails(page)).nth(19)).toBeVisible()
  await rowsOf(emails(page)).nth(15).scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 300)
  await expect.poll(async () => (await emails(page).getByRole('columnheader').first().boundingBox())?.y).toBe(56)
  await expect(page.getByText('1–20 of 300 emails')).toBeInViewport()
})

test('compact rows apply to every table and survive a reload', async ({ page }) => {
  await signIn(page, 'busops', '/emails?customer=100001')
  const height = async () => (await rowsOf(emails(page)).first().boundingBox())?.height ?? 0
  await expect(rowsOf(emails(page)).first()).toBeVisible()
  const before = await height()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByText('Compact').click()
  await expect.poll(height).toBeLessThan(before)
  await page.reload()
  await expect(rowsOf(emails(page)).first()).toBeVisible()
  expect(await height()).toBeLessThan(before)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

  test('emails show subject, date and recipient in two lines, and filters in a dialog', async ({ page }) => {
    await signIn(page, 'viewer', '/emails?customer=100001')
    const first = rowsOf(emails(page)).first()
    await expect(first).toContainText('Your license file, with a picture')
    await expect(first).toContainText('ada.admin@aerodyne.example')
    await expect(emails(page).getByRole('columnheader')).toHaveCount(0)
    await page.getByRole('button', { name: 'Sort and filter' }).click()
    await page.getByLabel('Subject contains').fill('with a picture')
    await page.getByRole('button', { name: 'Show rows' }).click()
    await expect(page.getByText('1–1 of 1 email')).toBeVisible()
    await page.getByRole('button', { name: 'Clear Filters' }).click()
    await first.click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Your license file')
  })

  test('an alert opens from its row', async ({ page }) => {
    await signIn(page, 'viewer', '/notifications')
    const alerts = page.getByRole('grid', { name: 'Alerts' })
    await rowsOf(alerts).filter({ hasText: 'License files could not be generated.' }).tap()
    await expect(page).toHaveURL(/\/notification-details\//)
    await expect(page.getByRole('main')).toContainText('License files could not be generated.')
  })

  test('a lease unfolds to its seats, and their hosts open', async ({ page }) => {
    await signIn(page, 'viewer', '/ssl?customer=100001')
    const active = page.getByRole('grid', { name: 'Active Entitlements', exact: true })
    await rowsOf(active).filter({ hasText: 'Acoustics Response' }).first().tap()
    await active.getByRole('button', { name: /^[1-9]\d* activated: show the license servers$/ }).tap()
    await expect(page.getByRole('dialog', { name: 'Activated on license servers' })).toContainText(
      /\d+ of \d+ seats? activated/,
    )
  })

  test('a list is sorted and paged', async ({ page }) => {
    await signIn(page, 'admin', '/emails?customer=100001')
    await expect(page.getByText('1–20 of 300 emails')).toBeVisible()
    const newest = (await rowsOf(emails(page)).first().textContent()) ?? ''
    await page.getByRole('button', { name: 'Next page' }).tap()
    await expect(page.getByText('21–40 of 300 emails')).toBeVisible()
    await expect(rowsOf(emails(page)).first()).not.toHaveText(newest)
    await page.getByRole('button', { name: 'Sort and filter' }).tap()
    await page.getByLabel('Sort by').selectOption({ label: 'Subject, descending' })
    await page.getByRole('button', { name: 'Show rows' }).tap()
    await expect(page.getByText('1–20 of 300 emails')).toBeVisible()
    await expect(rowsOf(emails(page)).first()).toContainText('Your license file')
  })

  test('a transaction unfolds to everything that it holds', async ({ page }) => {
    const screen = await openUsage(page, 'viewer', '100001')
    await screen.rows.first().click()
    await expect(page.getByText('External IP')).toBeVisible()
  })
})

test('a printout names the account and the day, and has no toolbar, filters or pager', async ({ page }) => {
  await signIn(page, 'viewer', '/emails?customer=100001')
  await expect(rowsOf(emails(page)).first()).toBeVisible()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByText(/Emails · Aerodyne Motors \(100001\) · \d{4}-\d\d-\d\d/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Columns' })).toBeHidden()
  await expect(page.getByLabel('Subject contains')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Next page' })).toBeHidden()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(rowsOf(emails(page)).first()).toHaveCSS('color', 'rgb(28, 32, 36)')
})

test('a printout has no alert banner and no links to act, and all text of a row has one size', async ({ page }) => {
  await signIn(page, 'administrator', '/ssl?customer=100001')
  const total = page.getByRole('button', { name: /activated: show the license servers/ }).first()
  await expect(total).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close alerts' })).toBeVisible()
  const activate = page.getByRole('link', { name: /^Activate / }).first()
  await expect(activate).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Close alerts' })).toBeHidden()
  await expect(activate).toBeHidden()
  await expect(total).toHaveCSS('font-size', '9px')
})
