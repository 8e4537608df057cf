import { readFile } from 'node:fs/promises'
import { type Download, expect, type Page, test } from '@playwright/test'
import { extractText } from 'unpdf'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { addMonths, startOfMonth } from '#domain/calendar/calendar-periods.ts'
import { periodBefore } from '#domain/calendar/period-before.ts'
import { presetRange } from '#domain/calendar/presets.ts'
import { FORECAST_METHOD } from '#domain/elastic/balances/run-out.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { PEOPLE, type Person } from '#e2e/support/people.ts'
import { attachmentOfMail } from '#e2e/support/received-mail.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf, filterBy, rowsOf } from '#e2e/support/table.ts'

const ORDERS = 'Usage by purchase order'
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
const details = (page: Page) => grid(page, ORDERS).getByRole('button', { name: /^Details of / })
const schedule = (page: Page) => section(page, 'Scheduled statements')
const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()
const CHANGE = /^(↑ ([\d,]+ % more|New)|↓ [\d,]+ % less|The same)?$/
const cents = (text: string) => Math.round(Number(text.replaceAll(/[^\d.-]/g, '')) * 100)
const sum = (texts: readonly string[]) => texts.reduce((total, text) => total + cents(text), 0)

async function openStatement(page: Page, person: Person, customerNumber: string): Promise<string> {
  await signIn(page, person, `/statementv2?customer=${customerNumber}`)
  const info = await (await page.request.get(`/api/getaccountinfo/${customerNumber}`)).json()
  await expect(details(page).first()).toBeVisible()
  return info.data.today
}

async function choosePeriod(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Date range: / }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

async function textOf(pdf: Download): Promise<string> {
  const bytes = new Uint8Array(await readFile(await pdf.path()))
  return (await extractText(bytes, { mergePages: true })).text.replaceAll(/\s+/g, ' ')
}

test('a statement shows orders, products, chargeback and run-out days, and its PDF has the same numbers', async ({
  page,
}) => {
  test.slow()
  const today = await openStatement(page, 'viewer', '100001')
  const lastMonth = presetRange('Last month', today)
  const fact = (text: string) => page.locator('dl > div').filter({ hasText: text })
  await expect(fact(`Report Date${today}`)).toBeVisible()
  await expect(fact('Account ID (Account Name)100001 (Aerodyne Motors)')).toBeVisible()
  // The range is said once: beside its menu on the screen, as facts on paper.
  await expect(page.getByText(new RegExp(`^From: ${lastMonth.from} To: ${lastMonth.to}`))).toBeVisible()
  const onPaper = [fact(`Period Start Date${lastMonth.from}`), fact(`Period End Date${lastMonth.to}`)]
  for (const one of onPaper) await expect(one).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  for (const one of onPaper) await expect(one).toBeVisible()
  await expect(page.getByRole('button', { name: 'Export as PDF' }), 'paper has nothing to click').toBeHidden()
  await expect(page.getByRole('switch')).toHaveCount(0)
  const id = cellsOf(grid(page, ORDERS), 'activationid').first()
  expect(await id.evaluate((cell) => cell.scrollWidth - cell.clientWidth), 'ids are whole').toBe(0)
  const [rows, lastRow] = [grid(page, ORDERS).getByRole('rowgroup').nth(1), rowsOf(grid(page, ORDERS)).last()]
  const bottoms = await Promise.all(
    [rows, lastRow].map((one) => one.evaluate((el) => el.getBoundingClientRect().bottom)),
  )
  expect(bottoms[0], 'nothing is below the last row').toBeCloseTo(bottoms[1] ?? 0, 0)
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 1440, height: 900 })
  const firstRow = await rowsOf(grid(page, ORDERS)).first().boundingBox()
  expect(firstRow?.y).toBeLessThanOrEqual(330)
  const compare = page.getByRole('switch', { name: /^Compare with the period before/ })
  await test.step('rows and totals are compared with the month before', async () => {
    await expect(cellsOf(grid(page, ORDERS), 'change')).toHaveCount(0)
    await compare.click()
    await expect(page).toHaveURL(/compare=before/)
    const before = periodBefore(lastMonth)
    await expect(compare).toHaveAccessibleName(new RegExp(`${before.from} – ${before.to}$`))
    await expect(cellsOf(grid(page, ORDERS), 'change').first()).toHaveText(CHANGE)
    await expect(
      grid(page, ORDERS)
        .getByRole('row', { name: /^Total/ })
        .first()
        .locator('[data-col=change]'),
    ).toHaveText(CHANGE)
    await expect(cellsOf(grid(page, 'Usage by product'), 'change').first()).toHaveText(CHANGE)
    await expectAccessible(page)
  })
  const used = await cellsOf(grid(page, ORDERS), 'used').allTextContents()
  const place = used.findIndex((text) => text !== '0.00')
  await details(page).nth(place).click()
  const detail = page.getByRole('grid', { name: /^Products of / })
  await expect(cellsOf(detail, 'used').first()).toBeVisible()
  const parts = await cellsOf(detail, 'used').allTextContents()
  expect(sum(parts)).toBe(cents(used[place] ?? ''))
  for (const by of ['purchase order', 'product'])
    await expect(page.getByRole('img', { name: `Pie chart of usage by ${by}` }).first()).toBeVisible()

  const byProduct = await cellsOf(grid(page, 'Usage by product'), 'used').allTextContents()
  expect(byProduct.length).toBeGreaterThan(5)
  await test.step('the tables are exported as they are shown', async () => {
    const download = page.waitForEvent('download')
    await section(page, 'Usage by product').getByRole('button', { name: 'Export as csv file' }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n').slice(1)
    expect(sum(lines.map((line) => /",(-?[\d.]+),/.exec(line)?.[1] ?? ''))).toBe(sum(used))
  })
  await test.step('a chargeback adds up to the statement', async () => {
    await openTab(page, 'Chargeback')
    await expect(page).toHaveURL(/tab=chargeback/)
    const chargeback = section(page, 'Chargeback')
    await chargeback.getByText('Username', { exact: true }).first().click()
    const table = grid(page, 'Chargeback by user')
    await expect(cellsOf(table, 'share').first()).toHaveText(/^-?\d+\.\d %$/)
    await expect(table.getByRole('row', { name: /^Total/ }).first()).toContainText(/\d\.\d\d/)
    await expect(page).toHaveURL(/chargeback=user/)
    await expect(cellsOf(table, 'change').first()).toHaveText(CHANGE)
    await expect(page.getByRole('columnheader', { name: 'Period before' }).first()).toBeVisible()
    await compare.click()
    await expect(cellsOf(table, 'change')).toHaveCount(0)
    await expectAccessible(page)
    await expect(page.getByRole('img', { name: /^Bars of what each user used/ }).first()).toBeVisible()
    const download = page.waitForEvent('download')
    await chargeback.getByRole('button', { name: 'Export as csv file' }).click()
    const [header = '', ...lines] = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
    expect(header).toContain('"Username","Used","Share (%)"')
    expect(sum(lines.map((line) => /",(-?[\d.]+),/.exec(line)?.[1] ?? ''))).toBe(sum(used))
    const pdf = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as PDF' }).click()
    const text = await textOf(await pdf)
    expect(text).toContain('Chargeback by user')
    for (const shown of await cellsOf(table, 'used').allTextContents()) expect(text).toContain(shown)
  })
  const runOuts: string[] = []
  await test.step('the forecast says when balances are used up', async () => {
    await openTab(page, 'Forecast')
    const forecast = grid(page, 'Run-out forecast')
    await expect(cellsOf(forecast, 'in30').first()).not.toBeEmpty()
    await expect(page.getByText(FORECAST_METHOD).first()).toBeVisible()
    await expectAccessible(page)
    for (const row of await rowsOf(forecast).all()) {
      const days = await Promise.all(['in7', 'in30', 'in90'].map((id) => row.locator(`[data-col=${id}]`).textContent()))
      runOuts.push(days.join(' '))
    }
    const pdf = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as PDF' }).click()
    const text = await textOf(await pdf)
    for (const days of runOuts) expect(text).toContain(days)
  })

  await test.step('the PDF has the same numbers', async () => {
    await page.goBack()
    await expect(grid(page, 'Chargeback by user')).toBeVisible()
    await openTab(page, 'Summary')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as PDF' }).click()
    expect((await download).suggestedFilename()).toBe(`statement_100001_${lastMonth.from}_${lastMonth.to}.pdf`)
    const text = await textOf(await download)
    for (const shown of [...used, ...parts, ...byProduct]) expect(text).toContain(shown)
    expect(text).toContain('Run-out forecast as of')
    for (const days of runOuts) expect(text).toContain(days)
  })
  await test.step('a viewer sees the schedule and cannot change it', async () => {
    await openTab(page, 'Schedule')
    await expect(schedule(page)).toContainText('You can see the scheduled statements, but not change them.')
    await expect(schedule(page).getByRole('switch', { name: 'Weekly statement' })).toBeDisabled()
    await expect(schedule(page).getByRole('button', { name: 'Save', exact: true })).toBeHidden()
  })
})

test('a statement remembers its period and filters, fits a laptop and a phone, and says why there is no PDF', async ({
  page,
}) => {
  test.slow()
  const name = 'x'.repeat(200)
  await page.route('**/api/statements/chargeback', async (route) => {
    const answer = await route.fetch()
    const json = await answer.json()
    json.data.Rows[0].Name = name
    await route.fulfill({ response: answer, json })
  })
  await page.setViewportSize({ width: 1280, height: 900 })
  const today = await openStatement(page, 'support', '100001')
  const reopen = async (address: string) => {
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await expect(grid(page, ORDERS)).toHaveCount(0)
    await goWithin(page, address)
  }
  await test.step('activation ids and currencies are whole at 1280 pixels', async () => {
    for (const [tab, table, id] of [
      ['Forecast', 'Run-out forecast', 'activationId'],
      ['Summary', ORDERS, 'activationid'],
    ] as const) {
      await openTab(page, tab)
      await grid(page, table).scrollIntoViewIfNeeded()
      const ids = cellsOf(grid(page, table), id)
      await expect(ids.first()).toHaveText(/^[0-9a-f-]{36}$/)
      const sizes = await ids
        .locator('span span')
        .first()
        .evaluate((text) => [text.scrollWidth - text.clientWidth, text.scrollHeight])
      expect(sizes[0]).toBe(0)
      // Two lines of 15 pixels would be 30; letters of some fonts are taller than their line.
      expect(sizes[1]).toBeLessThanOrEqual(32)
    }
    const first = rowsOf(grid(page, ORDERS)).first()
    const right = (await first.locator('[data-col=currency]').boundingBox()) ?? { x: 0, width: 0 }
    const actions = await first.locator('[data-col="$actions"]').boundingBox()
    expect(right.x + right.width).toBeLessThanOrEqual((actions?.x ?? 0) + 1)
  })
  await test.step('a long name is cut in the chart, and makes no screen wider', async () => {
    // The address of a chargeback from before there were tabs.
    await goWithin(page, '/statementv2?customer=100001&chargeback=user')
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await expect(page.getByRole('cell', { name, exact: true }).first()).toBeVisible()
      await expect(page.locator('text').getByText(/^x{23}…/)).toBeVisible()
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
  })
  await page.unroute('**/api/statements/chargeback')
  await page.setViewportSize({ width: 1280, height: 900 })
  await openTab(page, 'Summary')
  const exportPdf = page.getByRole('button', { name: 'Export as PDF' })
  await test.step('a PDF that cannot be created or read is reported', async () => {
    await page.route('**/api/getPdf', (route) => route.fulfill({ status: 500, json: { status: 'FAILURE', err: 'No' } }))
    await exportPdf.click()
    await expect(page.getByText('An error occurred when exporting the PDF.')).toBeVisible()
    await page.route('**/api/getPdf', (route) => route.fulfill({ contentType: 'text/plain', body: 'no PDF' }))
    await exportPdf.click()
    await expect(page.getByText('An error occurred when loading the PDF.')).toBeVisible()
  })
  await test.step('a period and filters are remembered, cleared and reset', async () => {
    const range = page.getByText(/^From: /)
    await choosePeriod(page, 'Last two weeks')
    const { from, to } = presetRange('Last two weeks', today)
    await expect(range).toHaveText(new RegExp(`^From: ${from} To: ${to}`))
    await choosePeriod(page, 'Custom')
    const dialog = page.getByRole('dialog', { name: 'Custom date range' })
    await dialog.getByRole('textbox', { name: 'From' }).fill(addDays(today, -60))
    await dialog.getByRole('textbox', { name: 'To' }).fill(addDays(today, -1))
    await dialog.getByRole('button', { name: 'Okay' }).click()
    const custom = new RegExp(`^From: ${addDays(today, -60)} To: ${addDays(today, -1)}`)
    await expect(range).toHaveText(custom)
    await openTab(page, 'Chargeback')
    await expect(range).toHaveText(custom)
    await page.goBack()
    await expect(range).toHaveText(custom)

    const saved = page.waitForResponse(
      (answer) =>
        answer.url().endsWith('/api/featureflag/pref') &&
        // The previously chosen range is saved by a separate call.
        (answer.request().postData()?.includes('"filterModel":{"') ?? false),
    )
    await filterBy(grid(page, ORDERS), 'Currency equals', 'none')
    await expect(details(page)).toHaveCount(0)
    expect((await saved).request().postDataJSON()).toMatchObject({
      tables: [{ tableName: 'statementByPurchaseOrder' }],
    })
    await reopen('/statementv2?customer=100001')
    await expect(page.getByRole('button', { name: 'Date range: Custom' })).toBeVisible()
    const orders = section(page, ORDERS)
    await orders.getByRole('button', { name: 'Clear Filters' }).first().click()
    await expect(details(page).first()).toBeVisible()
    await orders.getByRole('button', { name: 'Reset View' }).click()
    await expect(page.getByRole('button', { name: 'Date range: Last month' })).toBeVisible()
    await expect(orders.getByRole('button', { name: 'Reset View' })).toBeDisabled()
  })
  await test.step('a period without entitlements says so, and has no PDF', async () => {
    await reopen('/statementv2?customer=100001&startDate=1999-01-01&endDate=1999-01-31')
    await expect(
      page.getByText(/^No active entitlements for account from 1999-01-01 to 1999-01-31/).first(),
    ).toBeVisible()
    await expect(exportPdf).toBeDisabled()
  })
})

test('a person gets statements by email, downloads them again and schedules them', async ({ page }) => {
  test.slow()
  const today = await openStatement(page, 'elasticOnly', '100007')
  const month = { from: addMonths(startOfMonth(today), -1), to: addDays(startOfMonth(today), -1) }
  const id = (await cellsOf(grid(page, ORDERS), 'activationid').first().textContent())?.trim() ?? ''
  const dialog = page.getByRole('dialog')
  const email = async (kind: 'Weekly' | 'Monthly') => {
    await page
      .getByRole('button', { name: /^Email a statement of / })
      .first()
      .click()
    await page.getByRole('menuitem', { name: `Email ${kind} Statement` }).click()
    await expect(dialog).toContainText(`Are you sure you want to send a ${kind} Statement email for this entitlement?`)
    await expect(dialog).toContainText(id)
  }

  await test.step('an email that is canceled or refused is not sent', async () => {
    await email('Weekly')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await page.route('**/api/emailweek', (route) =>
      route.fulfill({
        json: { status: 'FAILURE', code: 'NO_ACTIVE_ENTITLEMENTS', err: 'No active entitlements for account' },
      }),
    )
    await email('Weekly')
    await dialog.getByRole('button', { name: 'Send email' }).click()
    await expect(page.getByText('Email has not been sent. No active entitlements for account')).toBeVisible()
  })
  await test.step('a monthly statement is emailed, listed and downloaded', async () => {
    await email('Monthly')
    await dialog.getByRole('button', { name: 'Send email' }).click()
    await expect(page.getByText('Email has been sent.')).toBeVisible()
    const used = (await cellsOf(grid(page, ORDERS), 'used').first().textContent()) ?? ''
    await openTab(page, 'Emailed')
    const mailed = grid(page, 'Emailed statements')
    await expect(cellsOf(mailed, 'Kind')).toHaveText(['Monthly'])
    await expectAccessible(page)
    await expect(cellsOf(mailed, 'PeriodStartDate')).toHaveText([month.from])
    await expect(cellsOf(mailed, 'PeriodEndDate')).toHaveText([month.to])
    const download = page.waitForEvent('download')
    await mailed.getByRole('button', { name: /^Download the PDF file: Monthly/ }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe(`statement_100007_${id}_${month.from}_${month.to}.pdf`)
    const text = await textOf(file)
    expect(text).toContain('Monthly elastic statement')
    expect(text).toContain(used)
    const attached = await attachmentOfMail(`To: ${PEOPLE.elasticOnly}`, 'Monthly Statement')
    expect(attached).toMatchObject({ name: file.suggestedFilename(), text: expect.stringMatching(/^%PDF-/) })
  })
  await test.step('scheduled statements are switched on and off', async () => {
    await openTab(page, 'Schedule')
    const form = schedule(page)
    const weekly = form.getByRole('switch', { name: 'Weekly statement' })
    const save = form.getByRole('button', { name: 'Save', exact: true })
    await expect(weekly).toBeEnabled()
    await expect(save).toBeHidden()
    await expectAccessible(page)
    await weekly.click()
    const recipients = form.getByRole('combobox', { name: 'Recipients' })
    await recipients.focus()
    await page.keyboard.press('Tab')
    await expect(form).toContainText('Choose at least one recipient.')
    await recipients.click()
    await page.getByRole('option', { name: PEOPLE.elasticOnly }).click()
    await page.keyboard.press('Escape')
    await expect(form).not.toContainText('Choose at least one recipient.')
    await save.click()
    await expect(page.getByText('The scheduled statements have been saved.')).toBeVisible()
    await expect(save).toBeDisabled()
    await expect(weekly).toBeChecked()
    await expect(form.getByRole('switch', { name: 'Monthly statement' })).not.toBeChecked()
    await expect(form).toContainText(PEOPLE.elasticOnly)
    await weekly.click()
    await save.click()
    await expect(save).toBeDisabled()
    await expect(weekly).not.toBeChecked()
  })
})
