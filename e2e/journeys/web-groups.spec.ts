import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { rowsOf } from '#e2e/support/table.ts'
import { chooseGroupsVariant, openWebScreen, rowWith, tick } from '#e2e/support/web-licenses.ts'

const groups = (page: Page) => page.getByRole('grid', { name: 'Groups', exact: true })
const users = (page: Page) => page.getByRole('grid', { name: 'Web users', exact: true })
const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm' })

test.beforeEach(({ page }) => chooseGroupsVariant(page, 'coordinator'))

test('a group is created, filled, assigned, renamed and deleted', async ({ page }) => {
  await openWebScreen(page, 'coordinator', '/home')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assignments' }).click()
  await expect(page).toHaveURL(/\/f1202990\?/)
  await expect(rowWith(groups(page), 'Optics')).toContainText('9')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Create group' }).click()
  const creating = page.getByRole('dialog', { name: 'Create group' })
  await creating.getByLabel('Name').fill('OPTICS')
  await creating.getByRole('button', { name: 'Create group' }).click()
  await expect(creating).toContainText('The account has a group "OPTICS" already.')
  await creating.getByLabel('Name').fill('Journey crew')
  await creating.getByRole('button', { name: 'Create group' }).click()
  await expect(page.getByText('The group has been created.')).toBeVisible()

  await rowWith(groups(page), 'Journey crew').click()
  await expect(page.getByText('The group has no members.')).toBeVisible()
  await page.getByRole('button', { name: 'Add members' }).click()
  const adding = page.getByRole('dialog', { name: 'Add members to Journey crew' })
  await adding.getByLabel('User contains').fill('mei')
  const choice = adding.getByRole('grid')
  await expect(rowsOf(choice)).toHaveCount(3)
  await tick(choice, 'mei.brandt')
  await adding.getByRole('button', { name: 'Add members' }).click()
  await expect(page.getByText('The members have been added.')).toBeVisible()
  await expect(rowsOf(page.getByRole('grid', { name: 'Members of Journey crew' }))).toHaveCount(1)

  await tick(groups(page), 'Journey crew')
  await page.getByRole('button', { name: 'Assign entitlements' }).click()
  const assigning = page.getByRole('dialog', { name: 'Assign entitlements' })
  await tick(assigning.getByRole('grid'), 'Design Exploration')
  await assigning.getByRole('button', { name: 'Assign entitlements' }).click()
  await expect(page.getByText('The licenses have been assigned.')).toBeVisible()
  await expect(rowsOf(page.getByRole('grid', { name: 'Entitlements of the group' }))).toContainText(
    'Design Exploration',
  )

  await page.getByRole('button', { name: 'Rename Journey crew' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename Journey crew' })
  await renaming.getByLabel('Name').fill('Journey team')
  await renaming.getByRole('button', { name: 'Rename group' }).click()
  await expect(rowWith(groups(page), 'Journey team')).toBeVisible()

  await page.getByRole('button', { name: 'Delete Journey team' }).click()
  await expect(confirmation(page)).toContainText('Its members lose what is assigned through the group')
  await confirmation(page).getByRole('button', { name: 'Delete group' }).click()
  await expect(page.getByText('The group has been deleted.')).toBeVisible()
  await expect(rowWith(groups(page), 'Journey team')).toHaveCount(0)
})

test('users are imported with a preview and a report, and deleted', async ({ page }) => {
  await openWebScreen(page, 'coordinator', '/f1202990?tab=users')
  await expect(rowsOf(users(page)).first()).toBeVisible()
  await page.getByRole('button', { name: 'Import users' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import users' })
  const csv = [
    'email;name;groups',
    'Zoe.Journey@aerodyne.example;Zoe Journey;Interns',
    'zed.journey@aerodyne.example;Zed Journey;',
    'not an email;Nobody;',
    'zac.journey@aerodyne.example;Zac;No such group',
  ].join('\n')
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(dialog.getByRole('status')).toHaveText('users.csv: 2 lines can be imported, 2 lines will be refused.')
  const preview = dialog.getByRole('grid', { name: 'Import preview' })
  await expect(rowWith(preview, 'zoe.journey')).toContainText('Will be added. Joins Interns.')
  await expect(rowWith(preview, 'not an email')).toContainText('Incorrect Email Format.')
  await expect(rowWith(preview, 'zac.journey')).toContainText('There is no group "No such group". Create it first.')
  await dialog.getByRole('button', { name: 'Import 2 users' }).click()
  await expect(dialog.getByRole('status')).toHaveText('users.csv: 2 lines imported, 2 lines refused.')
  await expect(rowWith(dialog.getByRole('grid', { name: 'Import report' }), 'zoe.journey')).toContainText(
    'Added. Joined Interns.',
  )
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await page.getByLabel('User contains').fill('.journey@')
  await expect(rowsOf(users(page))).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all users on this page' }).check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await confirmation(page).getByRole('button', { name: 'Delete users' }).click()
  await expect(page.getByText('The users have been deleted.')).toBeVisible()
  await expect(rowsOf(users(page))).toHaveCount(0)
})

test('the tab of entitlements assigns to groups and users', async ({ page }) => {
  await openWebScreen(page, 'coordinator', '/f1202990')
  await page.getByRole('tab', { name: 'Entitlements' }).click()
  await expect(page).toHaveURL(/tab=entitlements/)
  const entitlements = page.getByRole('grid', { name: 'Web entitlements' })
  await expect(page.getByRole('button', { name: 'Assign groups' })).toBeDisabled()
  await rowWith(entitlements, 'Mission Systems Toolkit').click()
  await expect(rowsOf(page.getByRole('grid', { name: /^Groups of / }))).toHaveCount(2)
})
