import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf, rowsOf } from '#e2e/support/table.ts'

const CUSTOMER = '100002'
const HEADERS = { 'X-Requested-With': 'portal' }
const SCREEN = `/activations-history?customer=${CUSTOMER}`

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const table = (page: Page, name: 'Active Servers' | 'Inactive Servers') => page.getByRole('grid', { name, exact: true })
const rowOf = (page: Page, name: 'Active Servers' | 'Inactive Servers', host: string) =>
  rowsOf(table(page, name)).filter({ hasText: host })

async function post(page: Page, path: string, body: object) {
  const answer = await page.request.post(path, { headers: HEADERS, data: { customerNumber: CUSTOMER, ...body } })
  const content = await answer.json()
  expect(content, path).toMatchObject({ status: 'SUCCESS' })
  return content
}

let made = 0

/** A host of its own with two products and a license file, so that journeys do not meet. */
async function hostWithProducts(page: Page, prefix: string) {
  const end = `${Date.now().toString(16)}${(++made).toString(16)}`.slice(-9)
  const host = {
    serverName: `${prefix}-${end}`,
    serverId: `02a${end.padStart(9, '0')}`,
    serverIdType: 'ETHERNET',
  }
  const { data } = await post(page, '/api/fulfillments/allentitlements', {})
  const activations = (data as { ActivationId: string; LicenseModel: string }[])
    .filter(({ LicenseModel }) => LicenseModel.startsWith('Network'))
    .slice(0, 2)
    .map(({ ActivationId }) => ({ id: ActivationId, count: 1 }))
  await post(page, '/api/fulfillments/create', { ...host, activations })
  await post(page, '/api/fulfillments/license', host)
  return host
}

async function filterBy(page: Page, tableName: 'Active Servers' | 'Inactive Servers', column: string, text: string) {
  const field = page.getByRole('region', { name: tableName, exact: true }).getByRole('textbox', { name: column })
  await field.fill(text)
  await field.press('Enter')
}

test('a host shows its history as a tree, its timeline, and what is on it now', async ({ page }) => {
  await signIn(page, 'administrator', SCREEN)
  const host = await hostWithProducts(page, 'tree')
  await page.reload()
  await filterBy(page, 'Active Servers', 'Host Name', host.serverName)
  await expect(rowsOf(table(page, 'Active Servers'))).toHaveCount(1)
  await expect(cellsOf(table(page, 'Active Servers'), 'hostid')).toHaveText(`MAC_ADDRESS=${host.serverId}`)

  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('/fulfillments/history') && asked.push(request.url()))
  await rowOf(page, 'Active Servers', host.serverName).click()
  const tree = page.getByRole('treegrid', { name: `History of ${host.serverName}` })
  await expect(rowsOf(tree)).toHaveCount(1)
  await expect(tree).toContainText('2 entitlements')
  for (const header of ['Time', 'Modified By', 'Action', 'Entitlement', 'Count', 'Start Date', 'Expiration Date'])
    await expect(tree.getByRole('columnheader', { name: header })).toBeVisible()
  await rowsOf(tree).first().getByRole('button').first().click()
  await expect(rowsOf(tree)).toHaveCount(3)
  const timeline = page.getByRole('region', { name: `Timeline of ${host.serverName}` })
  await expect(timeline).toContainText('License file generated')
  await expect(timeline).toContainText('Activated 2 seats of 2 entitlements')
  expect(asked).toHaveLength(1)
  await expectAccessible(page)

  await button(page, `View current activations: ${host.serverName}`).click()
  const viewing = page.getByRole('dialog', {
    name: `The following products are activated on Host ID: ${host.serverId}.`,
  })
  await expect(viewing.getByRole('table').getByRole('row')).toHaveCount(3)
  await expectAccessible(page)
  await button(viewing, 'Ok').click()

  const download = page.waitForEvent('download')
  await button(page, `Download the license file: ${host.serverName}`).click()
  expect((await download).suggestedFilename()).toBe(`license_${CUSTOMER}_${host.serverId}.lic`)
})

test('any two license files of a host are compared line by line', async ({ page }) => {
  await signIn(page, 'administrator', SCREEN)
  const host = await hostWithProducts(page, 'files')
  const { data } = await post(page, '/api/fulfillments/entitlements', { serverId: host.serverId, activeOnly: true })
  const [fulfillment] = data[0].AnsysFulfillments
  await post(page, '/api/fulfillments/return', { activations: [{ id: fulfillment.FulfillmentID, count: -1 }] })
  await post(page, '/api/fulfillments/license', host)
  await page.reload()
  await filterBy(page, 'Active Servers', 'Host Name', host.serverName)
  await rowOf(page, 'Active Servers', host.serverName).click()
  await button(page, 'Compare license files').click()
  const dialog = page.getByRole('dialog', { name: `License files of ${host.serverName}` })
  await expect(dialog).toContainText(/Licenses: \d removed/)
  await expect(dialog.getByRole('region', { name: 'Lines of the license file' })).toContainText('INCREMENT')
  await expectAccessible(page)
})

test('the CSV file holds what the filters leave, in the columns of the specification', async ({ page }) => {
  await signIn(page, 'administrator', SCREEN)
  const host = await hostWithProducts(page, 'csv')
  await page.reload()
  await filterBy(page, 'Active Servers', 'Host Name', host.serverName)
  await expect(rowsOf(table(page, 'Active Servers'))).toHaveCount(1)
  const download = page.waitForEvent('download')
  await button(page.getByRole('region', { name: 'Active Servers', exact: true }), 'Export as csv file').click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`ActiveServers_${CUSTOMER}.csv`)
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toContain('"Hostname (hostid)","Time","Modified by","Action","Product","Entitlement","Count"')
  expect(lines[1]).toContain(`"${host.serverName} (MAC_ADDRESS=${host.serverId})"`)
})

test('a history filter finds hosts by any of their entries, until it is cleared', async ({ page }) => {
  await signIn(page, 'busops', SCREEN)
  const host = await hostWithProducts(page, 'found')
  await page.goto(SCREEN)
  await filterBy(page, 'Active Servers', 'Modified By', 'olivia.ops')
  await expect(rowOf(page, 'Active Servers', host.serverName)).toBeVisible()
  await expect(cellsOf(table(page, 'Active Servers'), 'modifiedby').first()).toHaveText('olivia.ops@vendor.example')
  await filterBy(page, 'Active Servers', 'Action', 'REHOST')
  await expect(rowOf(page, 'Active Servers', host.serverName)).toHaveCount(0)
  await button(page.getByRole('region', { name: 'Active Servers', exact: true }), 'Clear Filters')
    .first()
    .click()
  await expect(rowOf(page, 'Active Servers', 'lic-pit-lane')).toBeVisible()
})

test('a host is rehosted on a triad, deactivated and deleted', async ({ page }) => {
  await signIn(page, 'administrator', SCREEN)
  const host = await hostWithProducts(page, 'moved')
  const stamp = Date.now().toString(16).slice(-8)
  const ids = ['1', '2', '3'].map((end) => `02b${stamp}${end}`)
  await page.reload()
  await filterBy(page, 'Active Servers', 'Host Name', host.serverName)
  await button(page, `Rehost on a different host: ${host.serverName}`).click()
  const target = page.getByRole('dialog', { name: `Rehost ${host.serverName} on a different host` })
  await target.getByRole('switch', { name: 'Triad (three hosts)' }).click()
  for (const [index, id] of ids.entries()) {
    await target.getByLabel(`Host Name ${index + 1}`).fill(`tri-${stamp}-${'abc'[index]}`)
    await target.getByLabel(`Host ID ${index + 1}`, { exact: true }).fill(id)
  }
  await expectAccessible(page)
  await button(target, 'Continue').click()
  const triad = ['a', 'b', 'c'].map((end) => `tri-${stamp}-${end}`).join(', ')
  const confirming = page.getByRole('dialog', { name: `Rehost ${host.serverName} on ${triad}` })
  await expect(confirming).toContainText(
    `will be deactivated on ${host.serverName} (MAC_ADDRESS=${host.serverId}) and activated on ${triad}`,
  )
  await expect(confirming.getByRole('table', { name: 'Products to activate' })).toBeVisible()
  await expect(confirming).toContainText(`SERVER tri-${stamp}-c ${ids[2]}`)
  await expectAccessible(page)
  await button(confirming, 'Ok').click()
  await expect(page.getByText(`Everything has moved to ${triad}.`)).toBeVisible()

  await filterBy(page, 'Inactive Servers', 'Host Name', host.serverName)
  await expect(rowOf(page, 'Inactive Servers', host.serverName)).toBeVisible()
  await filterBy(page, 'Active Servers', 'Host Name', `tri-${stamp}`)
  await button(page, `Deactivate: ${triad}`).click()
  const deactivating = page.getByRole('dialog', { name: `Deactivate ${triad}` })
  await expect(deactivating.getByRole('table', { name: 'Products to deactivate' })).toBeVisible()
  await button(deactivating, 'Ok').click()
  await expect(page.getByText(`${triad} is deactivated.`)).toBeVisible()

  await button(page, `Delete: ${host.serverName}`).click()
  const deleting = page.getByRole('dialog', { name: `Delete ${host.serverName}` })
  await expect(deleting).toContainText(`The following Host ID: ${host.serverId} will be removed permanently.`)
  await button(deleting, 'Ok').click()
  await expect(rowOf(page, 'Inactive Servers', host.serverName)).toHaveCount(0)
})

test('whoever may only look is told so', async ({ page }) => {
  await signIn(page, 'support', SCREEN)
  await button(page, 'Deactivate: lic-pit-lane').click()
  const notice = page.getByRole('dialog', { name: 'Notice' })
  await expect(notice).toContainText('You do not have enough permissions for such operation.')
  await expect(notice).toContainText(`Customer ${CUSTOMER}`)
})
