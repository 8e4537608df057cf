import { expect, type Page, test } from '@playwright/test'
import { goWithin } from '#e2e/support/go-within.ts'
import { holdBack } from '#e2e/support/hold-back.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const box = (page: Page) => page.getByPlaceholder('Search for Account ID or Name')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function search(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  await box(page).press('Enter')
}

test('the search selects a single match and says what it finds otherwise', async ({ page }) => {
  await signIn(page, 'busops', '/home?customer=100001')
  await expect(box(page)).toHaveValue('100001 (Aerodyne Motors)')

  await test.step('no match is reported', async () => {
    await search(page, 'no such account')
    await expect(page.getByText('No account found.')).toBeVisible()
  })
  await test.step('too many matches: the first 20 are offered, ids that begin with the text first', async () => {
    await search(page, '20')
    await expect(page.getByText('Too many accounts found. Filter by account ID or name.')).toBeVisible()
    await expect(page.getByRole('option')).toHaveCount(20)
    await expect(page.getByRole('option').first()).toContainText('200001')
    await expect(page).toHaveURL('/home?customer=100001')
  })
  await test.step('a single match is selected', async () => {
    await search(page, '100007')
    await expect(page).toHaveURL('/home?customer=100007')
    await expect(heading(page, 'Nimbus Cloud Labs')).toBeVisible()
    await search(page, '100001 (aerodyne motors)')
    await expect(page).toHaveURL('/home?customer=100001')
  })
  await test.step('accounts that were opened before are suggested', async () => {
    await expect(heading(page, 'Aerodyne Motors')).toBeVisible()
    await page.getByRole('button', { name: 'Clear account' }).click()
    await expect(page).toHaveURL('/home')
    const recent = page.getByRole('main').getByRole('list', { name: 'Recent accounts' })
    await expect(recent.getByRole('listitem').filter({ hasText: 'Nimbus Cloud Labs' })).toBeVisible()
    await box(page).click()
    await expect(page.getByRole('option', { name: /Aerodyne Motors/ })).toBeVisible()
    await page.getByRole('option', { name: /Nimbus Cloud Labs/ }).click()
    await expect(page).toHaveURL('/home?customer=100007')
  })
  await test.step('invalid text stays in the box and selects no account', async () => {
    await search(page, '100001 (Aerodyne')
    await expect(page.getByText('Invalid filter text. Filter by account ID or name.')).toBeVisible()
    await expect(page).toHaveURL('/home')
    await expect(box(page)).toHaveValue('100001 (Aerodyne')
  })
})

test('leaving the box cancels the search and restores the selected account', async ({ page }) => {
  await signIn(page, 'busops', '/home?customer=100001')
  await expect(box(page)).toHaveValue('100001 (Aerodyne Motors)')

  await test.step('a pending search is canceled', async () => {
    const accounts = await holdBack(page, '**/api/getaccounts')
    await search(page, '100007')
    await expect(page.getByRole('search').getByText('Loading...')).toBeVisible()
    await heading(page, 'Aerodyne Motors').click()
    await expect(box(page)).toHaveValue('100001 (Aerodyne Motors)')
    await expect(page.getByText('Loading...')).toBeHidden()
    const answered = page.waitForResponse('**/api/getaccounts')
    accounts.release()
    await answered
    await expect(page).toHaveURL('/home?customer=100001')
  })
  await test.step('a failed search is forgotten on the next screen', async () => {
    await search(page, 'no such account')
    await expect(page.getByText('No account found.')).toBeVisible()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Emails' }).click()
    await expect(page).toHaveURL('/emails?customer=100001')
    await expect(heading(page, 'Emails')).toBeVisible()
    await expect(box(page)).toHaveValue('100001 (Aerodyne Motors)')
    await expect(page.getByText('No account found.')).toBeHidden()
  })
  await test.step('Clear removes the account and the message', async () => {
    await search(page, 'no such account')
    await expect(page.getByText('No account found.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear account' }).click()
    await expect(page).toHaveURL('/noselectedcustomer')
    await expect(box(page)).toHaveValue('')
    await expect(page.getByText('No account found.')).toBeHidden()
  })
})

test('a person with several accounts chooses one, which stays in the address', async ({ page }) => {
  await signIn(page, 'administrator', '/elastic?customer=100003')
  await test.step('an account that the person cannot see is reported as not found', async () => {
    await expect(page).toHaveURL('/noselectedcustomer')
    const panel = page.getByRole('main').getByRole('alert')
    await expect(panel).toHaveText('Account 100003 was not found. Please select another one.')
    await panel.getByRole('button', { name: 'Dismiss' }).click()
    await expect(panel).toHaveCount(0)
  })
  await test.step('the accounts of the person are listed in the box and on the page', async () => {
    await expect(page.getByRole('heading', { name: 'Your accounts' })).toBeVisible()
    const listed = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Aerodyne' })
    await expect(listed).toHaveCount(2)
    await page.keyboard.press('/')
    await expect(box(page)).toBeFocused()
    await expect(page.getByRole('option')).toHaveCount(2)
    await listed.getByRole('link', { name: /Aerodyne Motors/ }).click()
    await expect(page).toHaveURL('/elastic?customer=100001')
  })
  await test.step('the address keeps the account across screens', async () => {
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await expect(page).toHaveURL('/home?customer=100001')
    await expect(heading(page, 'Aerodyne Motors')).toBeVisible()
  })
  const facts = page.getByRole('main').getByRole('heading', { name: 'To do', exact: true })
  await test.step('the keyboard chooses one of several matches; only the name of the previous account stays', async () => {
    await expect(facts).toBeVisible()
    const info = await holdBack(page, '**/api/getaccountinfo/100002')
    await search(page, 'AERODYNE')
    await expect(page.getByRole('option')).toHaveCount(2)
    await box(page).press('ArrowDown')
    await box(page).press('ArrowDown')
    await box(page).press('Enter')
    await expect(page).toHaveURL('/home?customer=100002')
    await expect(page.getByRole('main').getByText('Loading...')).toBeAttached()
    await expect(facts).toBeHidden()
    await expect(heading(page, 'Aerodyne Motors')).toBeVisible()
    await expect(box(page)).toHaveValue('100001 (Aerodyne Motors)')
    await expect(page).toHaveTitle('Aerodyne Motors · Home')
    info.release()
    await expect(heading(page, 'Aerodyne Racing')).toBeVisible()
    await expect(box(page)).toHaveValue('100002 (Aerodyne Racing)')
  })
  await test.step('Back loads the account before again', async () => {
    const request = page.waitForRequest('**/api/getaccountinfo/100001')
    await page.goBack()
    await request
    await expect(heading(page, 'Aerodyne Motors')).toBeVisible()
  })
})

test('the only account of a person is selected, with what it does not have', async ({ page }) => {
  await signIn(page, 'singleAccount', '/home')
  await expect(page).toHaveURL('/home?customer=100006')
  await expect(heading(page, 'Blue Water Turbines')).toBeVisible()
  // Without elastic units.
  await goWithin(page, '/elastic?customer=100006')
  await expect(page).toHaveURL('/ssl?customer=100006')
  await expect(heading(page, 'Leases/Perpetuals')).toBeVisible()
  await goWithin(page, '/whitelistips?customer=100006')
  await expect(page.getByRole('main')).toContainText('This account has no elastic license server.')
})
