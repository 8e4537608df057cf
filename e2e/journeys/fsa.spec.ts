import { expect, type Page, test } from '@playwright/test'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import {
  addServer,
  available,
  button,
  dialog,
  HEADERS,
  newHostId,
  saveButton,
} from '#e2e/support/activations-screen.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import {
  chooseProduct,
  contract as contractField,
  contracts,
  expectInWindow,
  expectWhole,
  figure,
  orderFrom,
} from '#e2e/support/fsa-screen.ts'
import { portalTime } from '#e2e/support/portal-time.ts'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
/** Only contracts in dollars: all of them have products. */
const orderNow = (page: Page) =>
  rowsOf(contracts(page, 'Active'))
    .filter({ hasText: 'USD' })
    .getByRole('button', { name: /^Order Now from/ })

/** Opens the order tab by the nth Order Now, and returns the id of its contract. */
async function orderFromNth(page: Page, nth: number): Promise<string> {
  const named = (await orderNow(page).nth(nth).getAttribute('aria-label')) ?? ''
  await orderNow(page).nth(nth).click()
  return named.replace('Order Now from ', '')
}

test('the first order of an account leads from Order Now to an activated license', async ({ page }) => {
  await test.step('without a customer, choosing one leads back', async () => {
    await signIn(page, 'busops', '/entitlementsFSA')
    await expect(page).toHaveURL('/noselectedcustomer')
    await button(page, 'Select an account').click()
    await page.keyboard.type('200002')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/entitlementsFSA?customer=200002')
  })
  await expect(page.getByRole('link', { name: 'Activate Entitlements' })).toBeHidden()
  await orderFrom(page, 'first')
  await expect(page.getByRole('tab', { name: 'Order Products' })).toHaveAttribute('aria-selected', 'true')
  await expect(contractField(page)).toHaveValue(/^ENT-200002-.* ends /)
  await expect(button(page, 'Order Now')).toHaveAttribute('aria-disabled', 'true')

  const product = await chooseProduct(page, 1, 0)
  const count = page.getByRole('spinbutton', { name: 'Count of line 1' })
  await expect(count).toHaveAttribute('min', '0')
  await count.fill('0')
  await expect(page.getByText('Count should be a positive number.')).toBeVisible()
  await count.fill('999')
  await expect(page.getByText('You do not have sufficient balance for the selected count.')).toBeVisible()
  // A line that cannot be ordered has a cost, too.
  const cost = await page.getByLabel('Cost of line 1', { exact: true }).inputValue()
  await expect(figure(page, 'Total cost')).toContainText(cost)
  await expect(figure(page, 'Balance after the order')).toContainText(/-[\d,.]+ USD.* USD missing/)
  await count.fill('1')
  await button(page, 'Add product').click()
  await chooseProduct(page, 2, 0)
  await expect(page.getByText('Product with same attributes already exists.')).toBeVisible()
  await expectAccessible(page)
  const second = await chooseProduct(page, 2, 1)

  // The order is kept while other tabs are open.
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByRole('grid', { name: 'Order history' })).toBeVisible()
  await page.getByRole('tab', { name: 'Order Products' }).click()

  await button(page, 'Order and Activate').click()
  const confirming = dialog(page, 'Confirm the order')
  await expect(rowsOf(confirming.getByRole('grid'))).toHaveCount(2)
  await expect.poll(async () => (await confirming.boundingBox())?.width).toBe(1200)
  await expect(confirming.getByRole('columnheader')).toHaveText([
    'Entitlement',
    'Product',
    'Count',
    'Start Date',
    'Expiration Date',
    'Cost',
    'Currency',
  ])
  await button(confirming, 'Order and Activate').click()

  await expect(page).toHaveURL(/\/activations\?/)
  await expect(page.getByText('Entitlements successfully created.')).toBeVisible()
  // There is no license server yet. As soon as there is one, the confirmation is ready.
  await addServer(page, 'fsa-host', newHostId())
  const activating = dialog(page, 'Confirm changes on fsa-host')
  for (const ordered of [product, second]) await expect(activating).toContainText(ordered)
  await expect(page).not.toHaveURL(/action=/)
  await button(activating, 'Cancel').click()
  for (const ordered of [product, second])
    await expect(rowsOf(available(page)).filter({ hasText: ordered })).toContainText('Remove')
  await button(page, 'Save & Generate').click()
  const download = page.waitForEvent('download')
  await saveButton(page).click()
  expect((await download).suggestedFilename()).toMatch(/^license_200002_.*\.lic$/)
})

test('a viewer finds contracts by their address, and gets a notice instead of an order', async ({ page }) => {
  await signIn(page, 'viewer', '/entitlementsFSA?customer=100001&tab=order&contract=ENT-200002-NOTMINE')
  await test.step('a contract that cannot be ordered from is not taken from an address', async () => {
    await expect(page.getByText('You cannot order from the contract ENT-200002-NOTMINE.')).toBeVisible()
    await expect(contractField(page)).toHaveValue('')
    await expect(page).not.toHaveURL(/contract=/)
    await tab(page, 'Entitlements').click()
  })
  await expect(rowsOf(contracts(page, 'Inactive'))).not.toHaveCount(0)
  await expectInWindow(page, /^Order Now from/)
  await expectWhole(contracts(page, 'Active'))
  const first = await orderFromNth(page, 0)
  await test.step('the address of the order tab names its contract', async () => {
    await expect(contractField(page)).toHaveValue(new RegExp(`^${first} `))
    await expect(page).toHaveURL(new RegExp(`contract=${first}`))
    await page.reload()
    await expect(contractField(page)).toHaveValue(new RegExp(`^${first} `))
    await page.goBack()
    await expect(tab(page, 'Entitlements')).toHaveAttribute('aria-selected', 'true')
    await expect(page).not.toHaveURL(/contract=/)
  })
  const second = await orderFromNth(page, 1)
  await test.step('another contract takes the place of the one in the address', async () => {
    await expect(contractField(page)).toHaveValue(new RegExp(`^${second} `))
    await contractField(page).fill('nothing')
    await expect(page.getByText('No contract has this id or end date.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(contractField(page)).toHaveValue(new RegExp(`^${second} `))
    await contractField(page).click()
    await page.getByRole('option', { name: new RegExp(`^${first} `) }).click()
    await expect(page).toHaveURL(new RegExp(`contract=${first}`))
  })
  await test.step('another contract asks before lines are lost', async () => {
    const lines = page.getByRole('combobox', { name: 'Product of line 1' })
    const product = await chooseProduct(page, 1, 0)
    await tab(page, 'Entitlements').click()
    await orderNow(page).nth(1).click()
    await button(page.getByRole('dialog'), 'Cancel').click()
    await expect(contractField(page)).toHaveValue(new RegExp(`^${first} `))
    await expect(lines).toHaveValue(product)
    await expect(page).toHaveURL(new RegExp(`contract=${first}`))
    await tab(page, 'Entitlements').click()
    await orderNow(page).nth(1).click()
    await button(page.getByRole('dialog'), 'Leave without saving').click()
    await expect(contractField(page)).toHaveValue(new RegExp(`^${second} `))
    await expect(lines).toHaveValue('')
    await expect(page).toHaveURL(new RegExp(`contract=${second}`))
  })
  await test.step('an order of a viewer is answered with a notice', async () => {
    await chooseProduct(page, 1, 0)
    await expect(page.getByLabel('Cost of line 1', { exact: true })).toHaveCount(0)
    await button(page, 'Order Now').click()
    await expect(page.getByRole('dialog')).toContainText('You do not have enough permissions for such operation.')
    await button(page.getByRole('dialog'), 'Ok').click()
  })
  await test.step('the history is shown and exported, and Back leads to the contract', async () => {
    await tab(page, 'History').click()
    await expect(page).not.toHaveURL(/contract=/)
    await expect(rowsOf(page.getByRole('grid', { name: 'Order history' }))).toHaveCount(10)
    const download = page.waitForEvent('download')
    await button(page, 'Export as csv file').click()
    expect((await download).suggestedFilename()).toMatch(/^ANSYSOrderHistory_\d{4}-\d\d-\d\d_100001\.csv$/)
    await page.goBack()
    await expect(contractField(page)).toHaveValue(new RegExp(`^${second} `))
  })
})

test('an order that fails in part leaves the refused lines with their reasons', async ({ page }) => {
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

  await test.step('a line that was refused can be ordered as it is once somebody has chosen its value again', async () => {
    const refused = { status: 'FAILURE', code: 'ORDER_REFUSED', err: 'Try it again.' }
    await page.route('**/api/entitlements', (route) =>
      route.fulfill({ json: { ...refused, data: [refused, refused] } }),
    )
    await button(page, 'Order Now').click()
    await button(dialog(page, 'Confirm the order'), 'Order Now').click()
    const reasons = page.getByRole('table', { name: 'Products to order' }).getByText('Try it again.')
    await expect(reasons).toHaveCount(2)
    await expect(button(page, 'Order Now')).toHaveAttribute('aria-disabled', 'true')
    for (const field of ['Product of line 1', 'Duration of line 2']) {
      await page.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { selected: true }).click()
    }
    await expect(reasons).toHaveCount(0)
    await expect(button(page, 'Order Now')).not.toHaveAttribute('aria-disabled', 'true')
    await page.unroute('**/api/entitlements')
  })

  // Somebody else takes the balance while this order is edited: only one of its lines still fits.
  const costs = (
    await page.getByRole('table', { name: 'Products to order' }).locator('[data-label="Cost"]').allTextContents()
  ).map(amount)
  const contract = (await contractField(page).inputValue()).split(' ')[0] ?? ''
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
      startdate: addDays(dayIn('UTC', await portalTime(page)), 1),
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
  const [first = 0, second = 0] = costs
  await draw(first + second - 0.01)
  await button(page, 'Order Now').click()
  await button(dialog(page, 'Confirm the order'), 'Order Now').click()
  await expect(
    page.getByText('Some entitlements were not successfully created. Please check for errors and try again.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /^Remove line/ })).toHaveCount(1)
  await expect(page.getByText('You do not have sufficient balance for the selected product.')).toBeVisible()
  await expect(figure(page, 'Available balance')).toContainText(money(second - 0.01))
  await expect(figure(page, 'Total cost')).toContainText(money(second))
  await expect(figure(page, 'Balance after the order')).toContainText('-0.01 USD')

  await busops.close()
})

test('amounts of business operations are refused, never cut, and an order whose answer is lost is placed once', async ({
  page,
}) => {
  await signIn(page, 'busops', '/entitlementsFSA?customer=200002')
  await orderFrom(page, 'last')
  const product = await chooseProduct(page, 1, 2)
  await test.step('amounts are refused as the server refuses them, never cut', async () => {
    const field = (name: string) => page.getByLabel(`${name} of line 1`, { exact: true })
    const type = async (name: string, text: string) => {
      await field(name).clear()
      await field(name).pressSequentially(text)
    }
    const refusal = page.getByText('Cost must be an amount of zero or more, with two decimals at most.')
    await type('Cost', '1900.055')
    await expect(field('Cost')).toHaveValue('1,900.055')
    await expect(refusal).toBeVisible()
    await type('Cost', '1900.05')
    await expect(field('Cost')).toHaveValue('1,900.05')
    await expect(refusal).toBeHidden()
    await type('Unit Cost', '0.125')
    await expect(refusal).toBeVisible()
    await type('Unit Cost', '10')
    await expect(refusal).toBeHidden()
    await field('Count').fill('3')
    await expect(field('Cost')).toHaveValue(/^30/)
    await type('Cost', '10')
    await expect(page.getByText('For a count of 3, the nearest cost is 9.99 USD.')).toBeVisible()
    await type('Cost', '30')
  })
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

const amount = (text: string) => Number(text.replaceAll(',', ''))
const money = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
