import { expect, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { signInAnew } from '#e2e/support/sign-in.ts'

test('a member of staff views the portal as a contact, read-only, and stops', async ({ page }) => {
  test.slow()
  await signInAnew(page, 'support', '/portalaccess?customer=100001')
  const initials = page.getByRole('button', { name: /account of/ })
  const entry = page.getByRole('menuitem', { name: 'View as customer' })
  await initials.click()
  await entry.click()
  const dialog = page.getByRole('dialog', { name: 'View as customer' })
  await dialog.getByRole('combobox', { name: 'Contact' }).click()
  await page.getByRole('option', { name: PEOPLE.viewer }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'View as contact' }).click()

  const banner = page.getByText(`You are viewing the portal as ${PEOPLE.viewer}`)
  await expect(banner).toBeVisible()
  await expect(page).toHaveURL(/\/home/)
  await expect(page.getByRole('link', { name: 'Operations' })).toHaveCount(0)
  await expectAccessible(page)
  await page.goto('/portalaccess?customer=100001')
  await expect(banner).toBeVisible()
  await initials.click()
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible()
  await expect(entry).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Stop viewing' }).click()
  await expect(page.getByRole('region', { name: 'Contacts' })).toBeVisible()
  await expect(banner).toHaveCount(0)
})
