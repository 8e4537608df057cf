import { expect, test } from '@playwright/test'
import { signIn } from '#e2e/support/sign-in.ts'

test('the keyboard reaches and leaves everything in the shell', async ({ page }) => {
  await signIn(page, 'administrator', '/home?customer=100001')
  await expect(page.getByRole('heading', { level: 1, name: 'Aerodyne Motors' })).toBeVisible()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }

  await press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('main')).toBeFocused()

  const avatar = page.getByRole('button', { name: 'AA, account of Ada Admin' })
  await avatar.focus()
  await press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'Light' })).toBeFocused()
  await press('ArrowDown', 'ArrowDown', 'ArrowDown')
  await expect(page.getByRole('menuitemcheckbox', { name: 'Shortcuts / and ?' })).toBeFocused()
  await press('End', 'ArrowUp')
  await expect(page.getByRole('menuitem', { name: 'Manage Account' })).toBeFocused()
  await press('Escape')
  await expect(avatar).toBeFocused()

  await press('Shift+Tab')
  const help = page.getByRole('button', { name: 'Help', exact: true })
  await expect(help).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Documentation' })).toBeFocused()
  await press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Get Support' })).toBeFocused()
  await press('Escape')
  await expect(help).toBeFocused()

  await press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Search the portal' })).toBeFocused()
  await press('Shift+Tab', 'Shift+Tab')
  const search = page.getByRole('combobox', { name: 'Account search' })
  await expect(search).toBeFocused()
  await page.keyboard.type('racing')
  await press('Enter')
  await expect(page).toHaveURL('/home?customer=100002')

  await press('Shift+Tab', 'Shift+Tab')
  await expect(page.getByRole('button', { name: 'Collapse menu' })).toBeFocused()
  const group = page.getByRole('button', { name: 'Entitlements', exact: true })
  await group.focus()
  await press('Enter')
  await expect(group).toHaveAttribute('aria-expanded', 'false')
  await press('Space', 'Tab')
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leases/Perpetuals' }),
  ).toBeFocused()
  await press('Enter')
  await expect(page).toHaveURL('/ssl?customer=100002')
})
