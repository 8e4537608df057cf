import { expect, type Page, test } from '@playwright/test'
import { button } from '#e2e/support/activations-screen.ts'
import { chooseProduct, contract, contracts, expectWhole } from '#e2e/support/fsa-screen.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

/** Of contracts in dollars, which all have products. */
const orderNow = (page: Page) =>
  rowsOf(contracts(page, 'Active'))
    .filter({ hasText: 'USD' })
    .getByRole('button', { name: /^Order Now from/ })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

/** Opens the order tab by the nth Order Now, and returns the id of its contract. */
async function orderFromNth(page: Page, nth: number): Promise<string> {
  const named = (await orderNow(page).nth(nth).getAttribute('aria-label')) ?? ''
  const id = named.replace('Order Now from ', '')
  await orderNow(page).nth(nth).click()
  return id
}

test('the address of the order tab names its contract', async ({ page }) => {
  await signIn(page, 'viewer', '/entitlementsFSA?customer=100001')
  const first = await orderFromNth(page, 0)
  await expect(contract(page)).toHaveValue(new RegExp(`^${first} `))
  await expect(page).toHaveURL(new RegExp(`contract=${first}`))
  await page.reload()
  await expect(contract(page)).toHaveValue(new RegExp(`^${first} `))
  await page.goBack()
  await expect(tab(page, 'Entitlements')).toHaveAttribute('aria-selected', 'true')
  await expect(page).not.toHaveURL(/contract=/)
  const second = await orderFromNth(page, 1)
  await expect(contract(page)).toHaveValue(new RegExp(`^${second} `))

  // Another contract takes the place of the one in the address.
  await contract(page).click()
  await page.getByRole('option', { name: new RegExp(`^${first} `) }).click()
  await expect(page).toHaveURL(new RegExp(`contract=${first}`))
  await tab(page, 'History').click()
  await expect(page).not.toHaveURL(/contract=/)
  await page.goBack()
  await expect(contract(page)).toHaveValue(new RegExp(`^${first} `))
  await page.goBack()
  await page.goForward()
  await expect(contract(page)).toHaveValue(new RegExp(`^${first} `))

  // A contract that cannot be ordered from is not taken from an address.
  await page.goto('/entitlementsFSA?customer=100001&tab=order&contract=ENT-200002-NOTMINE')
  await expect(page.getByText('You cannot order from the contract ENT-200002-NOTMINE.')).toBeVisible()
  await expect(contract(page)).toHaveValue('')
  await expect(page).not.toHaveURL(/contract=/)
})

test('Back to another contract asks before lines are lost', async ({ page }) => {
  await signIn(page, 'viewer', '/entitlementsFSA?customer=100001')
  const options = () => page.getByRole('combobox', { name: 'Product of line 1' })
  const first = await orderFromNth(page, 0)
  await expect(options()).toHaveValue('')
  await tab(page, 'Entitlements').click()
  const second = await orderFromNth(page, 1)
  await expect(contract(page)).toHaveValue(new RegExp(`^${second} `))
  const product = await chooseProduct(page, 1, 0)

  await tab(page, 'Entitlements').click()
  await orderNow(page).nth(0).click()
  await button(page.getByRole('dialog'), 'Cancel').click()
  await expect(contract(page)).toHaveValue(new RegExp(`^${second} `))
  await expect(options()).toHaveValue(product)
  await expect(page).toHaveURL(new RegExp(`contract=${second}`))

  await tab(page, 'Entitlements').click()
  await orderNow(page).nth(0).click()
  await button(page.getByRole('dialog'), 'Leave without saving').click()
  await expect(contract(page)).toHaveValue(new RegExp(`^${first} `))
  await expect(options()).toHaveValue('')
  await expect(page).toHaveURL(new RegExp(`contract=${first}`))
})

test('amounts of business operations are refused as the server refuses them, never cut', async ({ page }) => {
  await signIn(page, 'busops', '/entitlementsFSA?customer=100001')
  await orderFromNth(page, 1)
  await chooseProduct(page, 1, 0)
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
})

test.describe('in a window of 1440 pixels', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('the tables of the spending account show all their columns, and nothing in them is cut', async ({ page }) => {
    await signIn(page, 'busops', '/entitlementsFSA?customer=100001')
    await expectWhole(contracts(page, 'Active'))
    await expectWhole(contracts(page, 'Inactive'))
    await tab(page, 'History').click()
    await expectWhole(page.getByRole('grid', { name: 'Order history' }))
  })
})
