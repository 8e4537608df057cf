import { expect, type Page, test } from '@playwright/test'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function selectAccount(page: Page, number: string): Promise<void> {
  const box = page.getByPlaceholder('Search for Account ID or Name')
  await box.fill(number)
  await box.press('Enter')
}

test.describe('an information page explains', () => {
  test('export compliance', async ({ page }) => {
    await signIn(page, 'exportRestricted')
    await expect(page).toHaveURL('/noaccess?customer=100004')
    await expect(page.getByText('Access to this customer is denied per Export Compliance restrictions.')).toBeVisible()
    // Entries that would be refused are hidden.
    await expect(menu(page).getByRole('link')).toHaveText(['Alerts'])
    await page.goto('/elastic?customer=100004')
    await expect(page).toHaveURL('/noaccess?customer=100004')
  })

  test('export compliance, until another customer is selected', async ({ page }) => {
    await signIn(page, 'busops', '/ssl?customer=100004')
    await expect(title(page, 'Access denied')).toBeVisible()
    await selectAccount(page, '100001')
    await expect(page).toHaveURL('/elastic?customer=100001')
  })

  test('no account at all', async ({ page }) => {
    await signIn(page, 'nobody')
    await expect(page).toHaveURL('/nocustomer')
    await expect(
      page.getByText(
        'You must be an ASC (Support Coordinator) to access the account for this customer number, please contact your sales representative.',
      ),
    ).toBeVisible()
    await menu(page).getByRole('link', { name: 'Alerts' }).click()
    await expect(title(page, 'Alerts')).toBeVisible()
  })

  test('a customer without a type', async ({ page }) => {
    await signIn(page, 'untyped')
    await expect(page).toHaveURL('/notypecustomer?customer=100005')
    await expect(
      page.getByText(
        'The selected customer needs to be either a direct or channel customer. Please contact support to correct the customer type.',
      ),
    ).toBeVisible()
  })

  test('emails of an indirect customer', async ({ page }) => {
    await signIn(page, 'singleAccount', '/emails')
    await expect(page).toHaveURL('/notypecustomer?customer=100006')
  })

  test('that no customer is selected, and then opens the requested page', async ({ page }) => {
    await signIn(page, 'busops', '/ssl')
    await expect(page).toHaveURL('/noselectedcustomer')
    await expect(page.getByText('Please select a customer from the drop down menu at the top right.')).toBeVisible()
    await page.getByRole('button', { name: 'Select an account' }).click()
    await expect(page.getByPlaceholder('Search for Account ID or Name')).toBeFocused()
    await selectAccount(page, '100001')
    await expect(page).toHaveURL('/ssl?customer=100001')
  })

  test('too few permissions, until another customer is selected', async ({ page }) => {
    await signIn(page, 'admin', '/ssl?customer=100008')
    await expect(page).toHaveURL('/nopermissions?customer=100008')
    await expect(page.getByText('You do not have enough permissions to view this page.')).toBeVisible()
    await selectAccount(page, '100001')
    await expect(page).toHaveURL('/elastic?customer=100001')
  })

  test('activations go to the start page if they are not allowed', async ({ page }) => {
    await signIn(page, 'busops', '/activations?customer=100007')
    await expect(page).toHaveURL('/elastic?customer=100007')
  })

  test('an unknown address', async ({ page }) => {
    await signIn(page, 'busops', '/no/such/page?customer=100001')
    await expect(page).toHaveURL('/error/404?customer=100001')
    await page.getByRole('main').getByRole('link', { name: 'Go to Home' }).click()
    await expect(title(page, 'Aerodyne Motors')).toBeVisible()
  })
})

test('logs and shows a failure to load the account info, with Retry', async ({ page }) => {
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await page.route('**/api/getaccountinfo/100001', (route) =>
    route.fulfill({ status: 503, json: { status: 'FAILURE', code: 'UNAVAILABLE', err: 'Not now.' } }),
  )
  await signIn(page, 'busops', '/elastic?customer=100001')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Not now.')
  expect(logged.filter((line) => line.startsWith('failed to get extended account info'))).toHaveLength(1)
  await page.unroute('**/api/getaccountinfo/100001')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(title(page, 'Elastic Licensing')).toBeVisible()
})

test('the empty path goes to elastic licensing', async ({ page }) => {
  await signIn(page, 'elasticOnly')
  await expect(title(page, 'Nimbus Cloud Labs')).toBeVisible()
  await page.goto('/')
  await expect(page).toHaveURL('/elastic?customer=100007')
  await expect(page).toHaveTitle('Nimbus Cloud Labs · Elastic Licensing')
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toHaveText(
    'HomeNimbus Cloud LabsEntitlementsElastic Licensing',
  )
})

test.describe('the menu', () => {
  const groups = (page: Page) => menu(page).getByRole('list')

  test('shows the screens of the account', async ({ page }) => {
    await signIn(page, 'busops', '/home?customer=100001')
    await expect(groups(page)).toHaveCount(6)
    await expect(menu(page).getByRole('link', { name: 'Flexible Spending Account' })).toBeVisible()

    await selectAccount(page, '100006')
    await expect(title(page, 'Blue Water Turbines')).toBeVisible()
    await expect(menu(page).getByRole('link')).toHaveText([
      'Leases/Perpetuals',
      'Activate Entitlements',
      'Manage Activations',
      'Licensing Portal Access',
      'Reminders',
      'Alerts',
    ])
    const limits = page.getByRole('main').getByRole('list').first()
    await expect(limits).toContainText('Emails are available for direct and channel customers only.')
    await expect(limits).toContainText('This account has no elastic licenses.')

    await selectAccount(page, '100007')
    await expect(title(page, 'Nimbus Cloud Labs')).toBeVisible()
    await expect(menu(page).getByRole('link')).toHaveText([
      'Leases/Perpetuals',
      'Elastic Licensing',
      'Usage Transactions',
      'Elastic Statements',
      'Denials',
      'Optimization',
      'Licensing Portal Access',
      'Elastic Credentials',
      'Elastic IP Settings',
      'Reminders',
      'Emails',
      'Alerts',
    ])
  })

  test('remembers folded groups and the narrow look', async ({ page }) => {
    await signIn(page, 'busops', '/home?customer=100001')
    await menu(page).getByRole('button', { name: 'Messages' }).click()
    await expect(menu(page).getByRole('link', { name: 'Alerts' })).toBeHidden()
    await page.reload()
    await expect(menu(page).getByRole('button', { name: 'Messages' })).toHaveAttribute('aria-expanded', 'false')

    await page.getByRole('button', { name: 'Collapse menu' }).click()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Expand menu' })).toBeVisible()
    await menu(page).getByRole('link', { name: 'Elastic Statements' }).hover()
    await expect(page.getByRole('tooltip', { name: 'Elastic Statements' })).toBeVisible()
  })

  test('shows the build and the years', async ({ page }) => {
    await signIn(page, 'busops')
    const build = (await (await page.request.get('/api/getBuildInfo')).json()) as { data: string }
    await expect(menu(page)).toContainText(build.data)
    await expect(menu(page)).toContainText(`© 2019–${new Date().getFullYear()}`)
  })
})

test('shows an error with Retry when the server does not answer', async ({ page }) => {
  await signIn(page, 'busops', '/home?customer=100001')
  await expect(title(page, 'Aerodyne Motors')).toBeVisible()
  await page.route('**/api/getaccountinfo/*', (route) => route.abort())
  await selectAccount(page, '100007')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The portal cannot be reached.')
  await page.unroute('**/api/getaccountinfo/*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(title(page, 'Nimbus Cloud Labs')).toBeVisible()
})

test('shows an error with Retry when the server cannot be reached at the start', async ({ page }) => {
  await page.route('**/config.json', (route) => route.abort())
  await page.goto('/home')
  await expect(page.getByRole('alert')).toContainText('No connection to the portal')
  await page.unroute('**/config.json')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'Choose a demo person' })).toBeVisible()
})

test.describe('when the server cannot be reached', () => {
  test('shows an error when a page chunk fails to load, and Retry loads it', async ({ page }) => {
    await signIn(page, 'viewer', '/home?customer=100001')
    await expect(title(page, 'Aerodyne Motors')).toBeVisible()
    await page.route('**/assets/*', (route) => route.abort())
    await menu(page).getByRole('link', { name: 'Emails' }).click()
    await expect(page.getByRole('main').getByText('No connection to the portal')).toBeVisible()
    await page.unroute('**/assets/*')
    await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('grid', { name: 'Emails' })).toBeVisible()
  })

  test('Retry repeats every failed request', async ({ page }) => {
    await signInUnseen(page, 'viewer')
    let requests = 0
    page.on('request', (request) => {
      if (request.url().includes('/api/featureflag/')) requests += 1
    })
    await page.route('**/api/**', (route) => route.abort())
    await page.goto('/emails?customer=100001')
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    // Wait until the retries of features and saved views have ended.
    await expect.poll(() => requests).toBe(12)
    await page.unroute('**/api/**')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('grid', { name: 'Emails' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Features' })).toBeEnabled()
  })

  test('shows no information about an account that failed to load', async ({ page }) => {
    await page.route('**/api/getaccountinfo/*', (route) =>
      route.fulfill({ status: 500, json: { status: 'FAILURE', err: 'Out of order' } }),
    )
    await signIn(page, 'administrator', '/noaccess?customer=100001')
    await expect(page.getByRole('main').getByText('Out of order')).toBeVisible()
    await expect(page.getByText('Export Compliance')).toBeHidden()
    await page.unroute('**/api/getaccountinfo/*')
    await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
    await expect(page).toHaveURL(/elastic/)
  })
})

test('an account that does not exist is requested once', async ({ page }) => {
  let requests = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/getaccountinfo/100003')) requests += 1
  })
  await signIn(page, 'viewer', '/home?customer=100003')
  await expect(page.getByText('Account 100003 was not found')).toBeVisible()
  expect(requests).toBe(1)
})
