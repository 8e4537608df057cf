import { expect, test } from '@playwright/test'
import {
  assigned,
  associate,
  available,
  button,
  dialog,
  HEADERS,
  newHostId,
  saveButton,
  server,
} from '#e2e/support/activations-screen.ts'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

const REFERENCE = '0123456789abcdef0123456789abcdef'

// One after the other: several of them save on lic-pit-lane, and a second save is refused while the first one runs.
test.describe.configure({ mode: 'default' })

test('an error is shown with its reference id, and clearing it loads the server again', async ({ page }) => {
  await page.route('**/api/fulfillments/entitlements', (route) =>
    route.fulfill({
      status: 500,
      json: { status: 'FAILURE', code: 'INTERNAL_ERROR', err: `Oh no. reference id [${REFERENCE}]` },
    }),
  )
  await signIn(page, 'administrator', '/activations?customer=100002&id=6045bd8812f3')
  const banner = page.getByRole('alert').filter({ hasText: 'unable to fetch' })
  await expect(banner).toHaveText(`unable to fetch fulfilled entitlements for server 6045bd8812f3 (${REFERENCE})`)
  await expect(page.getByText('Getting Activations History...')).toHaveCount(0)
  await expect(button(page, 'Generate')).toBeDisabled()
  await expectAccessible(page)
  await page.unroute('**/api/fulfillments/entitlements')
  await button(banner, 'Clear the error and reload the license server').click()
  await expect(banner).toBeHidden()
  await expect(rowsOf(assigned(page))).not.toHaveCount(0)
  await expect(button(page, 'Generate')).toBeEnabled()
})

test('seats that somebody else took meanwhile are refused by product', async ({ page }) => {
  await signIn(page, 'administrator', '/home?customer=100002')
  const post = (path: string, data: object) => page.request.post(path, { headers: HEADERS, data })
  const free = await (await post('/api/fulfillments/allentitlements', { customerNumber: '100002' })).json()
  const {
    ActivationId: id,
    ProductName,
    LineItemQuantity,
    AnsysActivated,
  } = entitlementTo('Optical Sensor Simulator', free.data)
  await page.goto(`/activations?customer=100002&id=6045bd8812f3&activate=${id}`)
  await expect(available(page).getByRole('button', { name: `Remove ${ProductName} ${id}` })).toBeVisible()
  const own = { customerNumber: '100002', serverName: 'lic-faster', serverId: newHostId(), serverIdType: 'ETHERNET' }
  const taken = await post('/api/fulfillments/create', {
    ...own,
    activations: [{ id, count: LineItemQuantity - AnsysActivated }],
  })
  expect(await taken.json()).toMatchObject({ status: 'SUCCESS' })

  await button(page, 'Save & Generate').click()
  await saveButton(page).click()
  const banner = page.getByRole('alert').filter({ hasText: 'Error creating fulfillments.' })
  await expect(banner).toContainText('Activated number must be less or equal to Available number.')
  await expect(banner.getByRole('listitem')).toHaveText([`${ProductName} (${id})`])
  await expect(button(banner, 'Continue saving')).toHaveCount(0)
  await button(banner, 'Clear the error and reload the license server').click()
  await expect(page.getByText('This entitlement has no seats left to activate.')).toBeVisible()
  await expect(button(page, 'Generate')).toBeEnabled()
})

test('of two tabs that save the last seat, one gets an error; a double click sends once', async ({ page }) => {
  await signIn(page, 'administrator', '/home?customer=100002')
  const post = async (path: string, data: object) =>
    (await page.request.post(path, { headers: HEADERS, data: { customerNumber: '100002', ...data } })).json()
  const { data: free } = await post('/api/fulfillments/allentitlements', {})
  const { ActivationId: id, ProductName, LineItemQuantity, AnsysActivated } = entitlementTo('HPC Pack', free)
  const left = LineItemQuantity - AnsysActivated
  const other = { serverName: 'lic-other', serverId: newHostId(), serverIdType: 'ETHERNET' }
  const taken = [
    { id: entitlementTo('Fatigue and Durability', free).ActivationId, count: 1 },
    ...(left > 1 ? [{ id, count: left - 1 }] : []),
  ]
  expect(await post('/api/fulfillments/create', { ...other, activations: taken })).toMatchObject({ status: 'SUCCESS' })
  const pages = [page, await page.context().newPage()] as const
  const created = pages.map((one) => {
    const sent: string[] = []
    one.on('request', (request) => request.url().endsWith('/fulfillments/save') && sent.push(request.url()))
    return sent
  })
  for (const [index, one] of pages.entries()) {
    await one.goto(`/activations?customer=100002&id=${['6045bd8812f3', other.serverId][index]}&activate=${id}`)
    await expect(available(one).getByRole('button', { name: `Remove ${ProductName} ${id}` })).toBeVisible()
    await button(one, 'Save & Generate').dblclick()
    await expect(button(one.getByRole('dialog'), 'Activate 1 seat')).toBeVisible()
    await expect(one.getByRole('region', { name: 'Lines of the license file' })).toBeVisible()
    const lengths = await one.getByRole('dialog').evaluate((content) => {
      const heights = Array.from(content.children, (child) => child.getBoundingClientRect().height)
      const scrolling = Array.from(content.querySelectorAll('*')).filter(
        (part) => part.scrollHeight > part.clientHeight + 1 && getComputedStyle(part).overflowY === 'auto',
      )
      return {
        excess: content.scrollHeight - heights.reduce((sum, height) => sum + height, 0),
        scrolling: scrolling.map(({ className }) => className),
      }
    })
    // The dialog is as long as what it shows, and nothing in it scrolls up and down by itself.
    expect(lengths.excess).toBeLessThan(5)
    expect(lengths.scrolling).toEqual([])
  }
  await Promise.all(pages.map((one) => button(one.getByRole('dialog'), 'Activate 1 seat').dblclick()))
  const ready = (one: typeof page) => dialog(one, 'License file generated')
  const refused = (one: typeof page) =>
    one.getByRole('alert').filter({ hasText: 'Activated number must be less or equal to Available number.' })
  for (const one of pages) await expect(ready(one).or(refused(one))).toBeVisible()
  const isReady = await Promise.all(pages.map((one) => ready(one).isVisible()))
  expect(isReady.filter(Boolean)).toHaveLength(1)
  const loser = pages[isReady.indexOf(false)] ?? page
  await expect(refused(loser).getByRole('listitem')).toHaveText([`${ProductName} (${id})`])
  expect(created.map((sent) => sent.length)).toEqual([1, 1])
})

test('a server is found by typing over the selected one', async ({ page }) => {
  await signIn(page, 'viewer', '/activations?customer=100001&id=3cecef4b7d10')
  await expect(assigned(page)).toBeVisible()
  await server(page).click()
  await page.keyboard.type('00155D')
  await page.keyboard.press('Enter')
  await expect(server(page)).toHaveValue('lic-track-01 (MAC_ADDRESS=00155d3a9c41)')
  await expect(page).toHaveURL(/id=00155d3a9c41/)
})

test('closing the tab of a customer warns that it leaves the license file', async ({ page }) => {
  await signIn(page, 'administrator', '/activations?customer=100002&id=00155d3a9c41')
  await expect(page.getByRole('tab')).toHaveText([/^100002 /, /^100001 /])
  await page.getByRole('tab', { name: '100001' }).click()
  await button(page, 'Close tab 100001').click()
  await expect(page.getByRole('tab')).toHaveText([/^100002 /])
  await expect(page.getByText('Customer 100001 will be removed from the license file')).toBeVisible()
  await button(page, 'Cancel').click()
  await expect(page.getByRole('tab')).toHaveText([/^100002 /, /^100001 /])
  await expect(page.getByText('will be removed from the license file')).toHaveCount(0)
})

test('customers that somebody does not manage are named in a warning', async ({ page }) => {
  await signIn(page, 'licenseGenerator', '/activations?customer=100003&id=b42e99f10a27')
  await expect(
    page.getByText('This license server is shared with customer numbers that you do not manage:'),
  ).toBeVisible()
})

test('an associated customer that export compliance denies has no tables', async ({ page }) => {
  await signIn(page, 'busops', '/activations?customer=100006')
  await expect(assigned(page)).toBeVisible()
  await associate(page, '100004')
  await expect(page.getByText('Access to this customer is denied per Export Compliance restrictions.')).toBeVisible()
  await expect(assigned(page)).toHaveCount(0)
  await expect(button(page, 'Generate')).toBeEnabled()
})

test('Select All adds every product, reads Remove All, and takes them away again', async ({ page }) => {
  await signIn(page, 'singleAccount', '/activations')
  await expect(assigned(page)).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  const products = page.getByRole('combobox', { name: 'Products' })
  const first = page.getByRole('listbox', { name: 'Products' }).getByRole('option').first()
  await products.click()
  await expect(first).toHaveText('Select All')
  await first.click()
  await expect(first).toHaveText('Remove All')
  await page.keyboard.press('Escape')
  await expect(button(page, 'Add All')).toHaveCount(0)
  await available(page)
    .getByRole('button', { name: /^Remove / })
    .first()
    .click()
  await expect(button(page, 'Add All')).toBeVisible()
  await products.click()
  await expect(first).toHaveText('Select All')
  await first.click()
  await first.click()
  await page.keyboard.press('Escape')
  await expect(available(page).getByLabel('Activated', { exact: true })).toHaveCount(0)

  const all = assigned(page).locator('xpath=ancestor::section[1]')
  await button(all, 'Remove All').click()
  await expect(button(page, 'Save & Generate')).toBeVisible()
  await button(all, 'Undo All').click()
  await expect(button(page, 'Generate')).toBeVisible()
})

test('a rehost link opens the rehost dialog of the selected host once', async ({ page }) => {
  const rehost = dialog(page, 'Rehost lic-pit-lane on a different license server')
  await signIn(page, 'administrator', '/activations?customer=100002&id=6045bd8812f3&action=rehost')
  await expect(rehost).toBeVisible()
  await expect(page).toHaveURL(/id=6045bd8812f3/)
  await expect(page).not.toHaveURL(/action/)
  await rehost.getByLabel('Host Name').fill('lic-elsewhere')
  await rehost.getByLabel('Host ID', { exact: true }).fill(newHostId())
  await button(rehost, 'Continue').click()
  const confirming = dialog(page, 'Rehost lic-pit-lane on lic-elsewhere')
  await expect(confirming).toContainText('will be deactivated on lic-pit-lane (MAC_ADDRESS=6045bd8812f3)')
  await button(confirming, 'Cancel').click()
  await expect(confirming).toBeHidden()
  await expect(page.getByRole('combobox', { name: 'Server', exact: true })).toHaveValue(/^lic-pit-lane /)
})

test('entitlements lead to their hosts, and to activating them', async ({ page }) => {
  await signIn(page, 'administrator', '/ssl?customer=100001')
  const leases = page.getByRole('grid', { name: 'Active Entitlements', exact: true })
  await leases
    .getByRole('button', { name: /^[1-9]\d* activated: show the license servers/ })
    .first()
    .click()
  const seats = dialog(page, 'Activated on license servers')
  const host = seats.getByRole('link').first()
  const name = (await host.textContent()) ?? ''
  await host.click()
  await expect(server(page)).toHaveValue(new RegExp(`^[^ ]*${name}[^ ]* `))
  await expect(rowsOf(assigned(page))).not.toHaveCount(0)

  await page.goBack()
  const activate = leases.getByRole('link', { name: /^Activate / }).first()
  const row = (await activate.getAttribute('aria-label'))?.replace('Activate ', '') ?? ''
  await activate.click()
  await expect(available(page).getByRole('button', { name: `Remove ${row}` })).toBeVisible()
  await expect(button(page, 'Save & Generate')).toBeEnabled()
})

test('orders of a spending account offer Activate', async ({ page }) => {
  // The filter is saved. No other journey uses this table as this person.
  await signIn(page, 'busops', '/ssl?customer=100001')
  const leases = page.getByRole('grid', { name: 'Active Entitlements', exact: true })
  const model = leases.getByLabel('License Model contains', { exact: true })
  await model.fill('FSA')
  await model.press('Enter')
  await expect(leases).toHaveAttribute('aria-busy', 'false')
  await leases
    .getByRole('link', { name: /^Activate / })
    .first()
    .click()
  await expect(button(page, 'Save & Generate')).toBeEnabled()
})

test('available entitlements that fail to load are requested three times', async ({ page }) => {
  let asked = 0
  await page.route('**/api/fulfillments/allentitlements', (route) => {
    asked += 1
    return route.fulfill({ status: 503, json: { status: 'FAILURE', code: 'UNAVAILABLE', err: 'Not now.' } })
  })
  await signIn(page, 'administrator', '/activations?customer=100002&id=6045bd8812f3')
  await expect(page.getByRole('alert').filter({ hasText: 'unable to fetch available' })).toBeVisible()
  expect(asked).toBe(3)
})

test('a save that gets no answer is continued, and done once', async ({ page }) => {
  await signIn(page, 'administrator', '/activations?customer=100002&id=6045bd8812f3')
  const keys: (string | undefined)[] = []
  await page.route('**/api/fulfillments/save', (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    return route.abort()
  })
  await button(page, 'Generate').click()
  const banner = page.getByRole('alert').filter({ hasText: 'Error creating license file.' })
  await expect(banner).toBeVisible()
  await page.unroute('**/api/fulfillments/save')
  page.on('request', (request) => {
    if (request.url().endsWith('/fulfillments/save')) keys.push(request.headers()['idempotency-key'])
  })
  await button(banner, 'Continue saving').click()
  await expect(dialog(page, 'License file generated')).toBeVisible()
  expect(keys.length).toBeGreaterThan(1)
  expect(new Set(keys).size).toBe(1)
})

test('a save that the server has stopped says at which step', async ({ page }) => {
  await signIn(page, 'administrator', '/activations?customer=100002&id=6045bd8812f3')
  await page.route('**/api/fulfillments/plan', async (route) => {
    const answer = await route.fetch()
    const { data } = await answer.json()
    const failure = { code: 'TOO_MANY_EMAILS', err: 'Too many emails.' }
    const finishedAt = new Date().toISOString()
    await route.fulfill({
      json: { status: 'SUCCESS', data: { ...data, state: 'failed', step: 'email', text: '', failure, finishedAt } },
    })
  })
  await button(page, 'Generate').click()
  const banner = page
    .getByRole('alert')
    .filter({ hasText: 'Error sending email message. Please clear the error and retry.' })
  await expect(banner).toContainText('Too many emails.')
  await expect(button(banner, 'Continue saving')).toHaveCount(0)
  await expectAccessibleInBothSchemes(page)
  await button(banner, 'Clear the error and reload the license server').click()
  await expect(banner).toBeHidden()
  await expect(button(page, 'Generate')).toBeEnabled()
})

type Free = { ActivationId: string; ProductName: string; LineItemQuantity: number; AnsysActivated: number }

/** Journeys run in parallel, so each uses seats of its own products. */
function entitlementTo(product: string, free: readonly Free[]): Free {
  const found = free.find(({ ProductName }) => ProductName === product)
  if (!found) throw new Error(`There is no free seat of ${product}.`)
  return found
}
