import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { extractText } from 'unpdf'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { addMonths, startOfMonth } from '#domain/calendar/calendar-periods.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { attachmentOfMail } from '#e2e/support/received-mail.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf, rowsOf } from '#e2e/support/table.ts'

const ORDERS = 'Usage by purchase order'
const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
const mailed = (page: Page) => grid(page, 'Emailed statements')
const emailMenu = (page: Page) => page.getByRole('button', { name: /^Email a statement of / }).first()
const schedule = (page: Page) => page.getByRole('region', { name: 'Scheduled statements' })
const today = async (page: Page, customerNumber: string): Promise<string> =>
  (await (await page.request.get(`/api/getaccountinfo/${customerNumber}`)).json()).data.today

test('a person gets weekly and monthly statements by email and downloads them again', async ({ page }) => {
  test.slow()
  await signIn(page, 'elasticOnly', '/statementv2?customer=100007')
  await expect(rowsOf(grid(page, ORDERS)).first()).toBeVisible()
  const day = await today(page, '100007')
  const id = (await cellsOf(grid(page, ORDERS), 'activationid').first().textContent())?.trim() ?? ''

  await emailMenu(page).click()
  await page.getByRole('menuitem', { name: 'Email Weekly Statement' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Are you sure you want to send a Weekly Statement email for this entitlement?')
  await expect(dialog).toContainText(id)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()

  for (const kind of ['Weekly', 'Monthly']) {
    await emailMenu(page).click()
    await page.getByRole('menuitem', { name: `Email ${kind} Statement` }).click()
    await expect(dialog).toContainText(`Are you sure you want to send a ${kind} Statement email for this entitlement?`)
    await dialog.getByRole('button', { name: 'Send email' }).click()
    await expect(page.getByText('Email has been sent.')).toBeVisible()
    await expect(mailed(page).getByText(kind)).toBeVisible()
  }
  const month = startOfMonth(day)
  await expect(cellsOf(mailed(page), 'Kind')).toHaveText(['Monthly', 'Weekly'])
  await expect(cellsOf(mailed(page), 'PeriodStartDate')).toHaveText([addMonths(month, -1), addDays(day, -7)])
  await expect(cellsOf(mailed(page), 'PeriodEndDate')).toHaveText([addDays(month, -1), addDays(day, -1)])

  const used = (await cellsOf(grid(page, ORDERS), 'used').first().textContent()) ?? ''
  const download = page.waitForEvent('download')
  await mailed(page)
    .getByRole('button', { name: /^Download the PDF file: Monthly/ })
    .click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`statement_100007_${id}_${addMonths(month, -1)}_${addDays(month, -1)}.pdf`)
  const { text } = await extractText(new Uint8Array(await readFile(await file.path())), { mergePages: true })
  expect(text).toContain('Monthly elastic statement')
  expect(text).toContain(used)
  const attached = await attachmentOfMail(`To: ${PEOPLE.elasticOnly}`, 'Monthly Statement')
  expect(attached).toMatchObject({ name: file.suggestedFilename(), text: expect.stringMatching(/^%PDF-/) })
})

test('an email that cannot be sent is reported', async ({ page }) => {
  await signIn(page, 'support', '/statementv2?customer=100007')
  await page.route('**/api/emailweek', (route) =>
    route.fulfill({
      json: { status: 'FAILURE', code: 'NO_ACTIVE_ENTITLEMENTS', err: 'No active entitlements for account' },
    }),
  )
  await emailMenu(page).click()
  await page.getByRole('menuitem', { name: 'Email Weekly Statement' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send email' }).click()
  await expect(page.getByText('Email has not been sent. No active entitlements for account')).toBeVisible()
})

test('an administrator switches scheduled statements on and off', async ({ page }) => {
  await signIn(page, 'elasticOnly', '/statementv2?customer=100007')
  const form = schedule(page)
  const save = form.getByRole('button', { name: 'Save', exact: true })
  await expect(save).toBeDisabled()
  await form.getByRole('switch', { name: 'Weekly statement' }).click()
  const recipients = form.getByRole('combobox', { name: 'Recipients' })
  await recipients.focus()
  await page.keyboard.press('Tab')
  await expect(form).toContainText('Choose at least one recipient.')
  await recipients.click()
  await page.getByRole('option', { name: PEOPLE.elasticOnly }).click()
  await page.keyboard.press('Escape')
  await expect(form).not.toContainText('Choose at least one recipient.')
  await expectAccessible(page)
  await save.click()
  await expect(page.getByText('The scheduled statements have been saved.')).toBeVisible()

  await page.reload()
  await expect(form.getByRole('switch', { name: 'Weekly statement' })).toBeChecked()
  await expect(form.getByRole('switch', { name: 'Monthly statement' })).not.toBeChecked()
  await expect(form).toContainText(PEOPLE.elasticOnly)
  await form.getByRole('switch', { name: 'Weekly statement' }).click()
  await save.click()
  await expect(page.getByText('The scheduled statements have been saved.')).toBeVisible()
})

test('somebody who may only look sees the schedule and cannot change it', async ({ page }) => {
  await signIn(page, 'viewer', '/statementv2?customer=100001')
  await expect(schedule(page)).toContainText('You can see the scheduled statements, but not change them.')
  await expect(schedule(page).getByRole('switch', { name: 'Weekly statement' })).toBeDisabled()
  await expect(schedule(page).getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
})
