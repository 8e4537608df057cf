import { expect, type Page, test } from '@playwright/test'
import { holdBack } from '#e2e/support/hold-back.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const box = (page: Page) => page.getByPlaceholder('Search for Account ID or Name')

async function search(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  await box(page).press('Enter')
}

test.describe('the account search shows', () => {
  test('messages for no match, too many matches and invalid text', async ({ page }) => {
    await signIn(page, 'busops', '/home?customer=100001')
    await expect(box(page)).toHaveValue('100001 (Aerodyne Motors)')

    await search(page, 'no such account')
    await expect(page.getByText('No account found.')).toBeVisible()

    await search(page, '2')
    await expect(page.getByText('Too many accounts found. Filter by account ID or name.')).toBeVisible()
    await expect(page).toHaveURL('/home?customer=100001')

    await search(page, '100001 (Aerodyne')
    await expect(page.getByText('Invalid filter text. Filter by account ID or name.')).toBeVisible()
    await expect(page).toHaveURL('/home')
    await expect(box(page)).toHaveValue('100001 (Aerodyne')
  })

  test('that it is loading', async ({ page }) => {
    await signIn(page, 'busops')
    await expect(box(page)).toBeVisible()
    const accounts = await holdBack(page, '**/api/getaccounts')
    await search(page, 'aerodyne')
    await expect(page.getByRole('search').getByText('Loading...')).toBeVisible()
    accounts.release()
    await expect(page.getByRole('option', { name: /Aerodyne Racing/ })).toBeVisible()
    await expect(page.getByText('Loading...')).toBeHidden()
  })
})

test('the search starts one second after the last keystroke', async ({ page }) => {
  await page.clock.install({ time: '2026-11-15T10:00:00' })
  await signIn(page, 'busops')
  await expect(box(page)).toBeVisible()
  await page.clock.pauseAt('2026-11-15T11:00:00')
  let requests = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/getaccounts')) requests += 1
  })
  await box(page).pressSequentially('aerody')
  await page.clock.runFor(900)
  await box(page).pressSequentially('ne')
  await page.clock.runFor(900)
  expect(requests).toBe(0)
  await page.clock.runFor(200)
  await expect(page.getByRole('option', { name: /Aerodyne Racing/ })).toBeVisible()
  expect(requests).toBe(1)
})

test('the keyboard chooses one of several matches', async ({ page }) => {
  await signIn(page, 'administrator')
  await search(page, 'AERODYNE')
  await expect(page.getByRole('option')).toHaveCount(2)
  await box(page).press('ArrowDown')
  await box(page).press('ArrowDown')
  await box(page).press('Enter')
  await expect(page).toHaveURL('/home?customer=100002')
  await expect(page.getByRole('heading', { level: 1, name: 'Aerodyne Racing' })).toBeVisible()
  await expect(box(page)).toHaveValue('100002 (Aerodyne Racing)')
})

test('a single match is selected', async ({ page }) => {
  await signIn(page, 'busops')
  await search(page, '100007')
  await expect(page).toHaveURL('/home?customer=100007')
  await search(page, '100001 (aerodyne motors)')
  await expect(page).toHaveURL('/home?customer=100001')
})

test('the only account of a person is selected', async ({ page }) => {
  await signIn(page, 'singleAccount')
  await expect(page).toHaveURL('/home?customer=100006')
  await expect(page.getByRole('heading', { level: 1, name: 'Blue Water Turbines' })).toBeVisible()
})

test('leaving the box after a failed search restores the selected account', async ({ page }) => {
  await signIn(page, 'busops', '/home?customer=100001')
  await search(page, 'no such account')
  await expect(page.getByText('No account found.')).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leases/Perpetuals' }).click()
  await expect(page).toHaveURL('/ssl?customer=100001')
  await expect(page.getByRole('heading', { level: 1, name: 'Leases/Perpetuals' })).toBeVisible()
  await expect(box(page)).toHaveValue('100001 (Aerodyne Motors)')
  await expect(page.getByText('No account found.')).toBeHidden()

  await search(page, 'no such account')
  await expect(page.getByText('No account found.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear account' }).click()
  await expect(page).toHaveURL('/noselectedcustomer')
  await expect(box(page)).toHaveValue('')
  await expect(page.getByText('No account found.')).toBeHidden()
})

test('offers the first 20 of too many matches, ids that begin with the text first', async ({ page }) => {
  await signIn(page, 'busops')
  await search(page, '20')
  await expect(page.getByText('Too many accounts found. Filter by account ID or name.')).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(20)
  await expect(page.getByRole('option').first()).toContainText('200001')
})

test('lists the accounts of a person, in the box and on the page', async ({ page }) => {
  await signIn(page, 'administrator', '/ssl')
  await expect(page).toHaveURL('/noselectedcustomer')
  const listed = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Aerodyne' })
  await expect(page.getByRole('heading', { name: 'Your accounts' })).toBeVisible()
  await expect(listed).toHaveCount(2)
  await page.keyboard.press('/')
  await expect(box(page)).toBeFocused()
  await expect(page.getByRole('option')).toHaveCount(2)
  await listed.getByRole('link', { name: /Aerodyne Racing/ }).click()
  await expect(page).toHaveURL('/ssl?customer=100002')
})

test('leaving the box cancels a pending search', async ({ page }) => {
  await signIn(page, 'busops', '/home?customer=100001')
  await expect(box(page)).toHaveValue('100001 (Aerodyne Motors)')
  const accounts = await holdBack(page, '**/api/getaccounts')
  await search(page, '100007')
  await expect(page.getByRole('search').getByText('Loading...')).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(box(page)).toHaveValue('100001 (Aerodyne Motors)')
  const answered = page.waitForResponse('**/api/getaccounts')
  accounts.release()
  await answered
  await expect(page).toHaveURL('/home?customer=100001')
})

test('suggests accounts that were opened before', async ({ page }) => {
  await signIn(page, 'busops', '/home?customer=100001')
  await expect(page.getByRole('heading', { name: 'Aerodyne Motors' })).toBeVisible()
  await search(page, '100007')
  await expect(page.getByRole('heading', { name: 'Nimbus Cloud Labs' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear account' }).click()
  await expect(page).toHaveURL('/home')
  const recent = page.getByRole('main').getByRole('list', { name: 'Recent accounts' })
  await expect(recent.getByRole('listitem').filter({ hasText: 'Nimbus Cloud Labs' })).toBeVisible()

  await box(page).click()
  await expect(page.getByRole('option').first()).toContainText('Nimbus Cloud Labs')
  await page.getByRole('option', { name: /Aerodyne Motors/ }).click()
  await expect(page).toHaveURL('/home?customer=100001')
})

test('shows only the name of the previous account while the next one loads', async ({ page }) => {
  await signIn(page, 'administrator', '/home?customer=100001')
  const facts = page.getByRole('main').getByRole('heading', { name: 'Account', exact: true })
  await expect(facts).toBeVisible()
  const info = await holdBack(page, '**/api/getaccountinfo/100002')
  await search(page, '100002')
  await expect(page.getByRole('main').getByText('Loading...')).toBeAttached()
  await expect(facts).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Aerodyne Motors' })).toBeVisible()
  await expect(box(page)).toHaveValue('100001 (Aerodyne Motors)')
  await expect(page).toHaveTitle('Aerodyne Motors · Home')
  info.release()
  await expect(page.getByRole('heading', { level: 1, name: 'Aerodyne Racing' })).toBeVisible()
  await expect(box(page)).toHaveValue('100002 (Aerodyne Racing)')

  // The first account is loaded again.
  const request = page.waitForRequest('**/api/getaccountinfo/100001')
  await page.goBack()
  await request
  await expect(page.getByRole('heading', { level: 1, name: 'Aerodyne Motors' })).toBeVisible()
})

test('an account that the person cannot see is reported as not found', async ({ page }) => {
  await signIn(page, 'administrator', '/elastic?customer=100003')
  await expect(page).toHaveURL('/noselectedcustomer')
  const panel = page.getByRole('main').getByRole('alert')
  await expect(panel).toHaveText('Account 100003 was not found. Please select another one.')
  await panel.getByRole('button', { name: 'Dismiss' }).click()
  await expect(panel).toHaveCount(0)
})

test('the selected account stays in the address across pages and reloads', async ({ page }) => {
  await signIn(page, 'administrator', '/home?customer=100001')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Elastic Statements' }).click()
  await expect(page).toHaveURL('/statementv2?customer=100001')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page).toHaveURL('/home?customer=100001')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Aerodyne Motors' })).toBeVisible()
})
