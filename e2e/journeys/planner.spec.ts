import { expect, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

test('an administrator plans a renewal, saves it and makes it a draft order', async ({ page }) => {
  await signIn(page, 'administrator', '/planner?customer=100001')
  const products = page.getByRole('grid', { name: 'Products to renew' })
  const row = rowsOf(products).filter({ hasText: 'Acoustics Response' }).first()
  await row.getByRole('textbox').fill('3')
  await page.keyboard.press('Enter')
  const plan = page.getByRole('region', { name: 'Plan', exact: true })
  await expect(plan).toContainText('difference to today')
  const name = `Renewal ${Date.now()}`
  await plan.getByLabel('Name of the plan').fill(name)
  await plan.getByRole('button', { name: 'Save plan' }).click()
  const saved = page.getByRole('region', { name: 'Saved plans' })
  await expect(saved).toContainText(name)
  await expectAccessible(page)
  await saved.getByRole('button', { name: `Make draft of ${name}` }).click()
  await page.getByRole('menuitem').first().click()
  await expect(page.getByText('The draft order was saved.')).toBeVisible()
  await expect(page.getByText(name).first()).toBeVisible()
})
