import { expect, type Page, test } from '@playwright/test'
import { addServer, available, button, dialog, newHostId } from '#e2e/support/activations-screen.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'
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

test('from Order Now on a contract to an activated license', async ({ page }) => {
  await signIn(page, 'busops', '/entitlementsFSA?customer=100003')
  await contracts(page, 'Active')
    .getByRole('button', { name: /^Order Now from/ })
    .click()
  await expect(page.getByRole('tab', { name: 'Order Products' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('combobox', { name: 'FSA Contract' })).toHaveValue(/^ENT-100003-.* ends /)
  await expect(button(page, 'Order Now')).toHaveAttribute('aria-disabled', 'true')

  const product = await chooseProduct(page, 1, 0)
  const count = page.getByLabel('Count of line 1')
  await count.fill('0')
  await expect(page.getByText('Count should be a positive number.')).toBeVisible()
  await count.fill('999')
  await expect(page.getByText('You do not have sufficient balance for the selected count.')).toBeVisible()
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
  expect((await download).suggestedFilename()).toMatch(/^license_100003_.*\.lic$/)
})

test('whoever may only look sees contracts and history, and gets a notice instead of an order', async ({ page }) => {
  await signIn(page, 'viewer', '/entitlementsFSA?customer=100001')
  await expect(rowsOf(contracts(page, 'Active'))).not.toHaveCount(0)
  await expect(rowsOf(contracts(page, 'Inactive'))).not.toHaveCount(0)
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
