import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

const accountBox = (page: Page) => page.getByPlaceholder('Search for Account ID or Name')

async function selectAccount(page: Page, number: string): Promise<void> {
  await accountBox(page).fill(number)
  await accountBox(page).press('Enter')
}

test('people whose account is denied by export compliance see why, and only the alerts', async ({ page }) => {
  await signIn(page, 'exportRestricted')
  await expect(page).toHaveURL('/noaccess?customer=100004')
  await expect(page.getByText('Access to this customer is denied per Export Compliance restrictions.')).toBeVisible()
  // Entries that would be refused are hidden.
  await expect(menu(page).getByRole('link')).toHaveText(['Alerts'])
  await expectAccessible(page)
  await goWithin(page, '/elastic?customer=100004')
  await expect(page).toHaveURL('/noaccess?customer=100004')
})

test('people without an account see whom to ask, and the alerts', async ({ page }) => {
  await signIn(page, 'nobody')
  await expect(page).toHaveURL('/nocustomer')
  await expect(page.getByText('You must be an ASC (Support Coordinator) to access the account')).toBeVisible()
  await expectAccessible(page)
  await menu(page).getByRole('link', { name: 'Alerts' }).click()
  await expect(title(page, 'Alerts')).toBeVisible()
})

test('an information page leads onwards once its reason is gone', async ({ page }) => {
  await test.step('/noselectedcustomer leads onwards once a customer is selected', async () => {
    await signIn(page, 'busops', '/ssl')
    await expect(page).toHaveURL('/noselectedcustomer')
    await expect(page.getByText('Please select a customer from the drop down menu at the top right.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Select an account' }).click()
    await expect(accountBox(page)).toBeFocused()
    await selectAccount(page, '100001')
    await expect(page).toHaveURL('/ssl?customer=100001')
  })

  await test.step('the page about export compliance leads onwards once another account is selected', async () => {
    await selectAccount(page, '100004')
    await expect(title(page, 'Access denied')).toBeVisible()
    await selectAccount(page, '100001')
    await expect(page).toHaveURL('/elastic?customer=100001')
  })

  await test.step('/nopermissions leads onwards once another account is selected', async () => {
    await goWithin(page, '/nopermissions?customer=100001')
    await expect(title(page, 'No permission')).toBeVisible()
    await selectAccount(page, '100007')
    await expect(page).toHaveURL('/elastic?customer=100007')
  })

  await test.step('the page of an unknown address leads to Home', async () => {
    // The account that was open last stays.
    await page.goto('/no/such/page')
    await expect(page).toHaveURL(/\/error\/404\?customer=\d+$/)
    await page.goto('/no/such/page?customer=100001')
    await expect(page).toHaveURL('/error/404?customer=100001')
    await page.getByRole('main').getByRole('link', { name: 'Go to Home' }).click()
    await expect(title(page, 'Aerodyne Motors')).toBeVisible()
  })
})

test('an account with elastic licenses only starts with them, and has its reports among the elastic ones', async ({
  page,
}) => {
  await signInUnseen(page, 'elasticOnly')
  await page.goto('/')
  await expect(page).toHaveURL('/elastic?customer=100007')
  await expect(page).toHaveTitle('Nimbus Cloud Labs · Elastic Licensing')
  const breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  await expect(breadcrumbs).toHaveText('HomeNimbus Cloud LabsEntitlementsElastic Licensing')
  await menu(page).getByRole('link', { name: 'Optimization' }).click()
  await expect(breadcrumbs).toContainText('Elastic Reporting')
  await expect(rowsOf(page.getByRole('grid', { name: 'Elastic products' })).first()).toBeVisible()
  await expect(page.getByRole('grid', { name: 'Web licenses' })).toHaveCount(0)
})

test('the menu shows the screens of the account and the build, and remembers its look', async ({ page }) => {
  await signIn(page, 'busops', '/home?customer=100001')
  await expect(menu(page).getByRole('list')).toHaveCount(7)
  // Needed seldom, and so folded until it is opened.
  await menu(page).getByRole('button', { name: 'Settings' }).click()
  await expect(menu(page).getByRole('list')).toHaveCount(8)
  await expect(menu(page).getByRole('link', { name: 'Flexible Spending Account' })).toBeVisible()
  const build = (await (await page.request.get('/api/getBuildInfo')).json()) as { data: string }
  await expect(menu(page)).toContainText(build.data)
  await expect(menu(page)).toContainText(`© 2019–${new Date().getFullYear()}`)

  await selectAccount(page, '100006')
  await expect(title(page, 'Blue Water Turbines')).toBeVisible()
  await expect(menu(page).getByRole('link')).toHaveText([
    'Home',
    'Leases/Perpetuals',
    'Renewal Planner',
    'Activate Entitlements',
    'Manage Activations',
    'License Use',
    'Licensing Portal Access',
    'Sign-in',
    'Provisioning',
    'API Tokens',
    'Webhooks',
    'Access Review',
    'Reminders',
    'Audit Log',
    'Requests',
    'Alerts',
    'Operations',
  ])
  const limits = page.getByRole('main').getByRole('list').first()
  await expect(limits).toContainText('Emails are available for direct and channel customers only.')
  await expect(limits).toContainText('This account has no elastic licenses.')

  await selectAccount(page, '100007')
  await expect(title(page, 'Nimbus Cloud Labs')).toBeVisible()
  await expect(menu(page).getByRole('link')).toHaveText([
    'Home',
    'Leases/Perpetuals',
    'Elastic Licensing',
    'Usage Transactions',
    'Elastic Statements',
    'Denials',
    'Optimization',
    'Licensing Portal Access',
    'Elastic Credentials',
    'Elastic IP Settings',
    'Limits',
    'Sign-in',
    'Provisioning',
    'API Tokens',
    'Webhooks',
    'Access Review',
    'Reminders',
    'Audit Log',
    'Requests',
    'Emails',
    'Alerts',
    'Operations',
  ])

  await menu(page).getByRole('button', { name: 'Messages' }).click()
  await expect(menu(page).getByRole('link', { name: 'Alerts' })).toBeHidden()
  await page.getByRole('button', { name: 'Collapse menu' }).click()
  await expectAccessible(page)
  await page.reload()
  await menu(page).getByRole('link', { name: 'Elastic Statements' }).hover()
  await expect(page.getByRole('tooltip', { name: 'Elastic Statements' })).toBeVisible()
  await page.getByRole('button', { name: 'Expand menu' }).click()
  await expect(menu(page).getByRole('button', { name: 'Messages' })).toHaveAttribute('aria-expanded', 'false')
})

test('the frame leaves the window to the data, and the menu of an account fits into it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, 'administrator', '/ssl?customer=100001')
  const heightOf = async (part: Locator) => (await part.boundingBox())?.height
  const head = page.getByRole('main').locator('header').first()
  const alerts = page.getByRole('alert').filter({ hasText: 'Multiple alerts' })
  const brand = page.getByRole('banner').getByRole('link')
  const entries = menu(page).getByRole('link')
  await expect(title(page, 'Leases/Perpetuals')).toBeVisible()
  await expect(entries.last()).toHaveText('Alerts')
  for (const entry of await entries.all()) await expect(entry).toBeInViewport({ ratio: 1 })
  expect(await heightOf(page.getByRole('banner'))).toBe(56)
  expect(await heightOf(alerts)).toBe(32)
  expect(await heightOf(head)).toBe(64)
  const firstRow = rowsOf(page.getByRole('grid', { name: 'Active Entitlements' })).first()
  await expect.poll(async () => (await firstRow.boundingBox())?.y).toBeLessThanOrEqual(250)
  // 720 is a window of 1440 at 200 percent.
  for (const width of [720, 800, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await heightOf(alerts)).toBe(32)
    const [name, box] = [await brand.boundingBox(), await accountBox(page).boundingBox()]
    expect(name!.x + name!.width).toBeLessThan(box!.x)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toBeHidden()
  expect(await heightOf(alerts)).toBe(32)
  expect(await heightOf(head)).toBeLessThanOrEqual(64)
})

test('an account that fails to load shows an error with Retry, and nothing about the account', async ({ page }) => {
  const address = '**/api/getaccountinfo/*'
  const alert = page.getByRole('main').getByRole('alert')
  const retry = async () => {
    await page.unroute(address)
    await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
  }

  await test.step('Retry loads the account once the server is ready', async () => {
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await page.route(address, (route) =>
      route.fulfill({ status: 503, json: { status: 'FAILURE', code: 'UNAVAILABLE', err: 'Not now.' } }),
    )
    await signIn(page, 'busops', '/noaccess?customer=100001')
    await expect(alert).toContainText('Not now.')
    await expect(page.getByText('Export Compliance')).toBeHidden()
    expect(logged.filter((line) => line.startsWith('failed to get extended account info'))).toHaveLength(1)
    await retry()
    await expect(page).toHaveURL('/elastic?customer=100001')
    await expect(title(page, 'Elastic Licensing')).toBeVisible()
  })

  await test.step('Retry loads the account once the server answers', async () => {
    await page.route(address, (route) => route.abort())
    await selectAccount(page, '100007')
    await expect(alert).toContainText('The portal cannot be reached.')
    await retry()
    await expect(accountBox(page)).toHaveValue('100007 (Nimbus Cloud Labs)')
    await expect(alert).toHaveCount(0)
  })

  await test.step('an account that does not exist is requested once', async () => {
    let requests = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/getaccountinfo/999999')) requests += 1
    })
    await goWithin(page, '/home?customer=999999')
    await expect(page.getByText('Account 999999 was not found')).toBeVisible()
    expect(requests).toBe(1)
  })
})

test('a portal that cannot be reached shows an error, and Retry loads what is missing', async ({ page }) => {
  const retry = page.getByRole('button', { name: 'Retry' })
  await signInUnseen(page, 'viewer')

  await test.step('Retry loads the configuration at the start', async () => {
    await page.route('**/config.json', (route) => route.abort())
    await page.goto('/home?customer=100001')
    await expect(page.getByRole('alert')).toContainText('No connection to the portal')
    await page.unroute('**/config.json')
    await retry.click()
    await expect(title(page, 'Aerodyne Motors')).toBeVisible()
  })

  await test.step('Retry loads the code of a screen', async () => {
    await page.route('**/assets/*', (route) => route.abort())
    await menu(page).getByRole('link', { name: 'Emails' }).click()
    await expect(page.getByRole('main').getByText('No connection to the portal')).toBeVisible()
    await page.unroute('**/assets/*')
    await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('grid', { name: 'Emails' })).toBeVisible()
  })

  await test.step('Retry repeats every failed call', async () => {
    let requests = 0
    page.on('request', (request) => {
      if (request.url().includes('/api/featureflag/')) requests += 1
    })
    await page.route('**/api/**', (route) => route.abort())
    await page.reload()
    await expect(retry).toBeVisible()
    // Wait until the retries of features and saved views have ended.
    await expect.poll(() => requests).toBe(12)
    await page.unroute('**/api/**')
    await retry.click()
    await expect(page.getByRole('grid', { name: 'Emails' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Features', exact: true })).toBeEnabled()
  })
})

test('menus, dialogs and the account search are accessible, and a dialog returns the focus', async ({ page }) => {
  test.slow()
  await signIn(page, 'busops', '/home?customer=100001')
  await page.getByRole('button', { name: /account of/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible()
  await expectAccessibleInBothSchemes(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()

  const features = page.getByRole('button', { name: 'Features', exact: true })
  await features.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Enabled Feature Flags' })
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(features).toBeFocused()

  await selectAccount(page, 'aerodyne')
  await expect(page.getByRole('option')).toHaveCount(2)
  await accountBox(page).press('ArrowDown')
  await expectAccessible(page)
  await selectAccount(page, '(')
  await expect(page.getByText('Invalid filter text.')).toBeVisible()
  await expectAccessibleInBothSchemes(page)
})
