import { expect, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { newHost, post } from '#e2e/support/hosts.ts'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

/** Nobody counts the emails of this account. */
const customerNumber = '100003'

type Sold = {
  ActivationId: string
  LicenseModel: string
  ProductName: string
  EndDate: string | null
  LineItemQuantity: number
  AnsysActivated: number
  AnsysFulfillments: { FulfillCount: number }[]
}

test('somebody who may only look asks for seats, finds them approved, and the license server has them', async ({
  page,
  browser,
}) => {
  test.slow()
  const context = await browser.newContext()
  const decider = await context.newPage()
  await signInUnseen(decider, 'licenseGenerator')
  const { data } = await post(decider, '/api/fulfillments/allentitlements', { customerNumber })
  const sold = (data as Sold[]).find(
    ({ LicenseModel, EndDate, LineItemQuantity, AnsysActivated }) =>
      LicenseModel.startsWith('Network') && EndDate !== null && LineItemQuantity - AnsysActivated > 3,
  )!
  const host = newHost('asked')
  await post(decider, '/api/fulfillments/create', {
    customerNumber,
    ...host,
    activations: [{ id: sold.ActivationId, count: 1 }],
  })

  await signIn(page, 'salesAccess', `/license-servers/${host.serverId}?customer=${customerNumber}`)
  await page.getByRole('button', { name: 'Request seats' }).click()
  const dialog = page.getByRole('dialog', { name: `Request seats on ${host.serverName}` })
  await dialog.getByRole('combobox', { name: 'Product' }).fill(sold.ProductName)
  await page
    .getByRole('option', { name: new RegExp(sold.ProductName) })
    .first()
    .click()
  await dialog.getByLabel('Seats').fill('2')
  await dialog.getByLabel('Reason').fill(`For the study on ${host.serverName}`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByText('Your request was sent.')).toBeVisible()

  await decider.goto(`/home?customer=${customerNumber}`)
  const line = decider
    .getByRole('list', { name: 'To do' })
    .getByRole('listitem')
    .filter({ hasText: /requests? waits?/ })
  await line.getByRole('link', { name: 'Decide' }).click()
  const row = rowsOf(decider.getByRole('grid', { name: 'Requests' })).filter({ hasText: host.serverName })
  await expect(row).toContainText('Open')
  await row.getByRole('button', { name: /^Approve/ }).click()
  const approval = decider.getByRole('dialog', { name: 'Approve the request' })
  await expect(approval).toContainText(`For the study on ${host.serverName}`)
  await expectAccessible(decider)
  await approval.getByRole('button', { name: 'Approve' }).click()
  await expect(row).toContainText('Approved')
  await context.close()

  await page.getByRole('link', { name: 'Requests', exact: true }).click()
  const own = rowsOf(page.getByRole('grid', { name: 'Requests' })).filter({ hasText: host.serverName })
  await expect(own).toContainText('Approved')
  const about = { customerNumber, serverId: host.serverId, activeOnly: true }
  const held = (await post(page, '/api/fulfillments/entitlements', about)).data as Sold[]
  const seats = held.flatMap(({ AnsysFulfillments }) => AnsysFulfillments.map(({ FulfillCount }) => FulfillCount))
  expect(seats.reduce((sum, count) => sum + count, 0)).toBe(3)
})
