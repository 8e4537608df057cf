import fs from 'node:fs'
import { expect, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

test('an administrator finds who changed what, exports it and downloads checkpoints', async ({ page }) => {
  test.slow()
  // Opening the screen reads the PIN.
  const read = page.waitForResponse('**/getpin')
  await signIn(page, 'administrator', '/clscredentials?customer=100001')
  expect((await read).ok()).toBe(true)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit Log' }).click()
  const log = page.getByRole('grid', { name: 'Audit log' })
  const entry = rowsOf(log).filter({ hasText: 'Read the PIN of' }).first()
  await expect(entry).toContainText(PEOPLE.administrator)
  await expectAccessibleInBothSchemes(page)

  await test.step('the opened row has values, address and hash', async () => {
    await entry.click()
    const detail = page.getByRole('region').or(page.locator('dl')).filter({ hasText: 'Program' }).first()
    await expect(detail).toContainText('127.0.0.1')
    await expect(detail).toContainText('getpin')
    await expectAccessible(page)
  })

  await test.step('checkpoints and the log are downloaded', async () => {
    await page.getByRole('button', { name: 'Checkpoints' }).click()
    const dialog = page.getByRole('dialog', { name: 'Check the audit log' })
    await expect(dialog).toContainText('Public key (Ed25519)')
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download checkpoints' }).click()
    const marks = JSON.parse(fs.readFileSync(await (await saved).path(), 'utf8'))
    expect(marks[0]).toMatchObject({ customerNumber: '100001', signature: expect.any(String) })
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })

  await test.step('it fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(rowsOf(log).first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })
})

test('staff also see what concerns no account, and viewers see nothing of it', async ({ page }) => {
  await signIn(page, 'busops', '/audit?customer=100001')
  await page.getByText('The portal itself').click()
  await expect(page.getByRole('grid', { name: 'Audit log' })).toContainText('Signed in')
  await signIn(page, 'viewer', '/audit?customer=100001')
  await expect(page).toHaveURL(/\/nopermissions/)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Licensing Portal Access' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Audit Log' })).toHaveCount(0)
})
