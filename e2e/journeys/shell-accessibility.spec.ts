import { expect, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'

/** Every route of the portal, on an account with every kind of license. */
const ROUTES = [
  '/home',
  '/ssl',
  '/elastic',
  '/entitlementsFSA',
  '/activations',
  '/activations-history',
  '/web-assignments',
  '/web-transactions',
  '/web-reporting',
  '/optimization',
  '/transactions',
  '/statementv2',
  '/elastic-denials',
  '/portalaccess',
  '/clscredentials',
  '/whitelistips',
  '/reminders',
  '/emails',
  '/emails/e0000000-0000-4000-8000-100001000001',
  '/notifications',
  '/notifications-category/CRITICAL',
  '/notification-details/a0000000-0000-4000-8000-000000000001',
  '/nopermissions',
  '/error/404',
]

/** One sign-in for several routes saves time. */
const TOURS = Array.from({ length: 4 }, (_, tour) => ROUTES.filter((_route, at) => at % 4 === tour))

for (const routes of TOURS)
  test(`${routes.join(', ')} are accessible and keep to the content security policy`, async ({ page }) => {
    test.slow()
    const refused: string[] = []
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text())
    })
    await signInUnseen(page, 'administrator')
    for (const path of routes)
      await test.step(path, async () => {
        await page.goto(`${path}?customer=100001`)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page).toHaveURL(`${path}?customer=100001`)
        // This is where the colors of every screen are checked, so its content has to be there.
        const waiting = page.getByRole('status').filter({ hasText: '...' }).or(page.locator('[class*=skeleton]'))
        await expect(waiting).toHaveCount(0)
        await expectAccessibleInBothSchemes(page)
      })
    expect(refused).toEqual([])
  })

for (const [person, path] of [
  ['exportRestricted', '/noaccess'],
  ['nobody', '/nocustomer'],
  ['untyped', '/notypecustomer'],
  ['busops', '/noselectedcustomer'],
] as const)
  test(`${path} is accessible`, async ({ page }) => {
    await signIn(page, person, person === 'busops' ? '/ssl' : '/home')
    await expect(page).toHaveURL(new RegExp(path))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page)
  })

test('/f1202990, which is off by default, is accessible', async ({ page }) => {
  await signInUnseen(page, 'coordinator')
  const known = await (await page.request.get('/api/featureflag/features')).json()
  const on = known.data.filter((one: { enabled: boolean }) => one.enabled).map((one: { name: string }) => one.name)
  const features = [...on.filter((name: string) => name !== 'web-assignments'), 'f1202990']
  const headers = { 'x-requested-with': 'portal' }
  expect((await page.request.post('/api/featureflag/features', { data: { features }, headers })).status()).toBe(200)
  await page.goto('/f1202990?customer=100001')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveURL('/f1202990?customer=100001')
  await expectAccessible(page)
})

test('the accounts of a person, on Home and in the search box, are accessible', async ({ page }) => {
  await signIn(page, 'administrator')
  await expect(page.getByRole('heading', { name: 'Your accounts' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('option')).toHaveCount(2)
  await expectAccessible(page)
})

test('menus, account search and its messages are accessible', async ({ page }) => {
  test.slow()
  await signIn(page, 'busops', '/home?customer=100001')
  await page.getByRole('button', { name: /account of/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible()
  await expectAccessibleInBothSchemes(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()

  const search = page.getByPlaceholder('Search for Account ID or Name')
  await search.fill('aerodyne')
  await search.press('Enter')
  await expect(page.getByRole('option')).toHaveCount(2)
  await search.press('ArrowDown')
  await expectAccessibleInBothSchemes(page)
  await search.fill('(')
  await search.press('Enter')
  await expect(page.getByText('Invalid filter text.')).toBeVisible()
  await expectAccessibleInBothSchemes(page)
})

test('dialogs, the narrow menu and the drawer are accessible', async ({ page }) => {
  test.slow()
  await signIn(page, 'busops', '/home?customer=100001')
  await page.getByRole('button', { name: 'Features' }).click()
  await expect(page.getByRole('dialog', { name: 'Enabled Feature Flags' })).toBeVisible()
  await expectAccessibleInBothSchemes(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.getByRole('button', { name: 'Collapse menu' }).click()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Alerts' })).toBeVisible()
  await expectAccessibleInBothSchemes(page)
})
