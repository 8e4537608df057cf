import { expect, test } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { post } from '#e2e/support/hosts.ts'
import { startElasticSession } from '#e2e/support/service-key.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf } from '#e2e/support/table.ts'

const customerNumber = '100001'

test('a limit refuses a start, is raised from the denial, and the next start is admitted', async ({ page }) => {
  await signIn(page, 'administrator', `/limits?customer=${customerNumber}`)
  const limits = page.getByRole('table', { name: 'Limits' })
  await expect(limits).toContainText('Project Gearbox Thermal')
  const { data: device } = await post(page, '/api/devices/elastic', { customerNumber })
  const { data: secret } = await post(page, '/api/getpin', { customerNumber, clsId: device.deviceId })
  const project = `Journey ${Date.now()}`
  const start = () =>
    startElasticSession(page, {
      serverId: device.deviceId,
      pin: secret.pin,
      username: 'anna.adler',
      host: 'ws1',
      product: 'Fluid Flow Pro',
      count: 1,
      project,
      externalIp: '203.0.113.7',
    })

  await page.getByRole('button', { name: 'Add Limit' }).click()
  await page.getByRole('combobox', { name: 'Subject' }).selectOption('Project')
  await page.getByRole('textbox', { name: 'Project', exact: true }).fill(project)
  await page.getByRole('textbox', { name: 'Refuse at' }).fill('2')
  await expect(page.getByRole('region', { name: 'Last month with these limits' })).toContainText(
    /of [\d,]+ sessions? from .* would have been refused|Nobody started a session/,
  )
  await expectAccessibleInBothSchemes(page)
  await page.getByRole('button', { name: 'Save limits' }).click()
  await expect(page.getByText('The limits have been saved.')).toBeVisible()

  expect(await start()).toMatchObject({ status: 'SUCCESS' })
  expect(await start()).toMatchObject({ status: 'FAILURE', code: 'LIMIT', err: expect.stringContaining(project) })

  await page.goto(`/elastic-denials?customer=${customerNumber}`)
  const denials = page.getByRole('grid', { name: 'Elastic denials' })
  await expect(cellsOf(denials, 'ReasonText').first()).toHaveText('Limit reached')
  await denials.getByRole('button', { name: 'Raise the limit' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Raise the limit' })
  await expect(dialog).toContainText(`Project ${project}: 2.00 AEU per month`)
  await dialog.getByRole('textbox', { name: 'Refuse at' }).fill('4')
  await dialog.getByRole('button', { name: 'Raise the limit' }).click()
  await expect(page.getByText('The limit has been raised.')).toBeVisible()
  expect(await start()).toMatchObject({ status: 'SUCCESS' })
})

test('who may only look sees limits and cannot change them', async ({ page }) => {
  await signIn(page, 'viewer', `/limits?customer=${customerNumber}`)
  await expect(page.getByText('You can see the limits, but not change them.').first()).toBeVisible()
  await expect(page.getByRole('table', { name: 'Limits' })).toContainText('Project Gearbox Thermal')
  await expect(page.getByRole('button', { name: 'Add Limit' })).toBeDisabled()
})
