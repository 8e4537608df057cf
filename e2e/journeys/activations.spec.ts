import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const HEADERS = { 'X-Requested-With': 'portal' }

/** A license file of a triad, as another vendor writes it. The ids are new with every run. */
function triadFile() {
  const ids = ['01', '02', '03'].map((end) => `${Date.now().toString(16).slice(-10).padStart(10, '0')}${end}`)
  const servers = ids.map((id, index) => `SERVER tri-${'abc'[index]} ${id} 2325`)
  const text = [...servers, 'VENDOR ansyslmd', 'INCREMENT cfd ansyslmd 1.0 permanent 2 SIGN="00"', ''].join('\r\n')
  return { ids, file: { name: 'old.lic', mimeType: 'text/plain', buffer: Buffer.from(text) } }
}

const assigned = (page: Page) => page.getByRole('grid', { name: 'Assigned Entitlements' })
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Confirms what is shown, and gives the file that is downloaded. */
async function confirmAndDownload(page: Page) {
  const download = page.waitForEvent('download')
  await button(page.getByRole('dialog'), 'Ok').click()
  const file = await download
  await expect(dialog(page, 'License file generated')).toContainText('What to do next')
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

async function verdictOn(page: Page, text: string): Promise<string> {
  const file = { name: 'license.lic', mimeType: 'text/plain', buffer: Buffer.from(text) }
  const answer = await page.request.post('/api/licenses/verify', { headers: HEADERS, multipart: { file } })
  return (await answer.json()).data.verdict
}

test('a triad is read from a file, gets products, and its license file is generated, verified, mailed and made anew', async ({
  page,
}) => {
  const { ids, file } = triadFile()
  await signIn(page, 'administrator', '/activations?customer=100002')
  await expect(assigned(page)).toBeVisible()
  await button(page, 'Add server').click()
  const chooser = page.waitForEvent('filechooser')
  await button(page, 'Upload from license').click()
  await (await chooser).setFiles(file)
  const adding = dialog(page, 'Add New Host')
  await expect(adding.getByLabel('Host ID 3')).toHaveValue(ids[2] ?? '')
  await adding.getByLabel('Host Name 2').fill('not a name')
  await adding.getByLabel('Host Name 3').click()
  await expect(adding).toContainText('Please remove spaces and special characters.')
  await expect(button(adding, 'Save')).toBeDisabled()
  await adding.getByLabel('Host Name 2').fill('tri-b')
  await expectAccessible(page)
  await button(adding, 'Save').click()
  await expect(page.getByText('Nothing is activated on this host yet.')).toBeVisible()
  await expect(button(page, 'Generate')).toBeDisabled()

  const products = page.getByRole('listbox', { name: 'Products' }).getByRole('option')
  await page.getByRole('combobox', { name: 'Products' }).click()
  await products.nth(1).click()
  await products.nth(2).click()
  await page.keyboard.press('Escape')
  const available = page.getByRole('grid', { name: 'Available Entitlements' })
  const quantity = available.getByLabel('Activated', { exact: true }).first()
  await quantity.fill('0')
  await expect(page.getByText('Minimum is 1.')).toBeVisible()
  await button(page, 'Save & Generate').click()
  await expect(page.getByRole('alert').filter({ hasText: 'Minimum is 1.' })).toBeVisible()
  await quantity.fill('1')
  await quantity.press('Enter')

  await button(page, 'Save & Email').click()
  const confirming = dialog(page, 'Confirm changes on tri-a, tri-b, tri-c')
  await expect(confirming.getByRole('table', { name: 'Products to activate' })).toBeVisible()
  await expect(confirming).toContainText('This is the first file.')
  await expect(confirming).toContainText(`SERVER tri-a ${ids[0]} 2325`)
  await expectAccessible(page)
  const first = await confirmAndDownload(page)
  expect(first.name).toBe(`license_100002_${ids.join('-')}.lic`)
  expect(first.text).toContain(`SERVER tri-c ${ids[2]} 2325`)
  expect(await verdictOn(page, first.text)).toBe('ours')
  expect(await verdictOn(page, first.text.replace('INCREMENT ', 'INCREMENT x'))).toBe('changed')
  await expect(dialog(page, 'License file generated')).toContainText('It was also sent to ada.admin@aerodyne.example')
  await button(dialog(page, 'License file generated'), 'Ok').click()

  await expect(button(page, 'Generate')).toBeEnabled()
  await assigned(page)
    .getByRole('button', { name: /^Remove / })
    .first()
    .click()
  await button(page, 'Save & Generate').click()
  await expect(page.getByRole('table', { name: 'Products to deactivate' })).toBeVisible()
  await expect(page.getByRole('dialog')).toContainText('Licenses: 1 removed')
  const second = await confirmAndDownload(page)
  expect(second.text).not.toBe(first.text)
  expect(await verdictOn(page, second.text)).toBe('ours')
  await button(dialog(page, 'License file generated'), 'Ok').click()

  await button(page, 'License files').click()
  await expect(page.getByRole('button', { name: /^Download the file of/ })).toHaveCount(2)
  await page.goto('/emails?customer=100002')
  await expect(page.getByText('License file for tri-a,tri-b,tri-c').first()).toBeVisible()
})

test('two customers share a server, and an interrupted save is continued', async ({ page }) => {
  const id = `${Date.now().toString(16).slice(-10).padStart(10, '0')}aa`
  await signIn(page, 'administrator', '/activations?customer=100002')
  await expect(assigned(page)).toBeVisible()
  await button(page, 'Add server').click()
  const adding = dialog(page, 'Add New Host')
  await adding.getByLabel('Host Name').fill('lic-shared')
  await adding.getByLabel('Host ID', { exact: true }).fill(id.match(/../g)?.join(':') ?? '')
  await button(adding, 'Save').click()
  await page.getByLabel('Associated Customers').fill('100001')
  await page.getByRole('option', { name: '100001' }).click()
  const products = page.getByRole('listbox', { name: 'Products' }).getByRole('option')
  for (const number of ['100001', '100002']) {
    await page.getByRole('tab', { name: number }).click()
    await page.getByRole('combobox', { name: 'Products' }).click()
    await products.nth(3).click()
    await page.keyboard.press('Escape')
  }
  await button(page, 'Save & Generate').click()
  await expect(page.getByRole('dialog').getByRole('tab')).toHaveText(['100002', '100001'])
  await page.route('**/api/sharedserver', (route) => route.abort())
  await button(page.getByRole('dialog'), 'Ok').click()
  const failed = 'Error creating shared server group. Please clear the error and retry.'
  await expect(page.getByRole('alert').filter({ hasText: failed })).toBeVisible()
  await page.unroute('**/api/sharedserver')
  const download = page.waitForEvent('download')
  await button(page, 'Continue saving').click()
  expect((await download).suggestedFilename()).toBe(`license_100002_${id}_shared.lic`)
  await expect(dialog(page, 'License file generated')).toContainText('What to do next')
  await expectAccessible(page)
  await button(dialog(page, 'License file generated'), 'Ok').click()
  await expect(page.getByRole('tab')).toHaveText(['100002', '100001'])
})

test('view-only people see the servers and are told that they cannot change them', async ({ page }) => {
  await signIn(page, 'viewer', '/activations?customer=100001&id=3cecef4b7d10')
  await expect(assigned(page)).toBeVisible()
  await expectAccessible(page)
  for (const name of ['Add server', 'Generate', 'Email']) {
    await button(page, name).click()
    await expect(dialog(page, 'Notice')).toContainText('You do not have enough permissions for such operation.')
    await expect(dialog(page, 'Notice')).toContainText('100001')
    await button(dialog(page, 'Notice'), 'Ok').click()
    await expect(dialog(page, 'Notice')).toBeHidden()
  }
  const body = { customerNumber: '100001', serverName: 'x', serverId: '3cecef4b7d10', serverIdType: 'ETHERNET' }
  const refused = await page.request.post('/api/fulfillments/license', { headers: HEADERS, data: body })
  expect(refused.status()).toBe(403)
})
