import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { extractText } from 'unpdf'
import { FORECAST_METHOD } from '#domain/elastic/balances/run-out.ts'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf, rowsOf } from '#e2e/support/table.ts'

const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const totals = (page: Page, name: string) => grid(page, name).getByRole('row', { name: /^Total/ })

const DIMENSIONS = [
  ['Project', 'Chargeback by project'],
  ['Username', 'Chargeback by user'],
  ['Hostname', 'Chargeback by host'],
  ['Product', 'Chargeback by product'],
] as const

test('usage is charged back by project, user, host and product, and each adds up to the statement', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'sales', '/statementv2?customer=100007&dateRange=Last+year')
  const cents = (text: string) => Math.round(Number(text.replaceAll(/[^\d.-]/g, '')) * 100)
  const stated = cellsOf(grid(page, 'Usage by purchase order'), 'used')
  await expect(stated.first()).toBeVisible()
  const used = (await stated.allTextContents()).reduce((sum, text) => sum + cents(text), 0)
  expect(used).toBeGreaterThan(0)

  for (const [label, table] of DIMENSIONS) {
    await section(page, 'Chargeback').getByText(label, { exact: true }).first().click()
    await expect(cellsOf(grid(page, table), 'used').first()).toBeVisible()
    const parts = page.waitForEvent('download')
    await section(page, 'Chargeback').getByRole('button', { name: 'Export as csv file' }).click()
    const [header = '', ...lines] = (await readFile(await (await parts).path(), 'utf8')).trimEnd().split('\r\n')
    expect(header).toContain(`"${label}","Used","Share (%)"`)
    const amounts = lines.map((line) => cents(/"(?:,)(-?[\d.]+),/.exec(line)?.[1] ?? ''))
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(used)
    await expect(cellsOf(grid(page, table), 'share').first()).toHaveText(/^-?\d+\.\d %$/)
    await expect(totals(page, table).first()).toContainText(/\d\.\d\d/)
  }
  await expect(page).toHaveURL(/chargeback=product/)
  await expect(page.getByRole('img', { name: /^Bars of what each product used/ }).first()).toBeVisible()
  await page.reload()
  await expect(cellsOf(grid(page, 'Chargeback by product'), 'used').first()).toBeVisible()
  await expectAccessibleInBothSchemes(page)
})

test('run-out days are on the elastic screen, on the statement and in its PDF, with their method', async ({ page }) => {
  test.slow()
  await signIn(page, 'sales', '/elastic?customer=100007')
  const active = grid(page, 'Active Entitlements')
  await expect(cellsOf(active, 'usedupon').first()).toHaveText(/^(\d{4}-\d\d-\d\d|Not used up|No usage)$/)
  const onScreen = await cellsOf(active, 'usedupon').first().textContent()
  await active
    .getByRole('button', { name: /^Details of / })
    .first()
    .click()
  const forecast = active.getByRole('region', { name: 'Run-out forecast' })
  for (const days of [7, 30, 90]) await expect(forecast).toContainText(`By the last ${days} days`)
  await expect(forecast).toContainText(onScreen ?? '')
  await expect(forecast).toContainText(FORECAST_METHOD)
  await expectAccessible(page)

  await page.goto('/statementv2?customer=100007')
  const table = grid(page, 'Run-out forecast')
  await expect(cellsOf(table, 'in30').first()).not.toBeEmpty()
  await expect(page.getByText(FORECAST_METHOD).first()).toBeVisible()
  const shown = await cellsOf(table, 'in30').allTextContents()
  expect(shown).toContain(onScreen)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as PDF' }).click()
  const bytes = new Uint8Array(await readFile(await (await download).path()))
  const { text } = await extractText(bytes, { mergePages: true })
  expect(text).toContain('Run-out forecast as of')
  for (const row of await rowsOf(table).all()) {
    const dates = await Promise.all(['in7', 'in30', 'in90'].map((id) => row.locator(`[data-col=${id}]`).textContent()))
    expect(text.replaceAll(/\s+/g, ' ')).toContain(dates.join(' '))
  }
})

test('activation ids and currencies of a statement fit a laptop, and long names no less than a phone', async ({
  page,
}) => {
  const name = 'x'.repeat(200)
  await page.route('**/api/statements/chargeback', async (route) => {
    const answer = await route.fetch()
    const json = await answer.json()
    json.data.Rows[0].Name = name
    await route.fulfill({ response: answer, json })
  })
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, 'viewer', '/statementv2?customer=100001')
  for (const [table, id] of [
    ['Usage by purchase order', 'activationid'],
    ['Run-out forecast', 'activationId'],
  ] as const) {
    await grid(page, table).scrollIntoViewIfNeeded()
    const ids = cellsOf(grid(page, table), id)
    await expect(ids.first()).toHaveText(/^[0-9a-f-]{36}$/)
    const sizes = await ids
      .locator('span span')
      .first()
      .evaluate((text) => [text.scrollWidth - text.clientWidth, text.scrollHeight])
    expect(sizes[0]).toBe(0)
    expect(sizes[1]).toBeLessThanOrEqual(30)
  }
  const first = rowsOf(grid(page, 'Usage by purchase order')).first()
  const right = (await first.locator('[data-col=currency]').boundingBox()) ?? { x: 0, width: 0 }
  const actions = await first.locator('[data-col="$actions"]').boundingBox()
  expect(right.x + right.width).toBeLessThanOrEqual((actions?.x ?? 0) + 1)

  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('cell', { name, exact: true }).first()).toBeVisible()
    await expect(page.locator('text').getByText(/^x{23}…/)).toBeVisible()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  }
})
