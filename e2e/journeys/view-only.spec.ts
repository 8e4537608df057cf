import { expect, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { button, card, contacts } from '#e2e/support/contacts-form.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'
import { rowWith } from '#e2e/support/web-licenses.ts'

test('a viewer sees contacts, reminders, web assignments and what the palette can do, and can change nothing', async ({
  page,
}) => {
  test.slow()
  const open = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()

  await test.step('contacts cannot be changed', async () => {
    await signIn(page, 'viewer', '/portalaccess?customer=100001')
    await expect(contacts(page)).toContainText('vic.viewer@aerodyne.example')
    await expect(contacts(page).getByRole('textbox')).toHaveCount(0)
    await expect(contacts(page).getByRole('button', { disabled: false })).toHaveCount(0)
    const why = 'You can see the contacts, but not change them'
    await expect(card(page)).toContainText(why)
    await expect(button(page, 'Save')).toBeHidden()
    for (const name of ['Add contact', 'Remove vic.viewer@aerodyne.example']) {
      await expect(button(page, name)).toBeDisabled()
      await expect(button(page, name)).toHaveAccessibleDescription(new RegExp(why))
    }
    await expect(page.getByRole('heading', { name: 'Business Operations' })).toBeHidden()
    await expectAccessible(page)
  })

  await test.step('reminders cannot be changed', async () => {
    await open('Reminders')
    const reminders = page.getByRole('region', { name: 'Reminders by email' })
    await expect(reminders).toContainText('You can see the reminders, but not change them.')
    await expect(reminders.getByRole('button', { name: 'Save' })).toBeHidden()
    await expect(reminders).toContainText(PEOPLE.administrator)
    const calendars = page.getByRole('region', { name: 'Calendar of end dates' })
    await expect(calendars).toContainText('License team')
    await expect(calendars.getByRole('button', { name: 'Revoke License team' })).toHaveCount(0)
    await expect(calendars.getByRole('button', { name: 'Create address' })).toHaveCount(0)
  })

  await test.step('web assignments cannot be changed', async () => {
    await open('Assignments')
    const entitlements = page.getByRole('grid', { name: 'Web entitlements' })
    await expect(rowWith(entitlements, 'Optical Ray Studio')).toBeVisible()
    await expect(rowsOf(page.getByRole('grid', { name: 'Assigned users', exact: true })).first()).toBeVisible()
    for (const name of ['Assign users', 'Assign groups', 'Unassign']) {
      const control = page.getByRole('button', { name, exact: true })
      await expect(control).toBeDisabled()
      await expect(control).toHaveAccessibleDescription('You do not have enough permissions for such operation.')
    }
    await expect(entitlements.getByRole('checkbox')).toHaveCount(0)
  })

  await test.step('the palette says why it cannot act', async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox', { name: 'Search the portal' })).toBeFocused()
    await page.keyboard.type('rehost')
    const option = page.getByRole('option').filter({ hasText: 'Rehost a license server' })
    await expect(option).toBeDisabled()
    await expect(option).toContainText('You do not have enough permissions for such operation.')
    await page.keyboard.press('Enter')
    await expect(option).toBeVisible()
  })
})
