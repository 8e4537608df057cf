import { type Browser, expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { holdBack } from '#e2e/support/hold-back.ts'
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

test('alerts are filtered by category, status, service and date', async ({ page }) => {
  const alerts = await holdBack(page, '**/api/notifications', 'POST')
  await signIn(page, 'support', '/notifications')
  await expect(page.getByText('Getting Alerts...')).toBeVisible()
  alerts.release()
  await expect(table(page).getByText('Sign-in was slow')).toBeVisible()
  await expect(page.getByRole('columnheader')).toContainText([
    'Date',
    'Category',
    'Services',
    'Description',
    'Status',
    'Expires',
  ])
  const clear = page.getByRole('button', { name: 'Clear Filters' })
  await expect(clear).toBeDisabled()

  const category = page.getByRole('group', { name: 'Category' })
  await category.getByRole('checkbox', { name: 'Planned maintenance' }).check()
  await category.getByRole('checkbox', { name: 'Service degradation' }).check()
  await expect(table(page).getByText('Information')).toBeHidden()
  await expect(table(page).getByText('Outage')).toBeHidden()
  await expect(table(page).getByText('Sign-in was slow')).toBeVisible()

  await page.getByLabel('Status').selectOption('Resolved')
  await expect(page.getByText('1 alert', { exact: true })).toBeVisible()
  await expect(table(page).getByText('Planned maintenance of the elastic licensing service.')).toBeVisible()
  await page.getByLabel('Status').selectOption('Not expired')
  await expect(table(page).getByText('Sign-in was slow')).toBeHidden()
  await expect(table(page).getByText('Emails were delivered late.')).toBeVisible()
  await page.getByLabel('Service', { exact: true }).selectOption('Web Licenses')
  await expect(page.getByText('1 alert', { exact: true })).toBeVisible()
  await clear.click()
  await expect(page.getByLabel('Status')).toHaveValue('')
  await expect(table(page).getByText('Sign-in was slow')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reset View' })).toBeDisabled()

  await test.step('dates that are not YYYY-MM-DD are rejected', async () => {
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
})

test('categories and alerts have pages of their own', async ({ page }) => {
  await signIn(page, 'viewer', '/notifications')
  await expect(page.getByRole('button', { name: 'New alert' })).toBeHidden()
  await table(page).getByRole('link', { name: 'Service degradation' }).first().click()
  await expect(page).toHaveURL(/^[^?]*\/notifications-category\/WARNING/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Service degradation')
  await expect(table(page).getByText('Sign-in was slow')).toBeVisible()
  await expect(table(page).getByText('Planned maintenance')).toBeHidden()

  await goWithin(page, demoAlert(6))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Planned maintenance')
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Alerts', exact: true })
  await expect(entry).toHaveAttribute('aria-current', 'page')
  await expect(page.getByText('read-only during a database upgrade')).toBeVisible()
  const link = page.getByRole('link', { name: 'What to prepare' })
  await expect(link).toHaveAttribute('href', 'https://docs.vendor.example/licensing-portal/maintenance')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(page.getByRole('button', { name: 'Edit' })).toBeHidden()

  await goWithin(page, '/notifications-category/NONSENSE')
  await expect(page).toHaveURL(/\/error\/404/)
  await goWithin(page, '/notification-details/1')
  await expect(page.getByText('This alert does not exist')).toBeVisible()
})

test('a published alert appears at once in every open portal, until it is resolved', async ({ browser, page }) => {
  const service = `Service ${Date.now()}`
  const reader = await another(browser, 'administrator', '/notifications?customer=100002')
  await expect(table(reader).getByText('Sign-in was slow')).toBeVisible()
  await signIn(page, 'busops', '/notifications')
  await page.getByRole('button', { name: 'New alert' }).click()
  const dialog = page.getByRole('dialog', { name: 'New alert' })
  await dialog.getByLabel('Category').selectOption('CRITICAL')
  await dialog.getByRole('combobox', { name: 'Services' }).fill(service)
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: 'Description' }).fill(`Everything of ${service} is down.`)
  const preview = dialog.getByRole('region', { name: 'Preview of the banner' })
  // Together with the alerts that are in the banner already.
  await expect(preview).toContainText('Multiple alerts')
  await expect(preview).toContainText(service)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Publish' }).click()
  const question = page.getByRole('dialog', { name: 'Publish this alert?' })
  await expect(question).toContainText('Everyone who uses the portal will see this alert')
  await question.getByRole('button', { name: 'Publish alert' }).click()
  await expect(dialog).toBeHidden()

  await expect(banner(reader)).toContainText(service)
  const row = table(reader).getByText(`Everything of ${service} is down.`)
  await expect(row).toBeVisible()
  await row.click()

  await table(page).getByText(`Everything of ${service} is down.`).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit alert' })
  await edit.getByRole('textbox', { name: 'Description' }).fill(`${service} is slow.`)
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(reader.getByRole('main').getByText(`${service} is slow.`)).toBeVisible()

  await page.getByRole('button', { name: 'Resolve' }).click()
  await page.getByRole('dialog', { name: 'Confirm' }).getByRole('button', { name: 'Resolve alert' }).click()
  await expect(reader.getByRole('main').getByText('Resolved')).toBeVisible()
  await expect(banner(reader)).not.toContainText(service)
  await reader.context().close()
})
