import { expect, test } from '@playwright/test'
import { signIn } from '#e2e/support/sign-in.ts'

test.use({ viewport: { width: 360, height: 740 } })

test('on a phone the menu is a drawer', async ({ page }) => {
  await signIn(page, 'administrator', '/home?customer=100001')
  const opener = page.getByRole('button', { name: 'Open menu' })
  await opener.click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('link', { name: 'Alerts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(opener).toBeFocused()

  await opener.click()
  await drawer.getByRole('link', { name: 'Elastic Statements' }).click()
  await expect(page).toHaveURL('/statementv2?customer=100001')
  await expect(drawer).toBeHidden()
})

test('on a phone no page is wider than the screen', async ({ page }) => {
  await signIn(page, 'administrator', '/home?customer=100001')
  for (const path of ['/home', '/elastic', '/noselectedcustomer', '/notypecustomer', '/nocustomer', '/error/404']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
    expect(overflow, path).toBeLessThanOrEqual(0)
  }
})

test('on a phone an account can be searched and selected', async ({ page }) => {
  await signIn(page, 'administrator')
  const search = page.getByPlaceholder('Search for Account ID or Name')
  await search.fill('aerodyne')
  await search.press('Enter')
  await page.getByRole('option', { name: /Aerodyne Racing/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Aerodyne Racing' })).toBeVisible()
})
