import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { signIn } from '#e2e/support/sign-in.ts'

test.use({ viewport: { width: 360, height: 740 } })

test('on a phone an account is searched, the menu is a drawer, and no page is wider than the screen', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'administrator')
  // Customers see their accounts only.
  await expect(page.getByRole('heading', { name: 'Your accounts' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Accounts that need attention' })).toHaveCount(0)
  await expectNoOverflow(page, '/home')
  const search = page.getByPlaceholder('Search for Account ID or Name')
  await search.fill('aerodyne')
  await search.press('Enter')
  await expect(page.getByRole('option')).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('option', { name: /Aerodyne Racing/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Aerodyne Racing' })).toBeVisible()
  await expectNoOverflow(page, '/home of an account')

  const opener = page.getByRole('button', { name: 'Open menu' })
  await opener.click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('link', { name: 'Alerts' })).toBeVisible()
  await expectAccessibleInBothSchemes(page)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(opener).toBeFocused()
  await opener.click()
  await drawer.getByRole('link', { name: 'Leases/Perpetuals' }).click()
  await expect(page).toHaveURL('/ssl?customer=100002')
  await expect(drawer).toBeHidden()
  await expectNoOverflow(page, '/ssl')

  for (const path of ['/noselectedcustomer', '/error/404']) {
    const title = page.getByRole('heading', { level: 1 })
    const before = (await title.textContent()) ?? ''
    await goWithin(page, path)
    await expect(title).not.toHaveText(before)
    await expectNoOverflow(page, path)
  }
})

test('on a phone the first row of a list is in sight', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'busops', '/transactions?customer=100001')
  const first = page.locator('main [role=row][data-index]').first()
  for (const path of [
    'transactions',
    'statementv2',
    'statementv2?tab=chargeback',
    'notifications',
    'elastic-denials',
    'planner',
    'license-use',
  ]) {
    await goWithin(page, `/${path}${path.includes('?') ? '&' : '?'}customer=100001`)
    const top = async () => (await first.boundingBox())?.y ?? Number.NaN
    await expect.poll(top, path).toBeLessThan(320)
    await expectNoOverflow(page, path)
  }
})

async function expectNoOverflow(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
  expect(overflow, path).toBeLessThanOrEqual(0)
}
