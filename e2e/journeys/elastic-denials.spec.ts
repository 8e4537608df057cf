import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { post } from '#e2e/support/hosts.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf, filterBy } from '#e2e/support/table.ts'

test('denied session starts are listed with their reasons, filtered, explained and exported', async ({ page }) => {
  await signIn(page, 'sales', '/elastic?customer=100007')
  await page.getByRole('link', { name: 'Show denied session starts' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Denials' })).toBeVisible()
  const denials = page.getByRole('grid', { name: 'Elastic denials' })
  await expect(cellsOf(denials, 'ReasonText').first()).toBeVisible()

  const chip = page.getByRole('group', { name: 'Reasons' }).getByText(/^Username not allowed \d+$/)
  const counted = Number(/\d+$/.exec((await chip.textContent()) ?? '')?.[0])
  await chip.click()
  await expect(cellsOf(denials, 'ReasonText')).toHaveCount(counted)
  await expect(cellsOf(denials, 'ReasonText').filter({ hasNotText: 'Username not allowed' })).toHaveCount(0)
  await denials
    .getByRole('button', { name: /^Details of / })
    .first()
    .click()
  await expect(denials).toContainText('The username was not in the account’s list of allowed usernames.')
  await expect(denials.getByRole('link', { name: 'Elastic Credentials' })).toBeVisible()
  const shown = await cellsOf(denials, 'ReasonText').count()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as csv file' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(shown + 1)
  expect(lines[0]).toContain('"Time (UTC)","Reason"')
  for (const line of lines.slice(1)) expect(line).toContain('"Username not allowed"')

  await page.getByRole('button', { name: 'Clear Filters' }).first().click()
  await page.getByRole('button', { name: /^Date range: / }).click()
  await page.getByRole('menuitem', { name: 'Last year', exact: true }).click()
  await expect(page.getByText(/^No session start was denied from /)).toBeVisible()
  await page.getByRole('button', { name: 'Reset View' }).click()
  await expect(cellsOf(denials, 'ReasonText').first()).toBeVisible()
})

test('a username is added from its denial and an address is allowed from Home, and both can be undone', async ({
  page,
}) => {
  await signIn(page, 'elasticOnly', '/elastic-denials?customer=100007')
  const customerNumber = '100007'
  const { data: device } = await post(page, '/api/devices/elastic', { customerNumber })
  await post(page, '/api/saveUsers', { customerNumber, clsId: device.deviceId, users: ['nina'] })
  const denials = page.getByRole('grid', { name: 'Elastic denials' })
  await filterBy(denials, 'Reason contains', 'username')
  await expect(cellsOf(denials, 'ReasonText').first()).toHaveText('Username not allowed')
  const user = (await cellsOf(denials, 'User').first().textContent()) ?? ''
  await expectAccessibleInBothSchemes(page)
  // The act is in the row; nothing has to be unfolded.
  await denials
    .getByRole('button', { name: `Add username ${user}` })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Add username' })
  await expect(dialog).toContainText(user)
  await expectAccessibleInBothSchemes(page)
  await dialog.getByRole('button', { name: 'Add username' }).click()
  await expect(page.getByText(`${user} can start sessions.`)).toBeVisible()
  const users = async () =>
    (await post(page, '/api/getUsers', { customerNumber, clsId: device.deviceId })).data.users as string[]
  expect(await users()).toEqual(['nina', user])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The change was taken back.')).toBeVisible()
  expect(await users()).toEqual(['nina'])
  await post(page, '/api/saveUsers', { customerNumber, clsId: device.deviceId, users: [] })

  const office = [{ rulename: 'Office', ipaddress: '192.0.2.0/24' }]
  await post(page, '/api/setips', { customerNumber, clsId: device.deviceId, whitelist: office })
  await page.goto(`/home?customer=${customerNumber}`)
  const lines = page.getByRole('list', { name: 'To do', exact: true }).getByRole('listitem')
  await lines.getByRole('button', { name: /addresses were denied/ }).click()
  const allow = lines.getByRole('button', { name: /^Allow address / }).first()
  const address = ((await allow.getAttribute('aria-label')) ?? '').replace('Allow address ', '')
  await allow.click()
  const allowing = page.getByRole('dialog', { name: 'Allow address' })
  await expect(allowing.getByLabel('IP Address')).toHaveValue(address)
  await expectAccessibleInBothSchemes(page)
  await allowing.getByRole('button', { name: 'Allow address' }).click()
  await expect(page.getByText(`Sessions can be started from ${address}.`)).toBeVisible()
  const denied = lines.getByRole('link', { name: new RegExp(`^${address} was denied`) })
  await expect(denied).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  // The address that is left stood alone meanwhile; now there is a group again.
  await lines.getByRole('button', { name: /addresses were denied/ }).click()
  await expect(denied).toHaveCount(1)
  await post(page, '/api/setips', { customerNumber, clsId: device.deviceId, whitelist: [] })
})
