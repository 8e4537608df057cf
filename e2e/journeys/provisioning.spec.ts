import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { contacts } from '#e2e/support/contacts-form.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** The identity provider of the account, with the base address and the token that the screen shows. */
function providerOf(page: Page, baseAddress: string, token: string) {
  return async (method: 'POST' | 'PATCH' | 'DELETE', path: string, data?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
    const answer = await page.request.fetch(`${baseAddress}${path}`, { method, headers, ...(data && { data }) })
    const text = await answer.text()
    return { status: answer.status(), body: (text === '' ? {} : JSON.parse(text)) as { id: string } }
  }
}
const newUser = (email: string, displayName: string) => ({
  schemas: [USER],
  userName: email,
  displayName,
  emails: [{ value: email, primary: true }],
  active: true,
})

test('an administrator connects an identity provider, maps a group and replays a failed call', async ({ page }) => {
  test.slow()
  await signIn(page, 'singleAccount', '/provisioning?customer=100006')
  await expect(page.getByText('No identity provider is connected')).toBeVisible()
  await expectAccessibleInBothSchemes(page)
  await page.getByRole('link', { name: 'Okta' }).click()
  await expect(page.getByRole('dialog')).toContainText('How to send people and groups from Okta')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Create token' }).click()
  const form = page.getByRole('dialog', { name: 'Create token' })
  await form.getByLabel('Days').fill('30')
  await form.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('dialog', { name: 'Token for provisioning' })
  const token = (await shown.getByRole('code').textContent()) ?? ''
  expect(token).toMatch(/^lpc_/)
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(page.locator('body')).not.toContainText(token)
  const connection = page.getByRole('region', { name: 'Connection' })
  await expect(connection).toContainText('Never used')
  await expect(connection.getByRole('button', { name: 'Copy base address' })).toBeVisible()
  const baseAddress = (await connection.getByRole('code').textContent()) ?? ''
  expect(baseAddress).toMatch(/\/scim\/v2\/100006$/)

  const scim = providerOf(page, baseAddress, token)
  const liz = (await scim('POST', '/Users', newUser('liz.leaver@bluewater.example', 'Liz <script>'))).body.id
  const members = [{ value: liz }]
  const { status } = await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'Engineers <b>', members })
  expect(status).toBe(201)
  const failed = await scim('POST', '/Users', newUser('LIZ.LEAVER@bluewater.example', 'Twice'))
  expect(failed.status).toBe(409)

  await page.reload()
  await expect(row(page, /Engineers <b>/)).toContainText('Nothing')
  await page.getByRole('button', { name: 'Choose what it gives: Engineers <b>' }).click()
  const mapping = page.getByRole('dialog', { name: 'What Engineers <b> gives' })
  await mapping.getByLabel('Members get').selectOption('Licensing Portal Viewer')
  await expect(mapping).toContainText('1 person gets something.')
  await expect(mapping.getByRole('row', { name: /liz.leaver@bluewater.example/ })).toContainText('Liz <script>')
  await expectAccessible(page)
  await mapping.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The mapping has been saved.')).toBeVisible()
  await expect(row(page, /Engineers <b>/)).toContainText('Licensing Portal Viewer')
  await tab(page, 'People')
  await expect(row(page, /Liz <script>/)).toContainText('Licensing Portal Viewer')

  await page.goto('/portalaccess?customer=100006')
  const contact = contacts(page).locator('tr', { hasText: 'liz.leaver@bluewater.example' })
  await expect(contact).toContainText('SCIM')
  await expect(contact.getByRole('button', { name: /^Edit/ })).toBeDisabled()
  await expect(contacts(page).getByRole('button', { name: /^Edit sol/ })).toBeEnabled()
  await expectAccessible(page)

  await page.goto('/provisioning?customer=100006&tab=calls')
  await expect(page.getByRole('region', { name: 'Connection' })).toContainText('Failed calls1')
  const call = row(page, /POST \/Users Failed \(409\)/)
  await call.click()
  await expect(page.getByRole('figure', { name: 'Answered' })).toBeVisible()
  await expect(page.getByText('"userName": "LIZ.LEAVER@bluewater.example"')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Replay: POST /Users' }).click()
  await page.getByRole('button', { name: 'Replay call' }).click()
  await expect(page.getByText('The call failed again (409).')).toBeVisible()

  const leave = { op: 'Replace', path: 'active', value: 'False' }
  const patch = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [leave] }
  expect((await scim('PATCH', `/Users/${liz}`, patch)).status).toBe(204)
  await page.goto('/portalaccess?customer=100006')
  await expect(contacts(page)).toContainText('sol.single@bluewater.example')
  await expect(contacts(page)).not.toContainText('liz.leaver@bluewater.example')

  await page.goto('/provisioning?customer=100006&tab=people')
  await expect(row(page, /Liz <script>/)).toContainText('Not active')
  await page.getByRole('button', { name: 'Replace token' }).click()
  const roll = page.getByRole('dialog', { name: 'Replace token' })
  await roll.getByLabel('Days').fill('30')
  await roll.getByRole('button', { name: 'Replace token' }).click()
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'Revoke former token' })).toBeVisible()
  await page.getByRole('button', { name: 'Revoke former token' }).click()
  await page.getByRole('button', { name: 'Revoke token', exact: true }).last().click()
  await expect(page.getByText('The token has been revoked.')).toBeVisible()
  expect((await scim('DELETE', `/Users/${liz}`)).status).toBe(401)
})

test('a viewer does not find the screen, and business operations see it but create no token', async ({ page }) => {
  await signIn(page, 'viewer', '/provisioning?customer=100001')
  await expect(page).toHaveURL(/nopermissions/)
  await signIn(page, 'busops', '/provisioning?customer=100001')
  await expect(page.getByRole('button', { name: 'Create token' })).toHaveAttribute('aria-disabled', 'true')
})
