import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import type { Person } from '#e2e/support/people.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const pinCard = (page: Page): Locator => page.getByRole('region', { name: 'Elastic License Server PIN' })
const pin = (page: Page): Locator => pinCard(page).getByRole('textbox', { name: 'PIN', exact: true })
const pinButton = (page: Page, name: string): Locator => pinCard(page).getByRole('button', { name, exact: true })
const userCard = (page: Page): Locator => page.getByRole('region', { name: 'Additional User Access Restrictions' })
const usernames = (page: Page): Locator => userCard(page).getByRole('textbox', { name: 'Allowed Usernames' })
const userButton = (page: Page, name: string): Locator => userCard(page).getByRole('button', { name, exact: true })

/** Answers the id of the elastic license server that the screen shows. */
async function open(page: Page, person: Person, customer: string): Promise<string> {
  await signIn(page, person, `/clscredentials?customer=${customer}`)
  await expect(pin(page)).toBeVisible()
  const text = await page.getByRole('region', { name: 'Elastic License Server Id' }).textContent()
  return /cls-[0-9a-f]+/.exec(text ?? '')?.[0] ?? ''
}

test('changes the PIN after a confirmation that names the server, and exports id and PIN', async ({ page }) => {
  test.slow()
  const server = await open(page, 'busops', '200031')
  await expect(pinCard(page)).toContainText('Changing the PIN only affects new sessions.')
  const before = await pin(page).inputValue()
  expect(before).toMatch(/^\d{6}$/)
  for (const name of ['Cancel', 'Change PIN']) await expect(pinButton(page, name)).toBeDisabled()
  await expect(pinButton(page, 'Export ID & PIN')).toBeEnabled()
  await expectAccessible(page)

  await pin(page).fill('12345')
  await page.keyboard.press('Tab')
  await expect(pinCard(page)).toContainText('PIN number is not valid. Please enter a 6 digits number.')
  await expect(pinButton(page, 'Change PIN')).toBeDisabled()
  await expect(pinButton(page, 'Cancel')).toBeEnabled()
  await pinButton(page, 'Cancel').click()
  await expect(pin(page)).toHaveValue(before)

  const next = before === '271828' ? '314159' : '271828'
  await pin(page).fill(next)
  await expect(pinButton(page, 'Export ID & PIN')).toBeDisabled()
  await pinButton(page, 'Export ID & PIN').hover()
  await expect(page.getByRole('tooltip')).toContainText('Change the PIN first, then export it.')
  await pinButton(page, 'Change PIN').click()
  const dialog = page.getByRole('dialog', { name: 'Confirm' })
  await expect(dialog).toContainText(server)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(pin(page)).toHaveValue(next)
  await pinButton(page, 'Change PIN').click()
  await dialog.getByRole('button', { name: 'Change PIN' }).click()
  await expect(page.getByText('The PIN has been changed.')).toBeVisible()

  const download = page.waitForEvent('download')
  await pinButton(page, 'Export ID & PIN').click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`${server}.json`)
  const exported = JSON.parse(await readFile(await file.path(), 'utf8')) as object
  expect(exported).toEqual({ clsid: server, Alias: expect.stringContaining('Elastic'), PIN: next })

  await page.reload()
  await expect(pin(page)).toHaveValue(next)
  await page.goto('/emails?customer=200031')
  await expect(page.getByRole('grid')).toContainText('The PIN of your elastic license server has been changed')
})

test('creates a missing PIN, the same for everybody', async ({ browser, page }) => {
  await open(page, 'elasticOnly', '100007')
  const other = await (await browser.newContext()).newPage()
  await open(other, 'support', '100007')
  await expect(pin(page)).toHaveValue(/^\d{6}$/)
  await expect(pin(other)).toHaveValue(await pin(page).inputValue())
})

test('shows both PINs when somebody else has changed it, and keeps no PIN in the browser', async ({
  browser,
  page,
}) => {
  test.slow()
  await open(page, 'busops', '200271')
  const other = await (await browser.newContext()).newPage()
  await open(other, 'busops', '200271')
  const change = async (tab: Page, value: string) => {
    await pin(tab).fill(value)
    await pinButton(tab, 'Change PIN').click()
    await tab.getByRole('dialog', { name: 'Confirm' }).getByRole('button', { name: 'Change PIN' }).click()
  }
  await change(page, '100200')
  await expect(page.getByText('The PIN has been changed.')).toBeVisible()
  await change(other, '300400')
  const versions = other.getByRole('table', { name: 'Both versions' })
  await expect(versions).toContainText('100200')
  await expect(versions).toContainText('300400')
  const kept = await other.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept).not.toContain('300400')
  await other.getByRole('button', { name: 'Keep mine' }).click()
  await expect(pin(other)).toHaveValue('300400')
})

test('restricts usernames after a confirmation, and opens the server again', async ({ page }) => {
  test.slow()
  const server = await open(page, 'busops', '200151')
  await expect(userCard(page)).toContainText('Allowing all users with current PIN')
  for (const name of ['Cancel', 'Save']) await expect(userButton(page, name)).toBeDisabled()
  await usernames(page).fill('anna\njürgen')
  await page.keyboard.press('Tab')
  await expect(userCard(page)).toContainText('List of usernames is not valid. Please enter a valid list. Check line 2.')
  await expect(userButton(page, 'Save')).toBeDisabled()
  await usernames(page).fill('anna\nbob\nANNA\n')
  await expect(userCard(page)).toContainText('Blocking all other users')
  await expect(userCard(page)).toContainText('Duplicate, saved only once: line 3')
  await userButton(page, 'Save').click()
  const dialog = page.getByRole('dialog', { name: 'Confirm' })
  await expect(dialog).toContainText(server)
  await dialog.getByRole('button', { name: 'Save usernames' }).click()
  await expect(page.getByText('The allowed usernames have been saved.')).toBeVisible()
  await expect(usernames(page)).toHaveValue('anna\nbob')

  await usernames(page).fill('')
  await userButton(page, 'Save').click()
  await dialog.getByRole('button', { name: 'Save usernames' }).click()
  await expect(userCard(page)).toContainText('Allowing all users with current PIN')
  await expect(userButton(page, 'Save')).toBeDisabled()
})

test('asks before unsaved changes are lost', async ({ page }) => {
  await open(page, 'busops', '200211')
  const warning = page.getByRole('dialog', { name: 'WARNING: You have unsaved changes' })
  await pin(page).fill('1')
  await page.getByRole('link', { name: 'Elastic IP Settings' }).click()
  await warning.getByRole('button', { name: 'Cancel' }).click()
  await expect(pin(page)).toHaveValue('1')
  await page.getByRole('link', { name: 'Elastic IP Settings' }).click()
  await warning.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL('/whitelistips?customer=200211')
})

test('viewers see and export the PIN, and can change nothing', async ({ page }) => {
  test.slow()
  await open(page, 'viewer', '100001')
  await expect(pin(page)).toBeDisabled()
  await expect(pin(page)).toHaveValue(/^\d{6}$/)
  await expect(usernames(page)).toBeDisabled()
  await expect(pinCard(page)).toContainText('You can see the PIN, but not change it.')
  for (const name of ['Cancel', 'Change PIN']) await expect(pinButton(page, name)).toBeDisabled()
  for (const name of ['Cancel', 'Save']) await expect(userButton(page, name)).toBeDisabled()
  const download = page.waitForEvent('download')
  await pinButton(page, 'Export ID & PIN').click()
  expect((await download).suggestedFilename()).toMatch(/^cls-[0-9a-f]+\.json$/)
  await expectAccessible(page)
})

test('goes to /nopermissions where access is disabled', async ({ page }) => {
  await signIn(page, 'accessDisabled', '/clscredentials?customer=100008')
  await expect(page).toHaveURL(/\/nopermissions/)
})
