import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const card = (page: Page): Locator => page.getByRole('region', { name: 'Reminders by email' })
const calendars = (page: Page): Locator => page.getByRole('region', { name: 'Calendar of end dates' })

test('an administrator sets up reminders and a calendar address, and takes both away again', async ({ page }) => {
  test.slow()
  await signIn(page, 'singleAccount', '/reminders?customer=100006')
  await card(page).getByLabel('Days before the end').fill('1')
  await page.keyboard.press('Tab')
  const save = card(page).getByRole('button', { name: 'Save' })
  await card(page)
    .getByRole('region', { name: 'Balances that run low' })
    .getByRole('button', { name: 'Add threshold' })
    .first()
    .click()
  await card(page).getByLabel('Percent left').fill('100')
  await page.keyboard.press('Tab')
  await expect(card(page)).toContainText('Enter a percentage from 0 to 99.99')
  await expect(save).toBeDisabled()
  await card(page).getByLabel('Percent left').fill('0')
  await card(page).getByRole('combobox', { name: 'Recipients' }).click()
  await page.getByRole('option', { name: PEOPLE.singleAccount }).click()
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await save.click()
  await expect(page.getByText('The reminders have been saved.')).toBeVisible()

  await page.reload()
  await expect(card(page).getByLabel('Percent left')).toHaveValue('0')
  await expect(card(page)).toContainText(PEOPLE.singleAccount)
  await card(page).getByRole('button', { name: 'Remove threshold 0' }).click()
  await card(page).getByLabel('Days before the end').click()
  await page.keyboard.press('Backspace')
  await save.click()
  await expect(card(page).getByLabel('Percent left')).toHaveCount(0)
  await expect(save).toBeDisabled()

  const name = `Team ${Date.now()}`
  await calendars(page).getByLabel('Name of a new address').fill(name)
  await calendars(page).getByRole('button', { name: 'Create address' }).click()
  const dialog = page.getByRole('dialog', { name: `Calendar address "${name}"` })
  const address = (await dialog.getByRole('code').textContent()) ?? ''
  await expectAccessible(page)
  const calendar = await page.request.get(new URL(address).pathname)
  expect(calendar.headers()['content-type']).toContain('text/calendar')
  expect(await calendar.text()).toContain('BEGIN:VEVENT')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await calendars(page)
    .getByRole('button', { name: `Revoke ${name}` })
    .click()
  await page.getByRole('button', { name: 'Revoke address' }).click()
  await expect(page.getByText('The calendar address has been revoked.')).toBeVisible()
  await expect(calendars(page)).not.toContainText(name)
  expect((await page.request.get(new URL(address).pathname)).status()).toBe(404)
})
