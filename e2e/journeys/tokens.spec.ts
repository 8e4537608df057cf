import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

/** What a program gets from the API with a token. */
const readWith = async (page: Page, token: string) =>
  (
    await page.request.post('/api/fetchEntitlements/active', {
      headers: { authorization: `Bearer ${token}` },
      data: { customerNumber: '100006', limit: 1 },
    })
  ).status()

test('an administrator creates, replaces and revokes a token, and sets the policy', async ({ page }) => {
  test.slow()
  await signIn(page, 'singleAccount', '/tokens?customer=100006')
  const name = `Inventory ${Date.now()}`
  await page.getByRole('button', { name: 'Create token' }).click()
  const form = page.getByRole('dialog', { name: 'Create token' })
  await form.getByLabel('Name').fill(name)
  await form.getByRole('radio', { name: 'Entitlements: Read' }).check()
  await form.getByLabel('Days').fill('400')
  await page.keyboard.press('Tab')
  await expect(form).toContainText('Enter a whole number of days from 1 to 366.')
  await form.getByLabel('Days').fill('30')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('dialog', { name: `Token "${name}"` })
  const token = (await shown.getByRole('code').last().textContent()) ?? ''
  expect(token).toMatch(/^lpc_[0-9A-Za-z]{49}$/)
  await expect(shown.getByRole('button', { name: 'Copy token' })).toBeVisible()
  await expectAccessible(page)
  expect(await readWith(page, token)).toBe(200)
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(row(page, name)).toContainText('Active')
  await expect(row(page, name)).toContainText('Entitlements (read)')
  await expect(page.locator('body')).not.toContainText(token)

  await page.getByRole('button', { name: `Replace: ${name}` }).click()
  const roll = page.getByRole('dialog', { name: `Replace "${name}"` })
  await roll.getByRole('button', { name: 'Replace token' }).click()
  const next = (await shown.getByRole('code').last().textContent()) ?? ''
  expect([await readWith(page, token), await readWith(page, next)]).toEqual([200, 200])
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(row(page, name).filter({ hasText: 'Replaced' })).toBeVisible()

  await row(page, name)
    .filter({ hasText: 'Active' })
    .getByRole('button', { name: `Revoke: ${name}` })
    .click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByText('The token has been revoked.')).toBeVisible()
  expect([await readWith(page, token), await readWith(page, next)]).toEqual([200, 401])

  const policy = page.getByRole('region', { name: 'Policy' })
  await policy.getByLabel('Maximum lifetime (days)').fill('60')
  await policy.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The policy has been saved.')).toBeVisible()
  await policy.getByLabel('Maximum lifetime (days)').fill('366')
  await policy.getByRole('button', { name: 'Save' }).click()
  await expect(policy.getByRole('button', { name: 'Save' })).toBeDisabled()
})

test('a viewer does not find the screen, and business operations can revoke but not create', async ({ page }) => {
  await signIn(page, 'viewer', '/tokens?customer=100001')
  await expect(page).toHaveURL(/nopermissions/)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Licensing Portal Access' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'API Tokens' })).toHaveCount(0)
  await signIn(page, 'busops', '/tokens?customer=100001')
  await expect(page.getByRole('button', { name: 'Revoke: Cost center reports' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create token' })).toHaveAttribute('aria-disabled', 'true')
})
