import { expect, type Page, test } from '@playwright/test'
import { signIn } from '#e2e/support/sign-in.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Enabled Feature Flags' })
const flag = (page: Page, name: string) => dialog(page).getByRole('checkbox', { name, exact: true })
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const menuLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

async function openFlags(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Features', exact: true }).click()
  await expect(dialog(page)).toBeVisible()
}

test('flags are chosen, cleared and reset, and routes and menu follow at once', async ({ page }) => {
  await signIn(page, 'salesAccess', '/notifications?customer=100003')
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await openFlags(page)
  await test.step('Apply needs a change, and Defaults ticks the default flags', async () => {
    await expect(button(page, 'Apply')).toBeDisabled()
    await expect(button(page, 'Defaults')).toBeDisabled()
    await flag(page, 'emails').uncheck()
    await expect(button(page, 'Apply')).toBeEnabled()
    await button(page, 'Defaults').click()
    await expect(flag(page, 'emails')).toBeChecked()
    await expect(flag(page, 'f1202990')).not.toBeChecked()
    await expect(button(page, 'Apply')).toBeDisabled()
  })
  await test.step('Clear unticks everything, and Cancel changes nothing', async () => {
    await button(page, 'Clear').click()
    await expect(dialog(page).getByRole('checkbox', { checked: true })).toHaveCount(0)
    await button(page, 'Cancel').click()
    await openFlags(page)
    await expect(flag(page, 'emails')).toBeChecked()
  })
  await test.step('flags in conflict cannot be applied', async () => {
    await expect(dialog(page).getByText('Web assignments by groups, users and entitlements')).toBeVisible()
    await flag(page, 'web-assignments').check()
    await flag(page, 'f1202990').check()
    await expect(dialog(page).getByRole('alert')).toHaveText('Selections are in conflict. Deselect one or more option.')
    await expect(dialog(page).getByText('In conflict with f1202990')).toBeVisible()
    await expect(dialog(page).getByText('In conflict with web-assignments')).toBeVisible()
    await expect(button(page, 'Apply')).toBeDisabled()
    await flag(page, 'f1202990').uncheck()
    await expect(dialog(page).getByRole('alert')).toBeHidden()
  })
  await test.step('a failed save shows an error and keeps the choice', async () => {
    await page.route('**/api/featureflag/features', (route) => route.abort())
    await flag(page, 'emails').uncheck()
    await flag(page, 'notifications').uncheck()
    await button(page, 'Apply').click()
    await expect(dialog(page).getByRole('alert')).toContainText('The portal cannot be reached.')
    await expect(flag(page, 'emails')).not.toBeChecked()
    await page.unroute('**/api/featureflag/features')
  })
  await test.step('routes and menu follow the flags at once', async () => {
    await button(page, 'Apply').click()
    await expect(dialog(page)).toBeHidden()
    // The screen that was switched off is the current one.
    await expect(page).toHaveURL('/home?customer=100003')
    await expect(menuLink(page, 'Emails')).toBeHidden()
    await openFlags(page)
    await flag(page, 'emails').check()
    await flag(page, 'notifications').check()
    await button(page, 'Apply').click()
    await expect(menuLink(page, 'Emails')).toBeVisible()
    await menuLink(page, 'Alerts').click()
    await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  })
})

test('refused flags are requested once, and every screen is open', async ({ page }) => {
  let requests = 0
  await page.route('**/api/featureflag/features', (route) => {
    requests += 1
    return route.fulfill({ status: 404, json: { status: 'FAILURE', err: 'There is no such thing.' } })
  })
  await signIn(page, 'licenseGenerator', '/home?customer=100003')
  await expect(page.getByRole('button', { name: 'Features', exact: true })).toBeDisabled()
  await menuLink(page, 'Alerts').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
  expect(requests).toBe(1)
})

test('production has no flags to choose', async ({ page }) => {
  await page.route('**/api/environment', (route) => route.fulfill({ json: { status: 'SUCCESS', data: 'prod' } }))
  await signIn(page, 'busops', '/home?customer=100001')
  await expect(page.getByRole('heading', { level: 1, name: 'Aerodyne Motors' })).toBeVisible()
  await expect(page.getByText('© 2019–')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Features', exact: true })).toBeHidden()
})
