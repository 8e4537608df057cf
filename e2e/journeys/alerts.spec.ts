import { type Browser, expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import type { Person } from '#e2e/support/people.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const table = (page: Page) => page.getByRole('grid', { name: 'Alerts' })
const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'Multiple alerts' })
const demoAlert = (n: number) => `/notification-details/a0000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Another person in another browser. */
async function another(browser: Browser, person: Person, address: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await signIn(page, person, address)
  return page
}

async function writeAlert(page: Page, { service, description }: { service: string; description: string }) {
  await page.getByRole('button', { name: 'New alert' }).click()
  const dialog = page.getByRole('dialog', { name: 'New alert' })
  await dialog.getByLabel('Category').selectOption('CRITICAL')
  await dialog.getByRole('combobox', { name: 'Services' }).fill(service)
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: 'Description' }).fill(description)
  return dialog
}

test('filters by category, status, service and date', async ({ page }) => {
  await signIn(page, 'support', '/notifications')
  await expect(page.getByRole('columnheader')).toContainText([
    'Date',
    'Category',
    'Services',
    'Description',
    'Status',
    'Expires',
  ])
  await expect(table(page).getByText('Sign-in was slow')).toBeVisible()
  const clear = page.getByRole('button', { name: 'Clear Filters' })
  await expect(clear).toBeDisabled()

  const category = page.getByRole('group', { name: 'Category' })
  await category.getByRole('checkbox', { name: 'Planned maintenance' }).check()
  await category.getByRole('checkbox', { name: 'Service degradation' }).check()
  await expect(table(page).getByText('Information')).toBeHidden()
  await expect(table(page).getByText('Outage')).toBeHidden()
  await expect(table(page).getByText('Sign-in was slow')).toBeVisible()

  await page.getByLabel('Status').selectOption('Resolved')
  await expect(page.getByText('1–1 of 1 alert')).toBeVisible()
  await expect(table(page).getByText('Planned maintenance of the elastic licensing service.')).toBeVisible()
  await page.getByLabel('Status').selectOption('Not expired')
  await expect(table(page).getByText('Sign-in was slow')).toBeHidden()
  await expect(table(page).getByText('Emails were delivered late.')).toBeVisible()
  await page.getByLabel('Service', { exact: true }).selectOption('Web Licenses')
  await expect(page.getByText('1–1 of 1 alert')).toBeVisible()

  await clear.click()
  await expect(page.getByLabel('Status')).toHaveValue('')
  await expect(table(page).getByText('Sign-in was slow')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reset View' })).toBeDisabled()
})

test('rejects dates that are not YYYY-MM-DD', async ({ page }) => {
  await signIn(page, 'support', '/notifications')
  await expect(table(page).getByText('Sign-in was slow')).toBeVisible()
  const from = page.getByLabel('From', { exact: true })
  await from.fill('31.12.2020')
  await from.press('Enter')
  await expect(page.getByText('Enter a date as YYYY-MM-DD.')).toBeVisible()
  await expect(table(page).getByText('Sign-in was slow')).toBeVisible()
  await from.fill('2999-01-01')
  await expect(page.getByText('Enter a date as YYYY-MM-DD.')).toBeHidden()
  await expect(page.getByText('No alerts match the filters')).toBeVisible()
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await expect(page.getByText('"From" must not be after "To".')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).first().click()
  await expect(from).toHaveValue('')
  await expect(table(page).getByText('Sign-in was slow')).toBeVisible()
})

test('says what is loading', async ({ page }) => {
  await page.route('**/api/notifications', async (route) => {
    if (route.request().method() === 'POST') await new Promise((resolve) => page.once('close', resolve))
    await route.continue().catch(() => {})
  })
  await signIn(page, 'support', '/notifications')
  await expect(page.getByText('Getting Alerts...')).toBeVisible()
})

test('categories and alerts have pages of their own', async ({ page }) => {
  await signIn(page, 'viewer', '/notifications')
  await expect(page.getByRole('button', { name: 'New alert' })).toBeHidden()
  await table(page).getByRole('link', { name: 'Service degradation' }).first().click()
  await expect(page).toHaveURL(/^[^?]*\/notifications-category\/WARNING/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Service degradation')
  await expect(table(page).getByText('Sign-in was slow')).toBeVisible()
  await expect(table(page).getByText('Planned maintenance')).toBeHidden()

  await page.goto(demoAlert(6))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Planned maintenance')
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Alerts', exact: true })
  await expect(entry).toHaveAttribute('aria-current', 'page')
  await expect(page.getByText('read-only during a database upgrade')).toBeVisible()
  const link = page.getByRole('link', { name: 'What to prepare' })
  await expect(link).toHaveAttribute('href', 'https://docs.vendor.example/licensing-portal/maintenance')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(page.getByRole('button', { name: 'Edit' })).toBeHidden()

  await page.goto('/notifications-category/NONSENSE')
  await expect(page).toHaveURL(/\/error\/404/)
  await page.goto('/notification-details/1')
  await expect(page.getByText('This alert does not exist')).toBeVisible()
})

test('a published alert appears at once in every open portal, until it is resolved', async ({ browser, page }) => {
  test.slow()
  const service = `Service ${Date.now()}`
  const reader = await another(browser, 'administrator', '/notifications?customer=100002')
  await expect(table(reader).getByText('Sign-in was slow')).toBeVisible()
  await signIn(page, 'busops', '/notifications')
  const dialog = await writeAlert(page, { service, description: `Everything of ${service} is down.` })
  const preview = dialog.getByRole('region', { name: 'Preview of the banner' })
  // Together with the alerts that are in the banner already.
  await expect(preview).toContainText('Multiple alerts')
  await expect(preview).toContainText(service)
  await expectAccessibleInBothSchemes(page)
  await dialog.getByRole('button', { name: 'Publish' }).click()
  const question = page.getByRole('dialog', { name: 'Publish this alert?' })
  await expect(question).toContainText('Everyone who uses the portal will see this alert')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Publish alert' }).click()
  await expect(dialog).toBeHidden()

  await expect(banner(reader)).toContainText(service)
  const row = table(reader).getByText(`Everything of ${service} is down.`)
  await expect(row).toBeVisible()
  await row.click()

  await table(page).getByText(`Everything of ${service} is down.`).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Description' }).fill(`${service} is slow.`)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(reader.getByRole('main').getByText(`${service} is slow.`)).toBeVisible()

  await page.getByRole('button', { name: 'Resolve' }).click()
  await page.getByRole('dialog', { name: 'Confirm' }).getByRole('button', { name: 'Resolve alert' }).click()
  await expect(reader.getByRole('main').getByText('Resolved')).toBeVisible()
  await expect(banner(reader)).not.toContainText(service)
})

test('the second of two authors sees both versions', async ({ browser, page }) => {
  test.slow()
  const service = `Shared ${Date.now()}`
  await signIn(page, 'busops', '/notifications')
  const dialog = await writeAlert(page, { service, description: `${service} began.` })
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog', { name: 'Publish this alert?' }).getByRole('button', { name: 'Publish alert' }).click()
  await table(page).getByText(`${service} began.`).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  const other = await another(browser, 'admin', new URL(page.url()).pathname)
  await other.getByRole('button', { name: 'Edit' }).click()
  const edit = (on: Page) => on.getByRole('dialog', { name: 'Edit alert' })
  await edit(page).getByRole('textbox', { name: 'Description' }).fill(`${service} by busops.`)
  await edit(other).getByRole('textbox', { name: 'Description' }).fill(`${service} by admin.`)
  await edit(other).getByRole('button', { name: 'Save' }).click()
  await expect(edit(other)).toBeHidden()

  await edit(page).getByRole('button', { name: 'Save' }).click()
  const versions = edit(page).getByRole('table', { name: 'Both versions' })
  await expect(versions).toContainText(`${service} by admin.`)
  await expect(versions).toContainText(`${service} by busops.`)
  await expect(edit(page).getByRole('textbox', { name: 'Description' })).toHaveValue(`${service} by busops.`)
  await expectAccessible(page)
  await edit(page).getByRole('button', { name: 'Keep mine' }).click()
  await edit(page).getByRole('button', { name: 'Save' }).click()
  await expect(edit(page)).toBeHidden()
  await expect(other.getByRole('main').getByText(`${service} by busops.`)).toBeVisible()

  await page.getByRole('button', { name: 'Resolve' }).click()
  await page.getByRole('dialog', { name: 'Confirm' }).getByRole('button', { name: 'Resolve alert' }).click()
  await expect(page.getByRole('button', { name: 'Resolve', exact: true })).toBeHidden()
})

test('asks before an unsaved alert is closed', async ({ page }) => {
  await signIn(page, 'admin', '/notifications')
  const dialog = await writeAlert(page, { service: 'Email', description: 'Half a sentence' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const warning = page.getByRole('dialog', { name: 'WARNING: You have unsaved changes' })
  await warning.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Description' })).toHaveValue('Half a sentence')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await warning.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(dialog).toBeHidden()
})

test('the alert screens are accessible', async ({ page }) => {
  test.slow()
  await signIn(page, 'busops', '/notifications')
  await expect(table(page).getByText('Sign-in was slow')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/notifications-category/CRITICAL')
  await expect(table(page).getByText('License files could not be generated.')).toBeVisible()
  await expectAccessible(page)
  await page.goto(demoAlert(2))
  await expect(page.getByText('License files could not be generated.')).toBeVisible()
  await expectAccessible(page)
})
