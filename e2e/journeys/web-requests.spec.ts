import { expect, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

// The mails of this journey are in the list of the account: its name keeps it behind the journeys that count emails.
test('a viewer asks for a web license, an administrator finds it on Home and approves it, and the user has the seat', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'viewer', '/web-assignments?customer=100001')
  const user = `request.${Date.now()}@aerodyne.example`
  await page.getByRole('button', { name: 'Request a license' }).click()
  const dialog = page.getByRole('dialog', { name: 'Request a license' })
  await dialog.getByRole('combobox', { name: 'Product' }).click()
  await page
    .getByRole('option', { name: /Shared Web/ })
    .first()
    .click()
  await dialog.getByLabel('User').fill(user)
  await dialog.getByLabel('Reason').fill('For the lens study')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByText('Your request was sent.')).toBeVisible()

  const context = await browser.newContext()
  const admin = await context.newPage()
  await signIn(admin, 'administrator', '/home?customer=100001')
  const line = admin
    .getByRole('list', { name: 'To do' })
    .getByRole('listitem')
    .filter({ hasText: /requests? waits?/ })
  await line.getByRole('link', { name: 'Decide' }).click()
  const row = rowsOf(admin.getByRole('grid', { name: 'Requests' })).filter({ hasText: user })
  await expect(row).toContainText('Open')
  await row.getByRole('button', { name: /^Approve/ }).click()
  const approval = admin.getByRole('dialog', { name: 'Approve the request' })
  await expect(approval).toContainText('For the lens study')
  await expectAccessible(admin)
  await approval.getByRole('button', { name: 'Approve' }).click()
  await expect(row).toContainText('Approved')
  await context.close()

  await page.getByRole('link', { name: 'Requests' }).click()
  await expect(rowsOf(page.getByRole('grid', { name: 'Requests' })).filter({ hasText: user })).toContainText('Approved')
  await page.goto('/web-assignments?customer=100001')
  const seats = page.getByRole('grid', { name: 'Assigned users', exact: true })
  await seats
    .getByRole('textbox', { name: /User|Email/ })
    .first()
    .fill(user)
  await expect(rowsOf(seats).filter({ hasText: user })).toHaveCount(1)
})
