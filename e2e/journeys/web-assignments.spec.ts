import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { rowsOf } from '#e2e/support/table.ts'
import { openWebScreen, rowWith, tick } from '#e2e/support/web-licenses.ts'

const entitlements = (page: Page) => page.getByRole('grid', { name: 'Web entitlements' })
const users = (page: Page) => page.getByRole('grid', { name: 'Assigned users', exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Assign users' })

test('an administrator assigns a named user license and takes it back', async ({ page }) => {
  await openWebScreen(page, 'administrator', '/web-assignments')
  const row = rowWith(entitlements(page), 'Optical Ray Studio')
  await expect(row).toContainText('14 of 17 assigned')
  await expectAccessible(page)

  const assign = page.getByRole('button', { name: 'Assign users' })
  await expect(assign).toBeDisabled()
  await tick(entitlements(page), 'Optical Ray Studio')
  await assign.click()
  const choice = dialog(page).getByRole('grid', { name: 'Assign users' })
  await dialog(page).getByLabel('User contains').fill('georg')
  await expect(rowsOf(choice)).toHaveCount(3)
  await tick(choice, 'georg.gupta@aerodyne.example')
  await expect(dialog(page)).toContainText('1 chosen')
  await dialog(page).getByRole('button', { name: 'Assign users' }).click()
  await expect(page.getByText('The licenses have been assigned.')).toBeVisible()
  await expect(row).toContainText('15 of 17 assigned')

  await page.getByRole('region', { name: 'Assigned users' }).getByLabel('User contains').fill('georg.gupta')
  await page.getByRole('region', { name: 'Assigned users' }).getByLabel('Entitlement contains').fill('Optical')
  await expect(rowsOf(users(page))).toHaveCount(1)
  await expect(rowsOf(users(page))).toContainText('By name')
  await tick(users(page), 'georg.gupta')
  await page.getByRole('button', { name: 'Unassign 1' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm' })
  await expect(question).toContainText('Checkouts that run on these seats end at once.')
  await question.getByRole('button', { name: 'Unassign' }).click()
  await expect(page.getByText('The licenses have been unassigned.')).toBeVisible()
  await expect(row).toContainText('14 of 17 assigned')
})

test('a full entitlement refuses another user and says why', async ({ page }) => {
  await openWebScreen(page, 'administrator', '/web-assignments')
  await expect(rowWith(entitlements(page), 'Photonic Circuit Designer')).toContainText('5 of 5 assigned')
  await tick(entitlements(page), 'Photonic Circuit Designer')
  await page.getByRole('button', { name: 'Assign users' }).click()
  await dialog(page).getByLabel('User contains').fill('anna')
  const choice = dialog(page).getByRole('grid', { name: 'Assign users' })
  await expect(rowsOf(choice)).toHaveCount(3)
  await tick(choice, /anna\.adler/)
  await dialog(page).getByRole('button', { name: 'Assign users' }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'Nothing was changed. All 5 seats of Photonic Circuit Designer are assigned. Unassign somebody first.',
  )
})

test('an entitlement unfolds to its users, and expired ones cannot be chosen', async ({ page }) => {
  await openWebScreen(page, 'administrator', '/web-assignments')
  const expired = rowWith(entitlements(page), 'EXPIRED')
  await expect(expired).toContainText('Structural Mechanics Pro')
  await expect(expired.getByRole('checkbox')).toHaveCount(0)
  await rowWith(entitlements(page), 'Photonic Circuit Designer').click()
  await expect(rowsOf(page.getByRole('grid', { name: /^Assigned users of / }))).toHaveCount(5)
})

test('a viewer sees everything and can change nothing', async ({ page }) => {
  await openWebScreen(page, 'viewer', '/web-assignments')
  await expect(rowWith(entitlements(page), 'Optical Ray Studio')).toBeVisible()
  await expect(rowsOf(users(page)).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Assign users' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Unassign/ })).toHaveCount(0)
  await expect(entitlements(page).getByRole('checkbox')).toHaveCount(0)
})
