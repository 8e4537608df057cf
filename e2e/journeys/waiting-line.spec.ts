import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { newHost, post } from '#e2e/support/hosts.ts'
import { portalTime } from '#e2e/support/portal-time.ts'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'
import { lmstatOutput, type ShownHolder } from '#server/testing/lmstat-output.ts'

/** The vendor sees what its license servers report; the person holds no seats of the demo data. */
const customerNumber = '100003'
const FEATURE = 'waited_for'
const OTHERS: ShownHolder[] = [
  ['ann', '0:30'],
  ['bob', '0:40'],
]

test('somebody waits for a seat, is told when it is free, and the portal sees that they have checked out', async ({
  page,
  browser,
}) => {
  test.slow()
  const context = await browser.newContext()
  const reporter = await context.newPage()
  await signInUnseen(reporter, 'licenseGenerator')
  const { data } = await post(reporter, '/api/fulfillments/allentitlements', { customerNumber })
  const sold = (data as { ActivationId: string; LicenseModel: string }[]).find(({ LicenseModel }) =>
    LicenseModel.startsWith('Network'),
  )!
  const host = newHost('waited')
  const activations = [{ id: sold.ActivationId, count: 1 }]
  await post(reporter, '/api/fulfillments/create', { customerNumber, ...host, activations })
  const { serverId } = host
  const report = (holders: ShownHolder[]) => reportStatus(reporter, serverId, holders)
  await report(OTHERS)

  // From the page of the license server, by somebody who may only look.
  await signIn(page, 'salesAccess', `/license-servers/${serverId}?customer=${customerNumber}`)
  await page.getByRole('button', { name: 'Wait for a seat' }).click()
  const dialog = page.getByRole('dialog', { name: 'Wait for a seat' })
  await expect(dialog.getByText('in use now')).toHaveCount(0)
  await dialog.getByRole('combobox', { name: 'Feature' }).fill(FEATURE)
  await page.getByRole('option', { name: FEATURE }).click()
  await expect(dialog.getByLabel('License server', { exact: true })).toHaveValue(serverId)
  await expect(dialog.getByText('2 of 2 seats in use now')).toBeVisible()
  await dialog.getByLabel('User name on the license server').fill('saul')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Get in line' }).click()
  await expect(page.getByText('You are in line.')).toBeVisible()

  await page.goto(`/license-use?customer=${customerNumber}`)
  const line = page.getByRole('grid', { name: 'Waiting for seats' })
  await expect(rowsOf(line)).toHaveCount(1)
  await expect(rowsOf(line)).toContainText('saul (you)')
  await expect(rowsOf(line)).toContainText('Waiting')
  await expectAccessible(page)

  // A seat is free: the open page says so at once, and Home as well.
  await report([['ann', '0:30']])
  const told = new RegExp(`A seat of ${FEATURE} is free for you on .* until \\d\\d:\\d\\d\\.`)
  await expect(page.getByText(told)).toBeVisible()
  await expect(rowsOf(line)).toContainText('Seat free')
  await page.goto(`/home?customer=${customerNumber}`)
  await expect(page.getByRole('status').filter({ hasText: told })).toBeVisible()

  // The license server shows the person: they have left the line.
  await report([
    ['ann', '0:30'],
    ['saul', '0:50'],
  ])
  await page.goto(`/license-use?customer=${customerNumber}`)
  await expect(page.getByText('Nobody waits for a seat.')).toBeVisible()
  await context.close()
})

async function reportStatus(page: Page, serverId: string, holders: ShownHolder[]): Promise<void> {
  const text = lmstatOutput({ at: await portalTime(page), feature: FEATURE, seats: 2, holders })
  const { data } = await post(page, '/api/license-servers/observations', {
    customerNumber,
    serverId,
    observations: [{ text }],
  })
  expect(data).toMatchObject([{ outcome: 'stored' }])
}
