import { expect, type Page, test } from '@playwright/test'
import { addServer, available, button, dialog, HEADERS, newHostId } from '#e2e/support/activations-screen.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

const contracts = (page: Page, which: 'Active' | 'Inactive') =>
  page.getByRole('grid', { name: `${which} Entitlements`, exact: true })

async function chooseProduct(page: Page, line: number, nth: number): Promise<string> {
  await page.getByRole('combobox', { name: `Product of line ${line}` }).click()
  const option = page.getByRole('option').nth(nth)
  const name = (await option.textContent()) ?? ''
  await option.click()
  return name
}

/** A contract of the partner account that no other journey orders from. */
async function orderFrom(page: Page, ending: 'first' | 'last'): Promise<void> {
  const buttons = contracts(page, 'Active').getByRole('button', { name: /^Order Now from/ })
  await expect(buttons).toHaveCount(2)
  await buttons[ending]().click()
  await expect(page.getByRole('combobox', { name: 'FSA Contract' })).toHaveValue(/^ENT-/)
}

const drafts = (page: Page) => page.getByRole('grid', { name: 'Drafts' })
const figure = (page: Page, name: string) => page.getByText(name, { exact: true }).locator('..')

/** The buttons of a table are on the screen, also beside the open menu. */
async function expectInWindow(page: Page, name: RegExp): Promise<void> {
  const box = await page.getByRole('button', { name }).first().boundingBox()
  expect(box && box.x + box.width).toBeLessThanOrEqual(1280 - 24)
}

test('the first order of an account, from Order Now on a contract to an activated license', async ({ page }) => {
  await signIn(page, 'busops', '/entitlementsFSA?customer=200002')
  await expect(page.getByRole('link', { name: 'Activate Entitlements' })).toBeHidden()
  await orderFrom(page, 'first')
  await expect(page.getByRole('tab', { name: 'Order Products' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('combobox', { name: 'FSA Contract' })).toHaveValue(/^ENT-200002-.* ends /)
  await expect(button(page, 'Order Now')).toHaveAttribute('aria-disabled', 'true')

  const product = await chooseProduct(page, 1, 0)
  const count = page.getByLabel('Count of line 1')
  await count.fill('0')
  await expect(page.getByText('Count should be a positive number.')).toBeVisible()
  await count.fill('999')
  await expect(page.getByText('You do not have sufficient balance for the selected count.')).toBeVisible()
  // Also what cannot be ordered has its cost.
  const cost = await page.getByLabel('Cost of line 1', { exact: true }).inputValue()
  await expect(figure(page, 'Total cost')).toContainText(cost)
  await expect(figure(page, 'Balance after the order')).toContainText(/-[\d,.]+ USD.* USD missing/)
  await count.fill('1')
  await button(page, 'Add product').click()
  await chooseProduct(page, 2, 0)
  await expect(page.getByText('Product with same attributes already exists.')).toBeVisible()
  await expectAccessible(page)
  await button(page, 'Remove line 2').click()

  // The order survives a look at the other tabs.
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByRole('grid', { name: 'Order history' })).toBeVisible()
  await page.getByRole('tab', { name: 'Order Products' }).click()

  await button(page, 'Order and Activate').click()
  const confirming = dialog(page, 'Confirm the order')
  await expect(rowsOf(confirming.getByRole('grid'))).toHaveCount(1)
  await expect(confirming.getByRole('columnheader')).toHaveText([
    'Entitlement',
    'Product',
    'Count',
    'Start Date',
    'Expiration Date',
    'Cost',
    'Currency',
  ])
  await expectAccessible(page)
  await button(confirming, 'Order and Activate').click()

  await expect(page).toHaveURL(/\/activations\?/)
  await expect(page.getByText('Entitlements successfully created.')).toBeVisible()
  await addServer(page, 'fsa-host', newHostId())
  await expect(available(page)).toContainText(product)
  await button(page, 'Save & Generate').click()
  const download = page.waitForEvent('download')
  await button(page.getByRole('dialog'), 'Ok').click()
  expect((await download).suggestedFilename()).toMatch(/^license_200002_.*\.lic$/)
})

test('whoever may only look sees contracts and history, and gets a notice instead of an order', async ({ page }) => {
  await signIn(page, 'viewer', '/entitlementsFSA?customer=100001')
  await expect(rowsOf(contracts(page, 'Active'))).not.toHaveCount(0)
  await expect(rowsOf(contracts(page, 'Inactive'))).not.toHaveCount(0)
  await expectInWindow(page, /^Order Now from/)
  await expectAccessible(page)
  await contracts(page, 'Active')
    .getByRole('button', { name: /^Order Now from/ })
    .first()
    .click()
  await page.getByRole('combobox', { name: 'FSA Contract' }).click()
  await page
    .getByRole('option', { name: /USD left/ })
    .first()
    .click()
  await chooseProduct(page, 1, 0)
  await expect(page.getByLabel('Cost of line 1', { exact: true })).toHaveCount(0)
  await button(page, 'Order Now').click()
  await expect(page.getByRole('dialog')).toContainText('You do not have enough permissions for such operation.')
  await button(page.getByRole('dialog'), 'Ok').click()
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(rowsOf(page.getByRole('grid', { name: 'Order history' }))).toHaveCount(10)
  const download = page.waitForEvent('download')
  await button(page, 'Export as csv file').click()
  expect((await download).suggestedFilename()).toMatch(/^ANSYSOrderHistory_\d{4}-\d\d-\d\d_100001\.csv$/)
})

test('what one person drafts, another orders once, and the contract shows it', async ({ page, browser }) => {
  const name = `Wing team ${newHostId()}`
  await signIn(page, 'salesAccess', '/entitlementsFSA?customer=100003')
  await orderFrom(page, 'first')
  await chooseProduct(page, 1, 0)
  await button(page, 'Save as draft').click()
  await dialog(page, 'Save as draft').getByLabel('Name').fill(name)
  await expectAccessible(page)
  await button(page, 'Save draft').click()
  await expect(rowsOf(drafts(page)).filter({ hasText: name })).toContainText('Until the price list changes')
  await expectInWindow(page, /^Delete draft/)
  for (const format of ['CSV', 'PDF']) {
    const quote = page.waitForEvent('download')
    await button(page, `Quote of ${name} as ${format}`).click()
    expect((await quote).suggestedFilename()).toMatch(/^Q-[0-9A-F]{8}-1\.(csv|pdf)$/)
  }

  const purchaser = await (await browser.newContext()).newPage()
  await signIn(purchaser, 'licenseGenerator', '/entitlementsFSA?customer=100003&tab=order')
  await button(purchaser, `Open draft ${name}`).click()
  await expect(purchaser.getByText(`Draft “${name}”, saved by saul.access@partner.example`)).toBeVisible()
  // Nothing was changed, so nobody is asked about it.
  await purchaser.getByRole('link', { name: 'Home' }).first().click()
  await expect(purchaser).toHaveURL(/\/home/)
  await purchaser.goBack()
  await button(purchaser, `Open draft ${name}`).click()
  // The engineer changes the draft while the purchaser looks at it.
  await page.getByLabel('Count of line 1').fill('2')
  await button(page, 'Save as draft').click()
  await button(page, 'Save changes').click()
  await expect(page.getByText('The draft has been saved.')).toBeVisible()
  await button(purchaser, 'Order Now').click()
  await button(dialog(purchaser, 'Confirm the order'), 'Order Now').click()
  const version = (title: string) => purchaser.getByRole('table', { name: title })
  await expect(version('Saved by saul.access@partner.example').getByRole('cell').nth(2)).toHaveText('2')
  await expect(version('Yours').getByRole('cell').nth(2)).toHaveText('1')
  await expect(button(purchaser, 'Save mine as a new draft')).toBeVisible()
  await expectAccessible(purchaser)
  await button(purchaser, 'Use theirs').click()
  await expect(purchaser.getByLabel('Count of line 1')).toHaveValue('2')
  await expect(version('Yours')).toHaveCount(0)

  let orders = 0
  purchaser.on('request', (request) => {
    if (request.url().endsWith('/api/entitlements')) orders += 1
  })
  await button(purchaser, 'Order Now').dblclick()
  await button(dialog(purchaser, 'Confirm the order'), 'Order Now').dblclick()
  await expect(purchaser.getByText('Entitlements successfully created.')).toBeVisible()
  expect(orders).toBe(1)
  await expect(rowsOf(drafts(purchaser)).filter({ hasText: name })).toHaveCount(0)

  await purchaser.getByRole('tab', { name: 'Entitlements' }).click()
  await rowsOf(contracts(purchaser, 'Active')).first().click()
  await expect(rowsOf(purchaser.getByRole('grid', { name: /^Orders from ENT-/ }))).not.toHaveCount(0)
  const chart = purchaser.getByRole('region', { name: /^Balance over time of ENT-/ })
  await expect(chart.getByRole('row').nth(1)).toContainText('50,000.00')
  await expect(chart.getByRole('row').last()).not.toContainText('50,000.00')
  await expectAccessible(purchaser)
  await purchaser.context().close()
})

test('an order that fails in part, as a whole, or without an answer', async ({ page }) => {
  await signIn(page, 'licenseGenerator', '/entitlementsFSA?customer=100003')
  await orderFrom(page, 'last')
  await chooseProduct(page, 1, 0)
  await button(page, 'Add product').click()
  await chooseProduct(page, 2, 1)
  await page.getByRole('tab', { name: 'Entitlements' }).click()
  // Leaving would lose the lines.
  await page.getByRole('link', { name: 'Home' }).first().click()
  await button(page.getByRole('dialog'), 'Cancel').click()
  await page.getByRole('tab', { name: 'Order Products' }).click()

  // Somebody else takes the balance while this order is edited: only one of its lines still fits.
  const costs = (
    await page.getByRole('table', { name: 'Products to order' }).locator('[data-label="Cost"]').allTextContents()
  ).map(amount)
  const contract = (await page.getByRole('combobox', { name: 'FSA Contract' }).inputValue()).split(' ')[0] ?? ''
  const busops = await page
    .context()
    .browser()
    ?.newContext({ baseURL: new URL(page.url()).origin })
  const other = await busops?.newPage()
  if (!busops || !other) throw new Error('There is no browser')
  await signInUnseen(other, 'busops')
  const draw = async (left: number) => {
    const { data } = await (
      await other.request.post('/api/fsa/contracts', { headers: HEADERS, data: { customerNumber: '100003' } })
    ).json()
    const { available, EndDate } = data.find(({ fsaID }: { fsaID: string }) => fsaID === contract)
    const line = {
      ansysbpn: 'FSA0030216',
      manualentry: true,
      manualProductName: 'Training',
      startdate: TOMORROW,
      enddate: EndDate,
      ansyscurrency: 'USD',
      ansysprice: (Number(available) - left).toFixed(2),
    }
    const answer = await other.request.post('/api/entitlements', {
      headers: HEADERS,
      data: { ansyshasfsa: true, customerNumber: '100003', fsaID: contract, products: [line] },
    })
    expect(await answer.json()).toMatchObject({ status: 'SUCCESS' })
  }
  const order = async () => {
    await button(page, 'Order Now').click()
    await button(dialog(page, 'Confirm the order'), 'Order Now').click()
  }
  const [first = 0, second = 0] = costs
  await draw(first + second - 0.01)
  await order()
  await expect(
    page.getByText('Some entitlements were not successfully created. Please check for errors and try again.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /^Remove line/ })).toHaveCount(1)
  await expect(page.getByText('You do not have sufficient balance for the selected product.')).toBeVisible()
  await expect(figure(page, 'Available balance')).toContainText(money(second - 0.01))
  await expect(figure(page, 'Total cost')).toContainText(money(second))
  await expect(figure(page, 'Balance after the order')).toContainText('-0.01 USD')

  // A line that fits, until somebody else takes all.
  await page.getByRole('combobox', { name: 'Duration of line 1' }).click()
  await page.getByRole('option').first().click()
  const week = amount(
    (await page.getByRole('table', { name: 'Products to order' }).locator('[data-label="Cost"]').textContent()) ?? '',
  )
  await draw(week - 0.01)
  await order()
  await expect(page.getByText('Some entitlements were not successfully created.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Remove line/ })).toHaveCount(1)
  await expect(figure(page, 'Available balance')).toContainText(money(week - 0.01))
  await busops.close()
})

test('an order whose answer is lost is not placed twice', async ({ page }) => {
  await signIn(page, 'busops', '/entitlementsFSA?customer=200002')
  await orderFrom(page, 'last')
  const product = await chooseProduct(page, 1, 2)
  const keys = new Set<string | undefined>()
  let isDown = true
  await page.route('**/api/entitlements', async (route) => {
    keys.add((await route.request().headerValue('idempotency-key')) ?? undefined)
    if (!isDown) return route.continue()
    // The order arrives, its answer does not.
    await route.fetch()
    await route.abort()
  })
  await button(page, 'Order Now').click()
  await button(dialog(page, 'Confirm the order'), 'Order Now').click()
  await expect(page.getByText(/^POST: ERROR in \/api\/entitlements: /)).toBeVisible()
  await expect(page.getByText('It is not known whether the order was placed.')).toBeVisible()
  isDown = false
  await button(page, 'Order Now').click()
  await button(dialog(page, 'Confirm the order'), 'Order Now').click()
  await expect(page.getByText('Entitlements successfully created.')).toBeVisible()
  expect(keys.size).toBe(1)
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(rowsOf(page.getByRole('grid', { name: 'Order history' })).filter({ hasText: product })).toHaveCount(1)
})

const TOMORROW = new Date(Date.now() + 24 * 3600 * 1000).toISOString().slice(0, 10)
const amount = (text: string) => Number(text.replaceAll(',', ''))
const money = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
