import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })

test('business operations see the state of the installation and send a failed email again', async ({ page }) => {
  await signIn(page, 'busops', '/home')
  await page.getByRole('link', { name: 'Operations', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Operations', level: 1 })).toBeVisible()
  await expect(card(page, 'Backups')).toContainText('No backup is known')
  await expect(card(page, 'Drills')).toContainText('No backup was ever tried')
  await expect(card(page, 'Processes').getByRole('row')).toHaveCount(2)
  await expect(card(page, 'Processes')).toContainText('Ready')
  await expect(card(page, 'Months of usage')).toContainText('OK')
  await expectAccessibleInBothSchemes(page)

  // No other journey looks at the emails of this account.
  const email = card(page, 'Messages').getByRole('row').filter({ hasText: '100007' })
  await email.getByRole('button', { name: /^Send again: email of / }).click()
  await expect(page.getByText('The message is sent again.')).toBeVisible()
  await expect(email).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(card(page, 'Backups')).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('support reads along, and others find neither the menu entry nor the screen', async ({ page }) => {
  await signIn(page, 'support', '/operations')
  await expect(card(page, 'Messages').getByRole('table')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Send again/ })).toHaveCount(0)
  await signIn(page, 'administrator', '/operations?customer=100001')
  await expect(page).toHaveURL(/\/nopermissions/)
  await expect(page.getByRole('link', { name: 'Operations', exact: true })).toHaveCount(0)
})
