import { expect, test } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { signIn } from '#e2e/support/sign-in.ts'

test('help for the current screen opens in place, and is found by search', async ({ page }) => {
  await signIn(page, 'viewer', '/elastic?customer=100001')
  const help = (name: string) => page.getByRole('dialog', { name })
  const button = page.getByRole('button', { name: 'Help for this page' })

  await test.step('the button opens the page of the screen, with links to the others', async () => {
    await button.click()
    const elastic = help('Elastic Licensing')
    for (const heading of ['What it is for', 'Usual tasks', 'Words'])
      await expect(elastic.getByRole('heading', { name: heading })).toBeVisible()
    await expectAccessibleInBothSchemes(page)
    await elastic.getByRole('article').getByRole('link', { name: 'Denials' }).click()
    await expect(help('Denials')).toContainText('session starts that were refused')
    await expect(page).toHaveURL(/\/elastic\?customer=100001&help=elastic-denials$/)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(/\/elastic\?customer=100001$/)
  })
  await test.step('"?" opens it outside of fields', async () => {
    const search = page.getByRole('combobox', { name: 'Account search' })
    await search.focus()
    await page.keyboard.press('Shift+?')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await button.focus()
    await page.keyboard.press('Shift+?')
    await expect(help('Elastic Licensing')).toBeVisible()
    await help('Elastic Licensing').getByRole('button', { name: 'Close help' }).click()
    await expect(button).toBeFocused()
  })
  await test.step('the palette finds a page by its words', async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Search the portal' }).fill('used for what')
    await page.getByRole('option', { name: /^Help: Elastic Statements/ }).click()
    await expect(help('Elastic Statements')).toContainText('Chargeback')
    await expect(page).toHaveURL(/\/elastic\?/)
  })
  await test.step('a screen without a page shows the list of pages', async () => {
    await goWithin(page, '/nopermissions?customer=100001&help=')
    await help('Guide for license administrators').getByRole('link', { name: 'Keyboard' }).click()
    await expect(help('Keyboard')).toBeVisible()
  })
})
