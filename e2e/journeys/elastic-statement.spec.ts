import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { extractText } from 'unpdf'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { presetRange, STATEMENT_PRESETS } from '#domain/calendar/presets.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import type { Person } from '#e2e/support/people.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf } from '#e2e/support/table.ts'

const ORDERS = 'Usage by purchase order'
const PRODUCTS = 'Usage by product'
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
const details = (page: Page) => grid(page, ORDERS).getByRole('button', { name: /^Details of / })

async function openStatement(page: Page, person: Person, customerNumber: string): Promise<string> {
  await signIn(page, person, `/statementv2?customer=${customerNumber}`)
  const info = await (await page.request.get(`/api/getaccountinfo/${customerNumber}`)).json()
  await expect(details(page).first()).toBeVisible()
  return info.data.today
}

async function choose(page: Page, preset: string): Promise<void> {
  await page.getByRole('button', { name: /^Date range: / }).click()
  await page.getByRole('menuitem', { name: preset, exact: true }).click()
}

test('shows last month by purchase order and by product, and the PDF has the same numbers', async ({ page }) => {
  test.slow()
  const today = await openStatement(page, 'viewer', '100001')
  const lastMonth = presetRange('Last month', today)
  for (const fact of [
    `Report Date${today}`,
    'Account ID (Account Name)100001 (Aerodyne Motors)',
    `Period Start Date${lastMonth.from}`,
    `Period End Date${lastMonth.to}`,
  ])
    await expect(page.locator('dl > div').filter({ hasText: fact })).toBeVisible()

  const used = await cellsOf(grid(page, ORDERS), 'used').allTextContents()
  const place = used.findIndex((text) => text !== '0.00')
  await details(page).nth(place).click()
  const detail = page.getByRole('grid', { name: /^Products of / })
  await expect(cellsOf(detail, 'used').first()).toBeVisible()
  const cents = (text: string) => Math.round(Number(text.replaceAll(',', '')) * 100)
  const parts = await cellsOf(detail, 'used').allTextContents()
  expect(parts.reduce((sum, text) => sum + cents(text), 0)).toBe(cents(used[place] ?? ''))
  await expect(page.getByRole('img', { name: /^Pie chart of usage by purchase order/ }).first()).toBeVisible()
  await expect(page.getByRole('img', { name: /^Pie chart of usage by product/ }).first()).toBeVisible()
  await expectAccessible(page)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as PDF' }).click()
  expect((await download).suggestedFilename()).toBe(`statement_100001_${lastMonth.from}_${lastMonth.to}.pdf`)
  const { text } = await extractText(new Uint8Array(await readFile(await (await download).path())), {
    mergePages: true,
  })
  const byProduct = await cellsOf(grid(page, PRODUCTS), 'used').allTextContents()
  expect(byProduct.length).toBeGreaterThan(5)
  for (const shown of [...used, ...parts, ...byProduct]) expect(text).toContain(shown)
})

test('a period and filters are remembered, cleared and reset', async ({ page }) => {
  const today = await openStatement(page, 'elasticOnly', '100007')
  const range = page.getByText(/^From: /)
  for (const preset of STATEMENT_PRESETS) {
    await choose(page, preset)
    const { from, to } = presetRange(preset, today)
    await expect(range).toHaveText(new RegExp(`^From: ${from} To: ${to}`))
  }
  await choose(page, 'Custom')
  const dialog = page.getByRole('dialog', { name: 'Custom date range' })
  await dialog.getByRole('textbox', { name: 'From' }).fill(addDays(today, -60))
  await dialog.getByRole('textbox', { name: 'To' }).fill(addDays(today, -1))
  await dialog.getByRole('button', { name: 'Okay' }).click()
  await expect(range).toHaveText(new RegExp(`^From: ${addDays(today, -60)} To: ${addDays(today, -1)}`))

  const saved = page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/api/featureflag/pref') &&
      // The range that was chosen before is saved by a call of its own.
      (answer.request().postData()?.includes('"filterModel":{"') ?? false),
  )
  await grid(page, ORDERS).getByLabel('Currency equals').fill('none')
  await expect(details(page)).toHaveCount(0)
  expect((await saved).request().postDataJSON()).toMatchObject({ tables: [{ tableName: 'statementByPurchaseOrder' }] })
  await page.goto('/statementv2?customer=100007')
  await expect(page.getByRole('button', { name: 'Date range: Custom' })).toBeVisible()
  const orders = section(page, ORDERS)
  await orders.getByRole('button', { name: 'Clear Filters' }).first().click()
  await expect(details(page).first()).toBeVisible()
  await orders.getByRole('button', { name: 'Reset View' }).click()
  await expect(page.getByRole('button', { name: 'Date range: Last month' })).toBeVisible()
  await expect(orders.getByRole('button', { name: 'Reset View' })).toBeDisabled()
})

test('a period without entitlements says so, and has no PDF', async ({ page }) => {
  await openStatement(page, 'support', '100001')
  await page.goto('/statementv2?customer=100001&startDate=1999-01-01&endDate=1999-01-31')
  await expect(
    page.getByText(/^No active entitlements for account from 1999-01-01 to 1999-01-31/).first(),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Export as PDF' })).toBeDisabled()
})

test('shows an error when the PDF cannot be created', async ({ page }) => {
  await openStatement(page, 'admin', '100001')
  const exportPdf = page.getByRole('button', { name: 'Export as PDF' })
  await page.route('**/api/getPdf', (route) => route.fulfill({ status: 500, json: { status: 'FAILURE', err: 'No' } }))
  await exportPdf.click()
  await expect(page.getByText('An error occurred when exporting the PDF.')).toBeVisible()
  await page.route('**/api/getPdf', (route) => route.fulfill({ contentType: 'text/plain', body: 'no PDF' }))
  await exportPdf.click()
  await expect(page.getByText('An error occurred when loading the PDF.')).toBeVisible()
})
