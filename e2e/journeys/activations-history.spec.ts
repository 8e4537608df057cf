import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { closeButton, pasteInto } from '#e2e/support/activations-screen.ts'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { CUSTOMER, hostWithProducts, newHost, post } from '#e2e/support/hosts.ts'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'
import { cellsOf, filterBy, rowsOf } from '#e2e/support/table.ts'

const SCREEN = `/activations-history?customer=${CUSTOMER}`

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const table = (page: Page, name: 'Active Servers' | 'Inactive Servers') => page.getByRole('grid', { name, exact: true })
const region = (page: Page, name: 'Active Servers' | 'Inactive Servers') =>
  page.getByRole('region', { name, exact: true })
const rowOf = (page: Page, name: 'Active Servers' | 'Inactive Servers', host: string) =>
  rowsOf(table(page, name)).filter({ hasText: host })

/** Chooses from the menu at the end of the row of a host. */
async function choose(page: Page, action: string, host: string) {
  await button(page, `More actions: ${host}`).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('a host shows its history as a tree, its timeline, its license files and what is on it now', async ({ page }) => {
  await signInUnseen(page, 'administrator')
  const host = await hostWithProducts(page, 'tree')
  const { data } = await post(page, '/api/fulfillments/entitlements', { serverId: host.serverId, activeOnly: true })
  const [fulfillment] = data[0].AnsysFulfillments
  await post(page, '/api/fulfillments/return', { activations: [{ id: fulfillment.FulfillmentID, count: -1 }] })
  await post(page, '/api/fulfillments/license', host)
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('/fulfillments/history') && asked.push(request.url()))
  await page.goto(SCREEN)
  await filterBy(region(page, 'Active Servers'), 'Host Name contains', host.serverName)
  await expect(rowsOf(table(page, 'Active Servers'))).toHaveCount(1)
  await expect(cellsOf(table(page, 'Active Servers'), 'hostid')).toHaveText(`MAC_ADDRESS=${host.serverId}`)

  await test.step('a row unfolds to its history and its timeline', async () => {
    await rowOf(page, 'Active Servers', host.serverName).click()
    const tree = page.getByRole('treegrid', { name: `History of ${host.serverName}` })
    await expect(rowsOf(tree)).toHaveCount(1)
    await expect(tree).toContainText('2 entitlements')
    for (const header of ['Time', 'Modified By', 'Action', 'Entitlement', 'Count', 'Start Date', 'Expiration Date'])
      await expect(tree.getByRole('columnheader', { name: header })).toBeVisible()
    await rowsOf(tree).first().getByRole('button').first().click()
    await expect(rowsOf(tree)).not.toHaveCount(1)
    const timeline = page.getByRole('region', { name: `Timeline of ${host.serverName}` })
    await expect(timeline).toContainText('License file generated')
    await expect(timeline).toContainText('Activated 2 seats of 2 entitlements')
    expect(asked).toHaveLength(1)
    await expectAccessible(page)
  })
  await test.step('any two license files are compared line by line', async () => {
    await button(page, 'Compare license files').click()
    const dialog = page.getByRole('dialog', { name: `License files of ${host.serverName}` })
    await expect(dialog).toContainText(/Licenses: \d removed/)
    await expect(dialog.getByRole('region', { name: 'Lines of the license file' })).toContainText('INCREMENT')
    await expectAccessibleInBothSchemes(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })
  await test.step('a dialog shows the products that are on the host now', async () => {
    await choose(page, 'View current activations', host.serverName)
    const viewing = page.getByRole('dialog', {
      name: `The following products are activated on Host ID: ${host.serverId}.`,
    })
    await expect(viewing.getByRole('table').getByRole('row')).toHaveCount(2)
    await button(viewing, 'Ok').click()
    await expect(viewing).toBeHidden()
  })
  await test.step('the license file of the host is downloaded', async () => {
    const download = page.waitForEvent('download')
    await button(page, `Download the license file: ${host.serverName}`).click()
    expect((await download).suggestedFilename()).toBe(`license_${CUSTOMER}_${host.serverId}.lic`)
  })
  await test.step('the CSV file holds what the filters leave, in the columns of the specification', async () => {
    const download = page.waitForEvent('download')
    await button(page.getByRole('region', { name: 'Active Servers', exact: true }), 'Export as csv file').click()
    const file = await download
    expect(file.suggestedFilename()).toBe(`ActiveServers_${CUSTOMER}.csv`)
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines.length).toBeGreaterThan(2)
    expect(lines[0]).toContain(
      '"Hostname (hostid)","Time (UTC)","Modified by","Action","Product","Entitlement","Count"',
    )
    for (const line of lines.slice(1)) expect(line).toContain(`"${host.serverName} (MAC_ADDRESS=${host.serverId})"`)
  })
})

test('a phone shows what is on a host with its ids and dates, and marks what has expired', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn(page, 'busops', '/activations-history?customer=100001')
  await choose(page, 'View current activations', 'lic-berlin-01')
  const products = page.getByRole('dialog').getByRole('table', { name: 'Activated products' })
  await expect(products).toContainText(/\d{4}-\d\d-\d\d – \d{4}-\d\d-\d\d/)
  await expect(products).toContainText('expired')
  expect(await products.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  await expectAccessible(page)
})

test('a host is rehosted on a triad, deactivated and deleted', async ({ page }) => {
  await signInUnseen(page, 'administrator')
  const host = await hostWithProducts(page, 'moved')
  const stamp = Date.now().toString(16).slice(-8)
  const ids = ['1', '2', '3'].map((end) => `02b${stamp}${end}`)
  const triad = ['a', 'b', 'c'].map((end) => `tri-${stamp}-${end}`).join(', ')
  await page.goto(SCREEN)
  await filterBy(region(page, 'Active Servers'), 'Host Name contains', host.serverName)

  await test.step('everything moves to a triad', async () => {
    await button(page, `Rehost to another license server: ${host.serverName}`).click()
    const target = page.getByRole('dialog', { name: `Rehost ${host.serverName} on a different license server` })
    const lines = ids.map((id, index) => `SERVER tri-${stamp}-${'abc'[index]} ${id} 1055`)
    await pasteInto(target.getByLabel('Host Name'), lines.join('\n'))
    await expect(target.getByRole('switch', { name: 'Triad (three hosts)' })).toBeChecked()
    await expect(target.getByLabel('Host Name 3')).toHaveValue(`tri-${stamp}-c`)
    await expectAccessible(page)
    await button(target, 'Continue').click()
    const confirming = page.getByRole('dialog', { name: `Rehost ${host.serverName} on ${triad}` })
    await expect(confirming).toContainText(
      `will be deactivated on ${host.serverName} (MAC_ADDRESS=${host.serverId}) and activated on ${triad}`,
    )
    const leaving = confirming.getByRole('table', { name: 'Products to deactivate' })
    await expect(leaving.getByRole('checkbox')).toHaveCount(2)
    await leaving.getByRole('checkbox').first().click()
    await expect(button(confirming, 'Rehost 1 product')).toBeEnabled()
    await leaving.getByRole('checkbox').first().click()
    await expect(confirming.getByRole('table', { name: 'Products to activate' })).toBeVisible()
    await expect(confirming).toContainText(`SERVER tri-${stamp}-c ${ids[2]}`)
    await button(confirming, 'Rehost 2 products').click()
    const ready = page.getByRole('dialog', { name: 'License files generated' })
    await expect(ready).toContainText(`Everything has moved to ${triad}.`)
    await expect(ready).toContainText('was downloaded.')
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await button(ready, `Download the license file of ${triad}`).click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain(`SERVER tri-${stamp}-c ${ids[2]}`)
    await closeButton(ready).click()
  })
  await test.step('the triad is deactivated', async () => {
    await filterBy(region(page, 'Active Servers'), 'Host Name contains', `tri-${stamp}`)
    await choose(page, 'Deactivate', triad)
    const deactivating = page.getByRole('dialog', { name: `Deactivate ${triad}` })
    await expect(deactivating.getByRole('table', { name: 'Products to deactivate' })).toBeVisible()
    await button(deactivating, 'Deactivate 2 products').click()
    await expect(page.getByText(`${triad} has been deactivated.`)).toBeVisible()
  })
  await test.step('the inactive host is deleted', async () => {
    await filterBy(region(page, 'Inactive Servers'), 'Host Name contains', host.serverName)
    await expect(rowOf(page, 'Inactive Servers', host.serverName)).toBeVisible()
    await button(page, `Delete: ${host.serverName}`).click()
    const deleting = page.getByRole('dialog', { name: `Delete ${host.serverName}` })
    await expect(deleting).toContainText(`The following Host ID: ${host.serverId} will be removed permanently.`)
    await button(deleting, 'Delete license server').click()
    await expect(rowOf(page, 'Inactive Servers', host.serverName)).toHaveCount(0)
  })
})

/** Has permanent licenses whose maintenance has expired. Only business operations can activate them. */
const WITH_EXPIRED = '100001'

test('a rehost leaves what a rule holds back on the old server, and downloads both license files in one zip file', async ({
  page,
}) => {
  const stamp = Date.now().toString(16).slice(-7)
  const own = { customerNumber: WITH_EXPIRED }
  const host = { serverName: `disk-${stamp}`, serverId: `a${stamp}`, serverIdType: 'DISK_SERIAL_NUM' }
  const target = `new-${stamp}`
  await signInUnseen(page, 'busops')
  const { data } = await post(page, '/api/fulfillments/allentitlements', own)
  const idOf = (name: string, isPermanent: 'true' | 'false') =>
    data.find((one: Record<string, string>) => one.ProductName === name && one.IsActivationPermanent === isPermanent)
      .ActivationId
  const held = 'Multiphysics Coupling Hub'
  const activations = [idOf(held, 'true'), idOf('Geometry Modeler', 'false')].map((id) => ({ id, count: 1 }))
  await post(page, '/api/fulfillments/create', { ...own, ...host, activations })
  await post(page, '/api/fulfillments/license', { ...own, ...host })
  await signInUnseen(page, 'administrator')
  await page.goto(`/activations-history?customer=${WITH_EXPIRED}`)
  await filterBy(region(page, 'Active Servers'), 'Host Name contains', host.serverName)

  const confirming = page.getByRole('dialog', { name: `Rehost ${host.serverName} on ${target}` })
  await test.step('the form starts with the id type of the old server', async () => {
    await button(page, `Rehost to another license server: ${host.serverName}`).click()
    const form = page.getByRole('dialog', { name: `Rehost ${host.serverName} on a different license server` })
    await expect(form.getByLabel('Host ID Type')).toHaveValue('DISK_SERIAL_NUM')
    await form.getByLabel('Host Name').fill(target)
    await form.getByLabel('Host ID', { exact: true }).fill('02:a1:b2:c3:d4:e9')
    await form.getByLabel('Host Name').focus()
    // The portal tells by the form of the id that this is the address of a network card.
    await expect(form.getByLabel('Host ID Type')).toHaveValue('ETHERNET')
    await form.getByLabel('Host ID', { exact: true }).fill(`b${stamp}`)
    await form.getByLabel('Host Name').focus()
    await expect(form.getByLabel('Host ID Type')).toHaveValue('DISK_SERIAL_NUM')
    await button(form, 'Continue').click()
  })
  await test.step('what is held back is named once, and left on the old server with one button', async () => {
    await expect(confirming.getByRole('alert')).toContainText('since their maintenance has expired.')
    await expect(confirming.getByRole('alert')).toContainText(held)
    await expect(confirming.getByRole('table').filter({ hasText: held })).toHaveCount(0)
    await expect(button(confirming, 'Leave 1 product, rehost 1 product')).toBeEnabled()
    await expectAccessible(page)
    await button(confirming, 'Leave them on the old server').click()
    await expect(confirming.getByRole('status').filter({ hasText: 'so it stays active.' })).toContainText(held)
    await expect(confirming.getByRole('alert')).toHaveCount(0)
    await expect(button(confirming, 'Rehost 1 product')).toBeEnabled()
    await expectAccessible(page)
  })
  await test.step('one button does both', async () => {
    await button(confirming, 'Cancel').click()
    await button(page, `Rehost to another license server: ${host.serverName}`).click()
    await pasteInto(page.getByRole('dialog').getByLabel('Host Name'), `${target} b${stamp}`)
    await button(page.getByRole('dialog'), 'Continue').click()
  })
  await test.step('both license files are downloaded in one zip file', async () => {
    const download = page.waitForEvent('download')
    await button(confirming, 'Leave 1 product, rehost 1 product').click()
    const ready = page.getByRole('dialog', { name: 'License files generated' })
    await expect(ready).toContainText(`1 product moved, 1 stays on ${host.serverName}.`)
    const name = `licenses_${WITH_EXPIRED}.zip`
    await expect(ready).toContainText(`${name} was downloaded.`)
    expect((await download).suggestedFilename()).toBe(name)
    const zip = await readFile(await (await download).path(), 'latin1')
    for (const [server, id] of [
      [host.serverName, host.serverId],
      [target, `b${stamp}`],
    ]) {
      expect(zip).toContain(`license_${WITH_EXPIRED}_${id}.lic`)
      expect(zip).toContain(`SERVER ${server} `)
    }
    await expectAccessible(page)
    const again = page.waitForEvent('download')
    await button(ready, 'Download all (zip)').click()
    expect((await again).suggestedFilename()).toBe(name)
  })
})

/** Has an entitlement that ends soon, with another one of the same product that ends later. */
const RENEWING = '100006'

test('renewals replace products that end soon, on one host or on all', async ({ page }) => {
  await signInUnseen(page, 'singleAccount')
  const own = { customerNumber: RENEWING }
  const host = newHost('renewed')
  const { data: preview } = await post(page, '/api/fulfillments/plans/preview', { ...own, action: 'RENEW' })
  const { replaces: id, ansysproduct } = preview.changes.find((one: { replaces?: string }) => one.replaces)
  await post(page, '/api/fulfillments/create', { ...own, ...host, activations: [{ id, count: 2 }] })
  await post(page, '/api/fulfillments/license', { ...own, ...host })
  await page.goto(`/activations-history?customer=${RENEWING}`)

  await test.step('the renewals of all hosts are shown, and can be unticked', async () => {
    await button(page, 'Renew ending licenses').click()
    const everywhere = page.getByRole('dialog', { name: 'Renew ending licenses on all license servers' })
    const all = everywhere.getByRole('table', { name: 'Products to replace' })
    await expect(all.getByRole('row').filter({ hasText: host.serverName })).toContainText(ansysproduct)
    await expect(all.getByRole('row').filter({ hasText: 'lic-osaka' })).toContainText(ansysproduct)
    await expect(all.getByRole('row').filter({ hasText: host.serverName })).toContainText(/2 seats/)
    await expect(everywhere).toContainText(/seats? on lic-osaka, until/)
    await expect(everywhere).toContainText(`License file of ${host.serverName}`)
    await expectAccessible(page)
    for (const box of await all.getByRole('checkbox').all()) await box.click()
    await expect(all.getByRole('checkbox', { checked: true })).toHaveCount(0)
    await expect(button(everywhere, 'Renew ending licenses')).toHaveAccessibleDescription('Tick at least one product.')
    await button(everywhere, 'Cancel').click()
  })
  const confirming = page.getByRole('dialog', { name: `Renew ending licenses on ${host.serverName}` })
  await test.step('one host is renewed, and its license file has the renewal', async () => {
    await filterBy(region(page, 'Active Servers'), 'Host Name contains', host.serverName)
    await choose(page, 'Renew ending licenses', host.serverName)
    await expect(confirming.getByRole('table', { name: 'Products to replace' })).toContainText(id)
    await expect(confirming).toContainText(/Licenses: .*1 added/)
    await button(confirming, 'Renew 1 ending license').click()
    const ready = page.getByRole('dialog', { name: 'License files generated' })
    await expect(ready).toContainText(new RegExp(`Renewed \\d+ seats? of .* on ${host.serverName}\\.`))
    const download = page.waitForEvent('download')
    await button(ready, `Download the license file of ${host.serverName}`).click()
    expect(await readFile(await (await download).path(), 'utf8')).not.toContain(`SN=${id}`)
    await closeButton(ready).click()
  })
  await test.step('the renewed host has nothing left to renew', async () => {
    await choose(page, 'Renew ending licenses', host.serverName)
    await expect(confirming).toContainText(
      'What ends within 90 days has been renewed, or the account has no available seats of the same product that end later.',
    )
  })
})

test('business operations return seats from a lost host with a reason; view-only people see what they cannot do', async ({
  page,
}) => {
  await signInUnseen(page, 'busops')
  const host = await hostWithProducts(page, 'lost')
  await page.goto(SCREEN)
  await choose(page, 'Forced return from a lost license server', host.serverName)
  const dialog = page.getByRole('dialog', { name: `Forced return from ${host.serverName}` })
  await expect(dialog.getByRole('table', { name: 'Products to deactivate' }).getByRole('row')).toHaveCount(4)
  await expect(dialog.getByRole('checkbox')).toHaveCount(0)
  await expect(button(dialog, 'Return all seats')).toBeDisabled()
  await expect(button(dialog, 'Return all seats')).toHaveAccessibleDescription('Enter a reason.')
  await dialog.getByLabel('Reason').fill('The server room has burned down.')
  await button(dialog, 'Return all seats').click()
  await expect(page.getByText(`All seats have been returned from ${host.serverName}.`)).toBeVisible()
  await expect(rowOf(page, 'Inactive Servers', host.serverName)).toBeVisible()

  await signIn(page, 'support', SCREEN)
  const reason = 'You do not have enough permissions for such operation.'
  await expect(button(page, 'Renew ending licenses')).toHaveAccessibleDescription(reason)
  await expect(button(page, 'Rehost to another license server: lic-pit-lane')).toHaveAccessibleDescription(reason)
  await button(page, 'More actions: lic-pit-lane').click()
  for (const name of ['Renew ending licenses', 'Deactivate']) {
    const item = page.getByRole('menuitem', { name, exact: true })
    await expect(item).toBeDisabled()
    await expect(item).toHaveAccessibleDescription(reason)
  }
  await expect(page.getByRole('menuitem', { name: /^Forced return/ })).toHaveCount(0)
})

test('running and stopped plans are shown until they are dismissed', async ({ page }) => {
  await signInUnseen(page, 'administrator')
  const host = await hostWithProducts(page, 'planned')
  const on = { hostId: host.serverId, hostIdType: host.serverIdType }
  const { data: begun } = await post(page, '/api/fulfillments/deactivate', on)
  const later = { ...begun, state: 'running', text: 'Deactivating...', total: 3, finishedAt: null }
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
  await expect(plans).toContainText(`Deactivation of ${host.serverName}. Deactivating... Step 2 of 3`)
  await expect(plans.getByRole('progressbar')).toBeVisible()
  at = 1
  await expect(plans).toContainText(`Deactivation of ${host.serverName} has stopped.`)
  await expect(plans).toContainText('The catalog does not know the product Fan.')
  await expect(plans).toContainText('Done: 1 of 2 seats returned')
  await expect(plans).toContainText('start again')
  await expectAccessible(page)
  await button(plans, `Dismiss: Deactivation of ${host.serverName}`).click()
  await expect(plans).toHaveCount(0)
  const asked = page.waitForResponse('**/api/fulfillments/plans')
  await page.reload()
  await asked
  await expect(table(page, 'Active Servers')).toBeVisible()
  await expect(plans).toHaveCount(0)
})
