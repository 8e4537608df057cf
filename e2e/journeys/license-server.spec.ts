import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { button, closeButton, dialog } from '#e2e/support/activations-screen.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { CUSTOMER, hostWithProducts, post } from '#e2e/support/hosts.ts'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'
import { filterBy, rowsOf } from '#e2e/support/table.ts'

const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 })
const addressOf = (id: string) => `/license-servers/${id}?customer=${CUSTOMER}`

/** Presses a button that downloads a file. */
async function downloadBy(page: Page, pressed: Locator) {
  const download = page.waitForEvent('download')
  await pressed.click()
  const file = await download
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('a license server has a page with its file, its seats, its history and what can be done with it', async ({
  page,
}) => {
  test.slow()
  await signInUnseen(page, 'administrator')
  const host = await hostWithProducts(page, 'paged')
  const file = card(page, 'License file')

  await test.step('its name in the list leads to its page and does not unfold the row', async () => {
    const table = page.getByRole('grid', { name: 'Active Servers', exact: true })
    await page.goto(`/activations-history?customer=${CUSTOMER}`)
    // Other journeys have made license servers on this account as well.
    await filterBy(table, 'Host Name contains', host.serverName)
    await expect(rowsOf(table)).toHaveCount(1)
    const row = rowsOf(table).filter({ hasText: host.serverName })
    await row.getByRole('link', { name: host.serverName, exact: true }).click()
    await expect(heading(page)).toHaveText(host.serverName)
    await expect(page).toHaveURL(addressOf(host.serverId))
    await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('License server')
    await page.goBack()
    await expect(row).toBeVisible()
    await expect(page.getByRole('treegrid')).toHaveCount(0)
    await page.goForward()
  })
  await test.step('it shows its file, seats, customers, history and timeline', async () => {
    await expect(file).toContainText('Up to date')
    await expect(file).toContainText(`license_${CUSTOMER}_${host.serverId}.lic`)
    await expect(card(page, 'Seats')).toContainText('2 seats of 2 products')
    const product = card(page, 'Seats').getByRole('button', { expanded: false }).first()
    await product.click()
    const entitlement = card(page, 'Seats').getByRole('table', { name: 'Activated products' })
    await expect(entitlement).toContainText(/\d{4}-\d\d-\d\d/)
    await expect(card(page, 'Customers')).toContainText('uses this license server')
    await expect(rowsOf(page.getByRole('treegrid', { name: `History of ${host.serverName}` }))).toHaveCount(1)
    await expect(card(page, `Timeline of ${host.serverName}`)).toContainText('Activated 2 seats of 2 entitlements')
    await expect(button(page, 'Copy host ID')).toBeVisible()
    const csv = await downloadBy(page, button(card(page, 'Seats'), 'Export as csv file'))
    expect(csv.name).toBe(`Seats_${CUSTOMER}_${host.serverId}.csv`)
    expect(csv.text.trim().split('\r\n')).toHaveLength(3)
  })
  await test.step('a file that is out of date is compared with a new one, generated and downloaded', async () => {
    const { data } = await post(page, '/api/fulfillments/entitlements', { serverId: host.serverId, activeOnly: true })
    const [held] = data[0].AnsysFulfillments
    await post(page, '/api/fulfillments/return', { activations: [{ id: held.FulfillmentID, count: -1 }] })
    await page.reload()
    await expect(file).toContainText('Out of date')
    await button(file, 'Show difference').click()
    const difference = dialog(page, `New license file of ${host.serverName}`)
    await expect(difference).toContainText(/Licenses: \d removed/)
    await expectAccessible(page)
    await button(difference, 'Generate license file').click()
    await expect(page.getByText('The license file has been generated.')).toBeVisible()
    await expect(file).toContainText('Up to date')
    const saved = await downloadBy(page, button(file, 'Download'))
    expect(saved.name).toBe(`license_${CUSTOMER}_${host.serverId}.lic`)
    expect(saved.text).not.toContain(data[0].ActivationId)
    expect(saved.text).toContain(data[1].ActivationId)
  })
  await test.step('the file is sent by email', async () => {
    await button(file, 'Email').click()
    await expect(page.getByText('The license file has been sent to')).toBeVisible()
    await expect(card(page, `Timeline of ${host.serverName}`)).toContainText('License file sent to')
  })
  await test.step('it is deactivated, and its plans say so', async () => {
    await button(page, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Deactivate', exact: true }).click()
    await button(dialog(page, `Deactivate ${host.serverName}`), 'Deactivate 1 product').click()
    await expect(page.getByText(`${host.serverName} has been deactivated.`)).toBeVisible()
    await expect(card(page, 'Seats')).toContainText('No products are activated')
    await expect(card(page, 'Plans')).toContainText(`Deactivation of ${host.serverName}: Done`)
    await expect(button(file, 'Generate license file')).toHaveAccessibleDescription(/No products are activated/)
  })
  await test.step('after it was deleted, its page says so and keeps its history', async () => {
    await button(page, 'Delete').click()
    await button(dialog(page, `Delete ${host.serverName}`), 'Delete license server').click()
    await expect(page.getByText(/This license server was deleted on \d{4}-/)).toBeVisible()
    await expect(heading(page)).toHaveText(host.serverName)
    await expect(card(page, `Timeline of ${host.serverName}`)).toContainText('Deactivated: 1 seat of 1 entitlement')
    for (const name of ['Delete', 'More actions', 'Generate license file', 'Email'])
      await expect(button(page, name)).toHaveCount(0)
    await button(file, 'License files').click()
    const files = dialog(page, `License files of ${host.serverName}`)
    await expect(rowsOf(files.getByRole('grid', { name: 'License files' }))).toHaveCount(2)
    await page.keyboard.press('Escape')
    await expectAccessible(page)
  })
})

test('an id that the account does not have is not found, even if another account has it', async ({ page }) => {
  await signIn(page, 'administrator', addressOf('b42e99f10a27'))
  const missing = page.getByText('This account has no such license server')
  await expect(missing).toBeVisible()
  await expectAccessible(page)
  for (const id of ['02ffffffffff', 'not-an-id']) {
    await goWithin(page, addressOf('6045bd8812f3'))
    await expect(heading(page)).toHaveText('lic-pit-lane')
    await goWithin(page, addressOf(id))
    await expect(missing).toBeVisible()
  }
  await page.getByRole('link', { name: 'Show all license servers' }).click()
  await expect(heading(page)).toHaveText('Manage Activations')
})

test('a viewer opens a triad by one of its ids, and cannot change it', async ({ page }) => {
  await signIn(page, 'viewer', '/license-servers/a0:36:9f:1c:2e:03?customer=100001')
  await expect(heading(page)).toHaveText('lic-core-a, lic-core-b, lic-core-c')
  const reason = 'You do not have enough permissions for such operation.'
  const file = card(page, 'License file')
  for (const name of ['Generate license file', 'Email'])
    await expect(button(file, name)).toHaveAccessibleDescription(reason)
  await expect(page.getByRole('link', { name: 'Activate products' })).toHaveAccessibleDescription(reason)
  await expect(button(page, 'Rehost to another license server')).toHaveAccessibleDescription(reason)
  await button(page, 'More actions').click()
  for (const name of ['Renew ending licenses', 'Deactivate'])
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveAccessibleDescription(reason)
  await page.keyboard.press('Escape')
  await button(file, 'Compare license files').click()
  await closeButton(page.getByRole('dialog')).click()
  await expect(page.getByRole('dialog')).toBeHidden()
})
