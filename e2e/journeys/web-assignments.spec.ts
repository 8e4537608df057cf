import { expect, type Page, test } from '@playwright/test'
import { HEADERS } from '#e2e/support/activations-screen.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { cellsOf, filterBy, rowsOf } from '#e2e/support/table.ts'
import { openWebScreen, rowWith, tick } from '#e2e/support/web-licenses.ts'

const entitlements = (page: Page) => page.getByRole('grid', { name: 'Web entitlements' })
const assigned = (page: Page) => page.getByRole('grid', { name: 'Assigned users', exact: true })
const users = (page: Page) => page.getByRole('grid', { name: 'Web users', exact: true })
const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Assign users' })

test('an administrator assigns a named user license and takes it back', async ({ page }) => {
  test.slow()
  await openWebScreen(page, 'administrator', '/web-assignments')

  await test.step('an entitlement unfolds to its users and groups, and expired ones cannot be chosen', async () => {
    const expired = rowWith(entitlements(page), 'EXPIRED')
    await expect(expired).toContainText('Structural Mechanics Pro')
    await expect(expired.getByRole('checkbox')).toHaveCount(0)
    await rowWith(entitlements(page), 'Photonic Circuit Designer').click()
    await expect(rowsOf(page.getByRole('grid', { name: /^Assigned users of / }))).toHaveCount(5)
    await rowWith(entitlements(page), 'Mission Systems Toolkit').click()
    await expect(rowsOf(page.getByRole('grid', { name: /^Groups of / }).last())).toHaveCount(2)
  })

  const row = rowWith(entitlements(page), 'Optical Ray Studio')
  await expect(row).toContainText('14 of 17 assigned')

  const assign = page.getByRole('button', { name: 'Assign users' })
  await expect(assign).toBeHidden()
  await tick(entitlements(page), 'Optical Ray Studio')
  await assign.click()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(row.getByRole('checkbox')).toBeChecked()
  await expect(assign).toBeFocused()
  await assign.click()
  const choice = dialog(page).getByRole('grid', { name: 'Assign users' })
  await dialog(page).getByLabel('User contains').fill('georg')
  await expect(rowsOf(choice)).toHaveCount(3)
  await tick(choice, 'georg.gupta@aerodyne.example')
  await expect(dialog(page)).toContainText('1 chosen')
  await dialog(page).getByRole('button', { name: 'Assign users' }).click()
  await expect(page.getByText('The licenses have been assigned.')).toBeVisible()
  await expect(row).toContainText('15 of 17 assigned')

  await filterBy(assigned(page), 'User contains', 'georg.gupta')
  await filterBy(assigned(page), 'Entitlement contains', 'Optical')
  await expect(rowsOf(assigned(page))).toHaveCount(1)
  await expect(rowsOf(assigned(page))).toContainText('By name')
  await expect(cellsOf(assigned(page), 'product')).toContainText('Optical Ray Studio')
  await tick(assigned(page), 'georg.gupta')
  await page.getByRole('button', { name: 'Unassign 1' }).click()
  await expect(confirmation(page)).toContainText(
    'Unassign georg.gupta@aerodyne.example from Optical Ray Studio? Checkouts that run on these seats end at once.',
  )
  await confirmation(page).getByRole('button', { name: 'Unassign' }).click()
  await expect(page.getByText('The license has been unassigned.')).toBeVisible()
  await expect(row).toContainText('14 of 17 assigned')

  await test.step('a full entitlement refuses another user and says why', async () => {
    await expect(rowWith(entitlements(page), 'Photonic Circuit Designer')).toContainText('5 of 5 assigned')
    await rowWith(entitlements(page), 'Optical Ray Studio').getByRole('checkbox').uncheck()
    await tick(entitlements(page), 'Photonic Circuit Designer')
    await assign.click()
    await dialog(page).getByLabel('User contains').fill('anna')
    await expect(rowsOf(choice)).toHaveCount(3)
    await tick(choice, /anna\.adler/)
    await dialog(page).getByRole('button', { name: 'Assign users' }).click()
    await expect(dialog(page).getByRole('alert')).toHaveText(
      'Nothing was changed. All 5 seats of Photonic Circuit Designer are assigned. Unassign somebody first.',
    )
  })
})

test('users are imported with a preview and a report, and deleted', async ({ page }) => {
  await openWebScreen(page, 'administrator', '/web-assignments')
  await page.getByRole('tab', { name: 'Groups' }).click()
  await expect(page.getByRole('button', { name: 'Create group' })).toBeEnabled()
  await page.getByRole('tab', { name: 'Users' }).click()
  await expect(page).toHaveURL(/tab=users/)
  await expect(rowsOf(users(page)).first()).toBeVisible()
  await page.getByRole('button', { name: 'Import users' }).click()
  const importing = page.getByRole('dialog', { name: 'Import users' })
  await importing.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Import users' })).toBeFocused()
  await page.getByRole('button', { name: 'Import users' }).click()
  const answer = await page.request.post('/api/web/entitlements', {
    headers: HEADERS,
    data: { customerNumber: '100001' },
  })
  const sold = (await answer.json()).data as { activationId: string; product: string }[]
  const idOf = (name: string) => sold.find(({ product }) => product === name)?.activationId
  const csv = [
    'email;name;groups;entitlements',
    `Zoe.Journey@aerodyne.example;Zoe Journey;Interns;${idOf('Design Exploration')}`,
    'zed.journey@aerodyne.example;Zed Journey;',
    'not an email;Nobody;',
    'zac.journey@aerodyne.example;Zac;No such group',
    `zia.journey@aerodyne.example;${'Z'.repeat(400)};`,
    `zur.journey@aerodyne.example;;;"${idOf('Design Exploration')};${idOf('Photonic Circuit Designer')}"`,
  ].join('\n')
  const choose = (content: Buffer) =>
    importing.locator('input[type=file]').setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: content })
  await choose(Buffer.from('jo.journey@aerodyne.example;Jörg;', 'latin1'))
  await expect(importing.getByRole('alert')).toContainText('The file is not UTF-8 text.')
  await choose(Buffer.from(csv))
  await expect(importing.getByRole('status')).toHaveText(
    'users.csv, 6 lines: 2 to be created, 0 to be changed, 0 unchanged, 4 refused.',
  )
  const preview = importing.getByRole('grid', { name: 'Import preview' })
  await expect(rowWith(preview, 'zoe.journey')).toContainText(
    'To be createdJoins Interns. Will be assigned to Design Exploration',
  )
  await expect(rowWith(preview, 'not an email')).toContainText('RefusedIncorrect Email Format.')
  await expect(rowWith(preview, 'zac.journey')).toContainText('There is no group "No such group". Create it first.')
  await expect(rowWith(preview, 'zia.journey')).toContainText('Column "name": 400 characters. 100 are allowed.')
  await expect(rowWith(preview, 'zur.journey')).toContainText('All 5 seats of Photonic Circuit Designer are assigned.')
  await importing.getByRole('button', { name: 'Import 2 users' }).click()
  await expect(importing.getByRole('status')).toHaveText(
    'users.csv, 6 lines: 2 created, 0 changed, 0 unchanged, 4 refused.',
  )
  await expect(rowWith(importing.getByRole('grid', { name: 'Import report' }), 'zoe.journey')).toContainText(
    'CreatedJoined Interns. Assigned to Design Exploration',
  )
  await importing.getByRole('button', { name: 'Close' }).last().click()

  await filterBy(users(page), 'User contains', '.journey@')
  await expect(rowsOf(users(page))).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'Select all users on this page' }).check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await confirmation(page).getByRole('button', { name: 'Delete users' }).click()
  await expect(page.getByText('The users have been deleted.')).toBeVisible()
  await expect(rowsOf(users(page))).toHaveCount(0)
})
