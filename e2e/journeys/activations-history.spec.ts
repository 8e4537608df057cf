import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { closeButton } from '#e2e/support/activations-screen.ts'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
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

/** Chooses from the menu at the end of the row of a host. */
async function choose(page: Page, action: string, host: string) {
  await button(page, `More actions: ${host}`).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

let made = 0

function newHost(prefix: string) {
  const end = `${Date.now().toString(16)}${(++made).toString(16)}`.slice(-9)
  return { serverName: `${prefix}-${end}`, serverId: `02a${end.padStart(9, '0')}`, serverIdType: 'ETHERNET' }
}

/** Adds a host with two products and a license file. Each journey has its own host, because journeys run in parallel. */
async function hostWithProducts(page: Page, prefix: string) {
  const host = newHost(prefix)
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
  await expectAccessibleInBothSchemes(page)

  await button(page, `View current activations: ${host.serverName}`).click()
  const viewing = page.getByRole('dialog', {
    name: `The following products are activated on Host ID: ${host.serverId}.`,
  })
  await expect(viewing.getByRole('table').getByRole('row')).toHaveCount(3)
  await expectAccessible(page)
  await closeButton(viewing).click()

  const download = page.waitForEvent('download')
  await button(page, `Download the license file: ${host.serverName}`).click()
  expect((await download).suggestedFilename()).toBe(`license_${CUSTOMER}_${host.serverId}.lic`)
})

test('cuts nothing off at 1280 pixels, in the table and in the history', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, 'busops', '/activations-history?customer=100001')
  const hosts = table(page, 'Active Servers')
  await rowOf(page, 'Active Servers', 'lic-berlin-01').click()
  const tree = page.getByRole('treegrid', { name: 'History of lic-berlin-01' })
  await expect(rowsOf(tree).first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Timeline of lic-berlin-01' }).getByRole('listitem')).not.toHaveCount(0)
  for (const grid of [hosts, tree]) {
    const cut = grid
      .locator('[data-cell], [data-cell] span')
      .evaluateAll((elements) =>
        elements
          .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'hidden')
          .map((one) => one.textContent),
      )
    expect(await cut).toEqual([])
    const width = await grid.evaluate((element) => element.style.getPropertyValue('--table-width'))
    expect(Number.parseInt(width, 10)).toBeLessThanOrEqual(await grid.evaluate((element) => element.clientWidth))
  }
  const list = page.getByRole('region', { name: 'Timeline of lic-berlin-01' }).getByRole('list')
  expect(await list.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
})

test('a phone shows what is on a host with its ids and dates, and marks what has expired', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn(page, 'busops', '/activations-history?customer=100001')
  await button(page, 'View current activations: lic-berlin-01').click()
  const products = page.getByRole('dialog').getByRole('table', { name: 'Activated products' })
  await expect(products).toContainText(/\d{4}-\d\d-\d\d – \d{4}-\d\d-\d\d/)
  await expect(products).toContainText('expired')
  expect(await products.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  await expectAccessible(page)
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
  await expectAccessibleInBothSchemes(page)
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
  expect(lines[0]).toContain('"Hostname (hostid)","Time (UTC)","Modified by","Action","Product","Entitlement","Count"')
  expect(lines[1]).toContain(`"${host.serverName} (MAC_ADDRESS=${host.serverId})"`)
})

test('a history filter finds hosts by any of their entries, until it is cleared', async ({ page }) => {
  await signIn(page, 'busops', SCREEN)
  const host = await hostWithProducts(page, 'found')
  await page.goto(SCREEN)
  await filterBy(page, 'Active Servers', 'Modified By', 'olivia.ops')
  await expect(rowOf(page, 'Active Servers', host.serverName)).toBeVisible()
  await expect(cellsOf(table(page, 'Active Servers'), 'modifiedby').first()).toHaveText('olivia.ops@vendor.example')
  await expect(cellsOf(table(page, 'Active Servers'), 'action').first()).toHaveText('Changed')
  await filterBy(page, 'Active Servers', 'Action', 'Rehosted')
  await expect(rowOf(page, 'Active Servers', host.serverName)).toHaveCount(0)
  await button(page.getByRole('region', { name: 'Active Servers', exact: true }), 'Clear Filters')
    .first()
    .click()
  await expect(rowOf(page, 'Active Servers', 'lic-pit-lane')).toBeVisible()
})

test('a host is rehosted on a triad, deactivated and deleted', async ({ page }) => {
  await signIn(page, 'administrator', SCREEN)
  const host = await hostWithProducts(page, 'moved')
  // The other customer shares the host and has no seats on it.
  const sharing = ['100001', CUSTOMER]
  const hostFields = { hostId: host.serverId, hostIdType: host.serverIdType }
  await post(page, '/api/sharedserver', { ...hostFields, group: sharing })
  const stamp = Date.now().toString(16).slice(-8)
  const ids = ['1', '2', '3'].map((end) => `02b${stamp}${end}`)
  await page.reload()
  await filterBy(page, 'Active Servers', 'Host Name', host.serverName)
  const elsewhere = newHost('elsewhere')
  const target = page.getByRole('dialog', { name: `Rehost ${host.serverName} on a different license server` })
  await choose(page, 'Rehost on a different license server', host.serverName)
  await target.getByLabel('Host Name').fill(elsewhere.serverName)
  await target.getByLabel('Host ID', { exact: true }).fill(elsewhere.serverId)
  await button(target, 'Continue').click()
  const parting = page.getByRole('dialog', { name: `Rehost ${host.serverName} on ${elsewhere.serverName}` })
  const leaving = parting.getByRole('table', { name: 'Products to deactivate' })
  await expect(leaving.getByRole('checkbox')).toHaveCount(2)
  for (const box of await leaving.getByRole('checkbox').all()) await box.click()
  await expect(button(parting, 'Rehost products')).toHaveAccessibleDescription('Tick at least one product.')
  await leaving.getByRole('checkbox').first().click()
  await button(parting, 'Rehost 1 product').click()
  const ready = page.getByRole('dialog', { name: 'License files generated' })
  await expect(ready).toContainText(`1 product moved, 1 stays on ${host.serverName}.`)
  await closeButton(ready).click()
  const members = async ({ serverId, serverIdType }: typeof host) => {
    const { data } = await post(page, '/api/fulfillments/customers', { hostId: serverId, hostIdType: serverIdType })
    return data.map(({ customerNumber }: { customerNumber: string }) => customerNumber)
  }
  expect(await members(elsewhere)).toEqual(sharing)

  await choose(page, 'Rehost on a different license server', host.serverName)
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
  await button(confirming, 'Rehost 1 product').click()
  await expect(ready).toContainText(`Everything has moved to ${triad}.`)
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await button(ready, `Download the license file of ${triad}`).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain(`SERVER tri-${stamp}-c ${ids[2]}`)
  await closeButton(ready).click()

  await filterBy(page, 'Inactive Servers', 'Host Name', host.serverName)
  await expect(rowOf(page, 'Inactive Servers', host.serverName)).toBeVisible()
  await filterBy(page, 'Active Servers', 'Host Name', `tri-${stamp}`)
  await choose(page, 'Deactivate', triad)
  const deactivating = page.getByRole('dialog', { name: `Deactivate ${triad}` })
  await expect(deactivating.getByRole('table', { name: 'Products to deactivate' })).toBeVisible()
  await button(deactivating, 'Deactivate 1 product').click()
  await expect(page.getByText(`${triad} has been deactivated.`)).toBeVisible()

  await button(page, `Delete: ${host.serverName}`).click()
  const deleting = page.getByRole('dialog', { name: `Delete ${host.serverName}` })
  await expect(deleting).toContainText(`The following Host ID: ${host.serverId} will be removed permanently.`)
  await button(deleting, 'Delete license server').click()
  await expect(rowOf(page, 'Inactive Servers', host.serverName)).toHaveCount(0)
})

/** Has an entitlement that ends soon, with another one of the same product that ends later. */
const RENEWING = '100006'

test('replaces products that end soon with renewals, on one host or on all, and keeps the view', async ({ page }) => {
  const screen = `/activations-history?customer=${RENEWING}`
  await signIn(page, 'singleAccount', screen)
  const own = { customerNumber: RENEWING }
  const host = newHost('renewed')
  const { data: preview } = await post(page, '/api/fulfillments/plans/preview', { ...own, action: 'RENEW' })
  const { replaces: id, ansysproduct } = preview.changes.find((one: { replaces?: string }) => one.replaces)
  await post(page, '/api/fulfillments/create', { ...own, ...host, activations: [{ id, count: 2 }] })
  await post(page, '/api/fulfillments/license', { ...own, ...host })
  await page.goto(screen)

  await button(page, 'Renew ending licenses').click()
  const everywhere = page.getByRole('dialog', { name: 'Renew ending licenses on all license servers' })
  const all = everywhere.getByRole('table', { name: 'Products to replace' })
  await expect(all.getByRole('row').filter({ hasText: host.serverName })).toContainText(ansysproduct)
  await expect(all.getByRole('row').filter({ hasText: 'lic-osaka' })).toContainText(ansysproduct)
  await expect(everywhere).toContainText(/seats? on lic-osaka, until/)
  await expect(everywhere).toContainText(`License file of ${host.serverName}`)
  await expectAccessible(page)
  for (const box of await all.getByRole('checkbox').all()) await box.click()
  await expect(all.getByRole('checkbox', { checked: true })).toHaveCount(0)
  await expect(button(everywhere, 'Renew ending licenses')).toHaveAccessibleDescription('Tick at least one product.')
  await button(everywhere, 'Cancel').click()

  await filterBy(page, 'Active Servers', 'Host Name', host.serverName)
  await choose(page, 'Renew ending licenses', host.serverName)
  const confirming = page.getByRole('dialog', { name: `Renew ending licenses on ${host.serverName}` })
  await expect(confirming.getByRole('table', { name: 'Products to replace' })).toContainText(id)
  await expect(confirming).toContainText(/Licenses: .*1 added/)
  await button(confirming, 'Renew 1 ending license').click()
  const ready = page.getByRole('dialog', { name: 'License files generated' })
  await expect(ready).toContainText(`The renewals are activated on ${host.serverName}.`)
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await button(ready, `Download the license file of ${host.serverName}`).click()
  expect(await readFile(await (await download).path(), 'utf8')).not.toContain(`SN=${id}`)
  await closeButton(ready).click()

  await choose(page, 'Renew ending licenses', host.serverName)
  await expect(confirming).toContainText(
    'No entitlement that ends within 90 days has an available entitlement of the same product.',
  )
  await button(confirming, 'Cancel').click()

  for (const [name, tableName] of [
    ['Active Servers', 'manageActivationsActive'],
    ['Inactive Servers', 'manageActivationsInActive'],
  ] as const) {
    const saved = page.waitForResponse(
      (answer) =>
        answer.url().endsWith('/api/featureflag/pref') &&
        answer.request().method() === 'POST' &&
        JSON.stringify(answer.request().postDataJSON()).includes(`"${tableName}"`),
    )
    await filterBy(page, name, 'Modified By', 'sol.single')
    await saved
  }
  await page.goto(screen)
  for (const name of ['Active Servers', 'Inactive Servers'] as const) {
    const region = page.getByRole('region', { name, exact: true })
    await expect(region.getByRole('textbox', { name: 'Modified By' })).toHaveValue('sol.single')
    await button(region, 'Reset View').click()
    await expect(region.getByRole('textbox', { name: 'Modified By' })).toHaveValue('')
  }
})

test('business operations return seats from a lost host with a reason; view-only people see what they cannot do', async ({
  page,
}) => {
  await signIn(page, 'busops', SCREEN)
  const host = await hostWithProducts(page, 'lost')
  await page.goto(SCREEN)
  await choose(page, 'Forced return from a lost license server', host.serverName)
  const dialog = page.getByRole('dialog', { name: `Forced return from ${host.serverName}` })
  await expect(dialog.getByRole('table', { name: 'Products to deactivate' }).getByRole('row')).toHaveCount(4)
  await expect(dialog.getByRole('checkbox')).toHaveCount(0)
  await expect(button(dialog, 'Return all seats')).toBeDisabled()
  await expect(button(dialog, 'Return all seats')).toHaveAccessibleDescription('Enter a reason.')
  await dialog.getByLabel('Reason').fill('The server room has burned down.')
  await expectAccessible(page)
  await button(dialog, 'Return all seats').click()
  await expect(page.getByText(`All seats have been returned from ${host.serverName}.`)).toBeVisible()
  await expect(rowOf(page, 'Inactive Servers', host.serverName)).toBeVisible()

  await signIn(page, 'support', SCREEN)
  const reason = 'You do not have enough permissions for such operation.'
  await expect(button(page, 'Renew ending licenses')).toHaveAccessibleDescription(reason)
  await button(page, 'More actions: lic-pit-lane').click()
  for (const name of ['Rehost on a different license server', 'Renew ending licenses', 'Deactivate']) {
    const item = page.getByRole('menuitem', { name, exact: true })
    await expect(item).toBeDisabled()
    await expect(item).toHaveAccessibleDescription(reason)
  }
  await expect(page.getByRole('menuitem', { name: /^Forced return/ })).toHaveCount(0)
})

test('shows running and stopped plans', async ({ page }) => {
  await signIn(page, 'administrator', SCREEN)
  const host = await hostWithProducts(page, 'planned')
  const on = { hostId: host.serverId, hostIdType: host.serverIdType }
  const { data: begun } = await post(page, '/api/fulfillments/deactivate', on)
  const later = { ...begun, state: 'running', text: 'Deactivating...', finishedAt: null }
  const answers = [
    { ...later, done: 1 },
    {
      ...begun,
      state: 'failed',
      finishedAt: new Date().toISOString(),
      amounts: { ...begun.amounts, returned: { done: 1, total: 2 } },
      failure: { code: 'NOT_IN_CATALOG', err: 'The catalog does not know the product Fan.' },
    },
  ]
  let at = 0
  await page.route('**/api/fulfillments/plans', (route) =>
    route.fulfill({ json: { status: 'SUCCESS', data: [answers[at]] } }),
  )
  await page.goto(SCREEN)
  const plans = page.getByRole('region', { name: 'Changes of license servers' })
  await expect(plans).toContainText(`Deactivation of ${host.serverName}. Deactivating... Step 2 of ${begun.total}`)
  await expect(plans.getByRole('progressbar')).toBeVisible()
  at = 1
  await expect(plans).toContainText(`Deactivation of ${host.serverName} has stopped.`)
  await expect(plans).toContainText('The catalog does not know the product Fan.')
  await expect(plans).toContainText('Done: 1 of 2 seats returned')
  await expect(plans).toContainText('start again')
  await expectAccessibleInBothSchemes(page)
  await button(plans, `Dismiss: Deactivation of ${host.serverName}`).click()
  await expect(plans).toHaveCount(0)
  const asked = page.waitForResponse('**/api/fulfillments/plans')
  await page.reload()
  await asked
  await expect(table(page, 'Active Servers')).toBeVisible()
  await expect(plans).toHaveCount(0)
})
