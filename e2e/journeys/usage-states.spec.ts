import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'
import { openUsage } from '#e2e/support/usage-screen.ts'

const alert = (page: Page) => page.getByRole('main').getByRole('alert')

/** How many there are depends on the hour: a day of the account can have begun before a day of the demo data. */
const SOME_ROWS = /^1–\d+ of \d/

test('a failing list is retried, then shows an error with a Retry button', async ({ page }) => {
  const screen = await openUsage(page, 'sales', '100008')
  // Requests of the first visit are not counted.
  await page.goto('about:blank')
  let asked = 0
  await page.route('**/api/fetchUsage', (route) => {
    const isProbe = route.request().postDataJSON().limit === 1
    if (!isProbe) asked += 1
    return isProbe ? route.fallback() : route.abort()
  })
  await screen.open()
  await expect(alert(page)).toContainText('unable to fetch data after 6 attempts')
  expect(asked).toBe(6)
  await page.unroute('**/api/fetchUsage')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(alert(page)).toHaveCount(0)
  await expect(page.getByText('No sessions from')).toBeVisible()
})

test('a failing count hides the rows, and a refusal is not retried', async ({ page }) => {
  await signInUnseen(page, 'sales')
  let asked = 0
  await page.route('**/api/fetchUsage/count', (route) => {
    asked += 1
    return route.fulfill({ status: 400, json: { status: 'FAILURE', err: 'The count was refused' } })
  })
  await page.goto('/transactions?customer=100001')
  await expect(alert(page)).toContainText('The count was refused')
  await expect(rowsOf(page.getByRole('grid'))).toHaveCount(0)
  expect(asked).toBe(1)
})

test('shows an error instead of rows when the saved views cannot be loaded', async ({ page }) => {
  await signInUnseen(page, 'sales')
  await page.route('**/api/featureflag/pref', (route) =>
    route.fulfill({ status: 400, json: { status: 'FAILURE', err: 'The saved views cannot be read' } }),
  )
  await page.goto('/transactions?customer=100001')
  await expect(alert(page)).toContainText('The saved views cannot be read')
  await expect(rowsOf(page.getByRole('grid'))).toHaveCount(0)
  await page.unroute('**/api/featureflag/pref')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText(SOME_ROWS)).toBeVisible()
})

test('an account without an elastic license server has an empty screen that says so', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await signIn(page, 'sales', '/transactions?customer=100006')
  await expect(page.getByText('This account has no elastic license server.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Export as csv file' })).toBeDisabled()
  const again = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/lastupdatedon')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await again
  expect(asked).toContain('/api/devices/elastic')
  expect(asked.filter((path) => path.startsWith('/api/fetchUsage'))).toEqual([])
})

test('a day without sessions says what to do', async ({ page }) => {
  const screen = await openUsage(page, 'sales', '100008')
  await expect(page.getByText('Choose a longer date range.')).toBeVisible()
  await screen.choosePreset('Max')
  await expect(page.getByText(SOME_ROWS)).toBeVisible()
})

test('the screen is accessible and complies with the content security policy', async ({ page }) => {
  test.slow()
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  await openUsage(page, 'viewer')
  await expect(page.getByText(SOME_ROWS)).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Product contains').fill('no such product')
  await expect(page.getByText('No transactions match the filters')).toBeVisible()
  await expectAccessible(page)
  expect(refused).toEqual([])
})

const DIALOGS: Record<string, (page: Page) => Promise<void>> = {
  async 'picking a range'(page) {
    await page.getByRole('button', { name: /^Date range/ }).click()
    await page.getByRole('menuitem', { name: 'Custom' }).click()
  },
  async 'choosing values'(page) {
    await page.getByRole('button', { name: 'Product filter options' }).click()
    await page.getByRole('menuitem', { name: 'Choose values…' }).click()
    await expect(page.getByLabel('Select All')).toBeVisible()
  },
  async 'choosing times'(page) {
    await page.getByRole('button', { name: 'Choose Start Time range' }).click()
    await page.getByRole('button', { name: 'From', exact: true }).click()
    await expect(page.getByRole('spinbutton', { name: 'Hours' })).toBeVisible()
  },
  'choosing columns': (page) => page.getByRole('button', { name: 'Columns' }).click(),
  'exporting in the background': (page) => page.getByRole('button', { name: 'Background exports' }).click(),
}
test(`is accessible: ${Object.keys(DIALOGS).join(', ')}`, async ({ page }) => {
  test.slow()
  await openUsage(page, 'viewer')
  await expect(page.getByText(SOME_ROWS)).toBeVisible()
  for (const [name, open] of Object.entries(DIALOGS))
    await test.step(name, async () => {
      await open(page)
      await expect(page.getByRole('dialog').first()).toBeVisible()
      await expectAccessible(page)
      while (await page.getByRole('dialog').count()) await page.keyboard.press('Escape')
    })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

  test('the page is no wider than the screen, and nothing is out of reach', async ({ page }) => {
    const screen = await openUsage(page, 'administrator', '100001')
    await expect(page.getByText(SOME_ROWS)).toBeVisible()
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await overflow()).toBe(0)
    await page.getByRole('button', { name: /^Date range/ }).click()
    await page.getByRole('menuitem', { name: 'Custom' }).click()
    await expect(page.getByRole('dialog')).toBeInViewport({ ratio: 0.9 })
    expect(await overflow()).toBe(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await screen.button('Last page').click()
    await expect(screen.button('Next page')).toBeDisabled()
  })
})
