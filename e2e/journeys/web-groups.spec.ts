import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { rowsOf } from '#e2e/support/table.ts'
import { chooseGroupsVariant, openWebScreen, rowWith, tick } from '#e2e/support/web-licenses.ts'

const groups = (page: Page) => page.getByRole('grid', { name: 'Groups', exact: true })
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
