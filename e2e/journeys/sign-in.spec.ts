import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { signInAnew } from '#e2e/support/sign-in.ts'
import { limit } from '#server/testing/slowness.ts'

const signInPage = (page: Page) => page.getByRole('heading', { name: 'Choose a demo person' })
const choose = (page: Page, email: string) => page.getByRole('button', { name: email }).click()
/** Any call of a page whose session has ended leads to sign-in, also one that was made before the act. */
const unlessGone = (act: Promise<void>) => act.catch(() => undefined)
const currentUser = (page: Page) => page.evaluate(() => localStorage.getItem('currentUser'))

test('sign-in returns to the requested page, sign-out keeps the color scheme, and / ends on Home', async ({ page }) => {
  await page.goto('/notifications?customer=100001')
  await expect(signInPage(page)).toBeVisible()
  await choose(page, PEOPLE.administrator)
  await expect(page).toHaveURL('/notifications?customer=100001')
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()

  const avatar = page.getByRole('button', { name: 'AA, account of Ada Admin' })
  await expect(avatar).toHaveText('AA')
  await avatar.click()
  const menu = page.getByRole('menu')
  await expect(menu).toContainText(PEOPLE.administrator)
  await expect(menu).toContainText('(Portal Administrator Role)')
  await expect(menu.getByRole('menuitem', { name: 'Manage Account' })).toHaveAttribute('target', '_blank')
  const html = page.locator('html')
  await menu.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await menu.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(signInPage(page)).toBeVisible()

  // Sign-in lands on the account that was open last.
  const last = [{ AccountID: '100002', AccountName: 'Aerodyne Racing' }]
  await page.route('**/api/recentaccounts', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { status: 'SUCCESS', data: last } }) : route.continue(),
  )
  await page.goto('/')
  await choose(page, PEOPLE.administrator)
  await expect(page).toHaveURL('/home?customer=100002')
  await expect(page).toHaveTitle(/Home/)
  await expect(page.getByRole('heading', { level: 1, name: 'Aerodyne Racing' })).toBeVisible()
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('offers to stay signed in two minutes before an idle session ends', async ({ page }) => {
  await page.clock.install()
  await signInAnew(page, 'administrator', '/home?customer=100001')
  await expect(page.getByRole('heading', { name: 'Ending soon' })).toBeVisible()
  const warning = page.getByRole('dialog', { name: 'Do you want to stay signed in?' })
  await page.clock.fastForward('26:00')
  await expect(warning).toBeHidden()
  await page.clock.fastForward('01:05')
  await expect(warning).toContainText(/You will be signed out in 1:\d\d/)
  await expectAccessibleInBothSchemes(page)
  await warning.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(warning).toBeHidden()
  await page.clock.fastForward('26:00')
  await expect(warning).toBeHidden()
})

test('sign-out in one tab signs out the others, and asks once where changes are unsaved', async ({ page, context }) => {
  await signInAnew(page, 'administrator', '/portalaccess?customer=100002')
  await page.getByRole('button', { name: 'Add contact' }).click()
  await page.getByLabel('Email').last().fill('half.written@racing.example')
  let questions = 0
  page.on('dialog', (dialog) => {
    questions += 1
    return dialog.dismiss()
  })
  const alerts = await context.newPage()
  await alerts.goto('/notifications?customer=100002')
  await expect(alerts.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
  const home = await context.newPage()
  await home.goto('/home?customer=100002')
  await home.getByRole('button', { name: /account of/ }).click()
  await home.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(signInPage(home)).toBeVisible()
  await expect(signInPage(alerts)).toBeVisible()
  expect((await home.request.get('/api/getUserDetails')).status()).toBe(401)

  await expect.poll(() => questions).toBe(1)
  // This navigation clears local storage again, which the first tab must ignore.
  await home.goto('/ssl?customer=100002')
  await expect(signInPage(home)).toBeVisible()
  await expect(page.getByLabel('Email').last()).toHaveValue('half.written@racing.example')
  expect(questions).toBe(1)
})

test('a session that has ended leads to sign-in and back to its page, and no page opens without a remembered person', async ({
  page,
  context,
}) => {
  await signInAnew(page, 'busops', '/home?customer=100001')
  await expect(page.getByRole('heading', { name: 'Aerodyne Motors' })).toBeVisible()
  expect(JSON.parse((await currentUser(page)) ?? '{}')).toMatchObject({ email: PEOPLE.busops })
  await context.clearCookies()
  await unlessGone(page.getByPlaceholder('Search for Account ID or Name').fill('aerodyne', { timeout: limit(10_000) }))
  await expect(signInPage(page)).toBeVisible()
  expect(await currentUser(page)).toBeNull()

  await choose(page, PEOPLE.busops)
  await expect(page).toHaveURL('/home?customer=100001')
  await expect(page.getByRole('heading', { name: 'Aerodyne Motors' })).toBeVisible()
  await context.clearCookies()
  await unlessGone(page.evaluate(() => localStorage.removeItem('currentUser')))
  await unlessGone(page.getByRole('link', { name: 'Alerts', exact: true }).click({ timeout: limit(10_000) }))
  await expect(signInPage(page)).toBeVisible()
})
