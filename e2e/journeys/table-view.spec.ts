import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf, chipOf, keepNoViews, openFilter, rowsOf } from '#e2e/support/table.ts'
import { openUsage } from '#e2e/support/usage-screen.ts'

test.beforeEach(({ page }) => keepNoViews(page))

/** With their borders, in pixels. */
const BAR_AND_HEAD = 40 + 32 + 4

const emails = (page: Page) => page.getByRole('grid', { name: 'Emails' })

test('a list keeps its head, its page and its density, and opens rows here or in a new tab', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 1280, height: 700 })
  await signIn(page, 'viewer', '/emails?customer=100001')
  await expect(rowsOf(emails(page)).nth(19)).toBeVisible()

  await test.step('Ctrl-click opens a new tab', async () => {
    const opened = context.waitForEvent('page')
    await cellsOf(emails(page), 'date')
      .first()
      .click({ modifiers: ['ControlOrMeta'] })
    await expect((await opened).getByRole('heading', { level: 1 })).toContainText('Your license file, with a picture')
    await (await opened).close()
    await expect(page).toHaveURL('/emails?customer=100001')
  })

  await test.step('head and filters stay below the toolbar while the window scrolls', async () => {
    await rowsOf(emails(page)).nth(15).scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, 300)
    await expect.poll(async () => (await emails(page).getByRole('columnheader').first().boundingBox())?.y).toBe(56)
    await expect(page.getByText('1–20 of 300 emails')).toBeInViewport()
  })

  await test.step('Back returns to the page of the list that was left', async () => {
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

  await test.step('compact rows survive a reload', async () => {
    const height = async () => (await rowsOf(emails(page)).first().boundingBox())?.height ?? 0
    const before = await height()
    await page.getByRole('button', { name: 'View settings' }).click()
    await page.getByText('Compact').click()
    await expect.poll(height).toBeLessThan(before)
    await page.reload()
    await expect(rowsOf(emails(page)).first()).toBeVisible()
    expect(await height()).toBeLessThan(before)
  })
})

test('a column is filtered from its head, the bar or its chip, and the row of filters is there for those who want it', async ({
  page,
}) => {
  await signIn(page, 'viewer', '/emails?customer=100001')
  const header = emails(page).getByRole('columnheader', { name: 'Subject' })
  const filter = page.getByRole('dialog', { name: 'Filter by Subject' })
  const field = filter.getByLabel('Subject contains')
  const chip = chipOf(page, 'Subject contains "with a picture"')
  const add = page.getByRole('button', { name: 'Add filter' })
  const one = page.getByText('1 email', { exact: true })
  const all = page.getByText('1–20 of 300 emails')
  await expect(all).toBeVisible()

  await test.step('what is typed narrows the rows, and Escape takes it back', async () => {
    await openFilter(page, 'Subject')
    await field.fill('with a picture')
    await expect(one).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(all).toBeVisible()
    await expect(chip).toHaveCount(0)
    await expect(header).toBeFocused()
  })

  await test.step('the funnel in the head opens the same, and a chip says what is in force', async () => {
    await header.hover()
    await header.locator('button').last().click()
    await expect(field).toBeFocused()
    await field.fill('with a picture')
    await expectAccessibleInBothSchemes(page)
    await filter.getByRole('button', { name: 'Apply' }).click()
    await expect(one).toBeVisible()
    await expect(chip).toBeVisible()
    await expect(header).toHaveAccessibleDescription('Filtered')
    await expectAccessibleInBothSchemes(page)
  })

  await test.step('the chip opens it again, and is removed by the keyboard', async () => {
    await chip.press('Enter')
    await expect(field).toHaveValue('with a picture')
    await page.keyboard.press('Escape')
    await expect(chip).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(all).toBeVisible()
    await expect(chip).toHaveCount(0)
    await expect(add).toBeFocused()
  })

  await test.step('the bar lists what can be filtered', async () => {
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Subject' }).press('Enter')
    await expect(field).toBeFocused()
    await filter.getByRole('button', { name: 'Cancel' }).press('Enter')
    await expect(add).toBeFocused()
  })

  await test.step('the row of filters stays after a reload', async () => {
    await expect(emails(page).getByLabel('Subject contains')).toHaveCount(0)
    await page.getByRole('button', { name: 'View settings' }).click()
    await page.getByRole('switch', { name: 'Filter row' }).click()
    await expect(emails(page).getByLabel('Subject contains')).toBeVisible()
    await page.reload()
    await expect(emails(page).getByLabel('Subject contains')).toBeVisible()
  })
})

test('in a window of 1440 pixels, one bar and the head are all that is above the first row of a table', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, 'administrator', '/ssl?customer=100001')
  const grid = page.getByRole('grid', { name: 'Active Entitlements', exact: true })
  await expect(page.getByText(/^≤ 30 days \d/)).toBeVisible()
  const table = await page.getByRole('region', { name: 'Active Entitlements', exact: true }).boundingBox()
  const row = await rowsOf(grid).first().boundingBox()
  expect((row?.y ?? 0) - (table?.y ?? 0)).toBeLessThanOrEqual(BAR_AND_HEAD)
})

test('a printout names the account, the day and the filters, and has nothing to click', async ({ page }) => {
  await signIn(page, 'administrator', '/ssl?customer=100001')
  const total = page.getByRole('button', { name: /activated: show the license servers/ }).first()
  await expect(total).toBeVisible()
  const rest = [
    page.getByRole('button', { name: 'Close alerts' }),
    page.getByRole('link', { name: /^Activate / }).first(),
    page.getByRole('button', { name: 'View settings' }).first(),
    page.getByRole('button', { name: 'Add filter' }).first(),
    page.getByRole('button', { name: 'Next page' }).first(),
    page.getByRole('banner'),
  ]
  for (const one of rest) await expect(one).toBeVisible()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(
    page.getByText(/Active Entitlements · Aerodyne Motors \(100001\) · \d{4}-\d\d-\d\d/).first(),
  ).toBeVisible()
  for (const one of rest) await expect(one).toBeHidden()
  await expect(total, 'all text of a row has one size').toHaveCSS('font-size', '9px')
  const row = rowsOf(page.getByRole('grid', { name: 'Active Entitlements', exact: true })).first()
  await expect(row).toHaveCSS('color', 'rgb(28, 32, 36)')

  await page.emulateMedia({ media: 'screen' })
  const filter = { Product: { filterType: 'text', type: 'contains', filter: 'Fluid' } }
  const search = new URLSearchParams({ customer: '100001', filter: JSON.stringify(filter) })
  await goWithin(page, `/transactions?${search}`)
  await expect(rowsOf(page.getByRole('grid', { name: 'Usage transactions' })).first()).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(/^Usage transactions · Aerodyne Motors \(100001\)/)).toContainText(
    /Only: From \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d · Product contains "Fluid"/,
  )
})

test.describe('tables on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  const AMOUNT = /^[\d,]+\.\d\d [A-Z]{3}$/
  const expectNoOverflow = async (page: Page) =>
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')).toBe(0)

  test('emails have two lines, are sorted and filtered in a dialog, and open like alerts', async ({ page }) => {
    await signIn(page, 'viewer', '/emails?customer=100001')
    const first = rowsOf(emails(page)).first()
    await expect(page.getByText('1–20 of 300 emails')).toBeVisible()
    await expect(first).toContainText('Your license file, with a picture')
    await expect(first).toContainText('ada.admin@aerodyne.example')
    await expect(emails(page).getByRole('columnheader')).toHaveCount(0)
    const newest = (await first.textContent()) ?? ''
    await page.getByRole('button', { name: 'Next page' }).tap()
    await expect(page.getByText('21–40 of 300 emails')).toBeVisible()
    await expect(first).not.toHaveText(newest)

    await page.getByRole('button', { name: /^Filters/ }).tap()
    await page.getByLabel('Sort by').selectOption({ label: 'Subject, descending' })
    await page.getByRole('button', { name: 'Show rows' }).tap()
    await expect(page.getByText('1–20 of 300 emails')).toBeVisible()
    await expect(first).toContainText('Your license file')
    await page.getByRole('button', { name: /^Filters/ }).tap()
    await page.getByRole('button', { name: 'Subject filter options' }).tap()
    const popover = page.getByRole('dialog', { name: 'Filter by Subject' })
    await expect(popover).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(popover).toHaveCount(0)
    await page.getByLabel('Subject contains').fill('with a picture')
    await page.getByRole('button', { name: 'Show rows' }).tap()
    await expect(page.getByText('1 email', { exact: true })).toBeVisible()
    await first.tap()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Your license file')

    await goWithin(page, '/notifications?customer=100001')
    const alerts = page.getByRole('grid', { name: 'Alerts' })
    await rowsOf(alerts).filter({ hasText: 'License files could not be generated.' }).tap()
    await expect(page).toHaveURL(/\/notification-details\//)
    await expect(page.getByRole('main')).toContainText('License files could not be generated.')
  })

  test('entitlements and transactions unfold, and amounts have their currency', async ({ page }) => {
    const screen = await openUsage(page, 'viewer', '100001')
    // A running session has no charge yet.
    await expect(screen.cells('Charge').filter({ hasText: AMOUNT }).first()).toBeVisible()
    await expect(
      page.getByRole('gridcell', { name: /^Total · Hours [\d,.]+ · Cost [\d,.]+ [A-Z]{3}$/ }).first(),
    ).toBeVisible()
    await screen.rows.first().tap()
    await expect(page.getByText('External IP')).toBeVisible()
    await expectNoOverflow(page)
    await page.getByRole('button', { name: /^Date range/ }).click()
    await page.getByRole('menuitem', { name: 'Custom' }).click()
    await expect(page.getByRole('dialog')).toBeInViewport({ ratio: 0.9 })
    await expectNoOverflow(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await screen.button('Last page').click()
    await expect(screen.button('Next page')).toBeDisabled()

    await goWithin(page, '/elastic?customer=100001')
    const active = page.getByRole('grid', { name: 'Active Entitlements', exact: true })
    await expect(rowsOf(active).first().locator('[data-col=remaining]')).toHaveText(AMOUNT)
    await expectNoOverflow(page)

    await goWithin(page, '/ssl?customer=100001')
    await rowsOf(active).filter({ hasText: 'Acoustics Response' }).first().tap()
    await active.getByRole('button', { name: /^[1-9]\d* activated: show the license servers$/ }).tap()
    await expect(page.getByRole('dialog', { name: 'Activated on license servers' })).toContainText(
      /\d+ of \d+ seats? activated/,
    )
  })
})
