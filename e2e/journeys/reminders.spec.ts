import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const card = (page: Page): Locator => page.getByRole('region', { name: 'Reminders by email' })
const balances = (page: Page): Locator => page.getByRole('region', { name: 'Balances that run low' })
const calendars = (page: Page): Locator => page.getByRole('region', { name: 'Calendar of end dates' })

test('an administrator sets up reminders and a calendar address, and takes both away again', async ({ page }) => {
  test.slow()
  await signIn(page, 'singleAccount', '/reminders?customer=100006')
  await card(page).getByLabel('Days before the end').fill('1')
  await page.keyboard.press('Tab')
  const save = card(page).getByRole('button', { name: 'Save' })
  const saveBalances = balances(page).getByRole('button', { name: 'Save' })
  await expect(saveBalances).toBeHidden()
  await balances(page).getByRole('button', { name: 'Add threshold' }).first().click()
  await balances(page).getByLabel('Percent left').fill('100')
  await page.keyboard.press('Tab')
  await expect(balances(page)).toContainText('Enter a percentage from 0 to 99.99')
  await expect(saveBalances).toBeDisabled()
  await balances(page).getByLabel('Percent left').fill('0')
  await expect(saveBalances).toHaveAccessibleDescription('Choose at least one recipient.')
  await card(page).getByRole('combobox', { name: 'Recipients' }).click()
  await page.getByRole('option', { name: PEOPLE.singleAccount }).click()
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await save.click()
  await expect(page.getByText('The reminders have been saved.')).toBeVisible()
  // Each card is saved by itself, with what was saved in the others.
  await expect(saveBalances).toBeEnabled()
  await saveBalances.click()
  await expect(saveBalances).toBeDisabled()

  await page.reload()
  await expect(balances(page).getByLabel('Percent left')).toHaveValue('0')
  await expect(card(page)).toContainText(PEOPLE.singleAccount)
  await balances(page).getByRole('button', { name: 'Remove threshold 0' }).click()
  await saveBalances.click()
  await expect(balances(page).getByLabel('Percent left')).toHaveCount(0)
  await card(page).getByLabel('Days before the end').click()
  await page.keyboard.press('Backspace')
  await save.click()
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
