import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { FORECAST_METHOD } from '#domain/elastic/balances/run-out.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { chooseInChart } from '#e2e/support/chart.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf, chipOf, filterBy, rowsOf, unfold } from '#e2e/support/table.ts'

const ACTIVE = 'Active Entitlements'
const INACTIVE = 'Inactive Entitlements'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const table = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
const details = (where: Locator) => where.getByRole('button', { name: /^Details of / })

/** The texts of one column. Read in one step, because rows that disappear meanwhile would time out. */
const column = (where: Locator, id: string) => cellsOf(where, id).allTextContents()

test('elastic units are in two tables, and a row unfolds to its monthly usage, its forecast and its transactions', async ({
  page,
}) => {
  await page.route('**/api/getEntitlements', (route) => route.abort())
  await signIn(page, 'viewer', '/elastic?customer=100001')
  const active = table(page, ACTIVE)
  const inactive = table(page, INACTIVE)
  await test.step('a list that cannot be loaded says so, and Retry loads it', async () => {
    await expect(section(page, ACTIVE).getByText('No connection to the portal')).toBeVisible()
    await page.unroute('**/api/getEntitlements')
    await section(page, ACTIVE).getByRole('button', { name: 'Retry' }).click()
    await expect(details(active).first()).toBeVisible()
  })
  await test.step('the chart is above the first row, and both are in sight', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect(page.getByRole('img', { name: /^Bars of the units used/ }).first()).toBeInViewport({ ratio: 1 })
    expect((await rowsOf(active).first().boundingBox())?.y).toBeLessThanOrEqual(560)
  })
  await test.step('inactive entitlements are folded until somebody opens them, which the browser remembers', async () => {
    await expect(inactive).toHaveCount(0)
    await unfold(page, INACTIVE)
    await expect(details(inactive).first()).toBeVisible()
    await page.reload()
    await expect(details(inactive).first()).toBeVisible()
  })
  await test.step('the last to end is on top, with its used percentage', async () => {
    const ends = await column(active, 'enddate')
    expect(ends).toEqual(ends.toSorted().toReversed())
    const percentages = (await column(active, 'usedpercentage')).map((text) => Number.parseInt(text, 10))
    expect(percentages.some((percent) => percent >= 95)).toBe(true)
    expect(percentages).not.toContain(100)
    expect(await column(inactive, 'usedpercentage')).toContainEqual(expect.stringMatching(/^100 %/))
    expect(await column(inactive, 'remainingdays')).toEqual(expect.arrayContaining(['NOT STARTED', 'EXPIRED']))
  })
  const used = (await column(active, 'usedpercentage')).map((text) => /· ([\d,.]+) of /.exec(text)?.[1] ?? '')
  const place = used.findIndex((text) => text !== '0')
  await test.step('a row unfolds to its purchase order, rate table, forecast and monthly usage', async () => {
    await details(active).nth(place).click()
    await expect(active.getByText('Purchase order', { exact: true })).toBeVisible()
    await expect(active.getByText(/^\d{4}R\d$/)).toBeVisible()
    const forecast = active.getByRole('region', { name: 'Run-out forecast' })
    for (const days of [7, 30, 90]) await expect(forecast).toContainText(`By the last ${days} days`)
    await expect(forecast).toContainText((await column(active, 'usedupon'))[place] ?? '')
    await expect(forecast).toContainText(FORECAST_METHOD)
  })
  const draw = active.getByRole('region', { name: /^Monthly usage of / })
  await test.step('the months add up to Used, in chart, table and files', async () => {
    await expect(draw.getByRole('img', { name: /each month/ })).toBeVisible()
    await expect(draw.getByRole('row').last()).toHaveText(new RegExp(`^Total${used[place]}(\\.00|0)?$`))
    // Chart, table and file have the same order, and the current month is marked.
    const months = (await draw.getByRole('row').allTextContents()).slice(1, -1)
    expect(months).toEqual(months.toSorted())
    expect(months.at(-1)).toMatch(/^\d{4}-\d\d so far[\d,]+\.\d\d$/)
    await expect(draw.locator('svg text').filter({ hasText: /^\d{4}-\d\d/ })).toHaveCount(months.length)
    await expectAccessible(page)
    const csv = page.waitForEvent('download')
    await chooseInChart(draw, 'Download as CSV')
    const lines = (await readFile(await (await csv).path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines).toHaveLength(months.length + 1)
    expect(lines.at(-1)).toMatch(/^"\d{4}-\d\d so far",\d+\.\d\d$/)
    const picture = page.waitForEvent('download')
    await chooseInChart(draw, 'Download as PNG')
    expect((await picture).suggestedFilename()).toMatch(/^monthly-draw-.*\.png$/)
    const png = await readFile(await (await picture).path())
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    await details(active).nth(place).click()
    await expect(draw).toBeHidden()
  })
  await test.step('the file holds everything that matches the filter', async () => {
    const download = page.waitForEvent('download')
    await section(page, INACTIVE).getByRole('button', { name: 'Export as csv file' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^inactive-elastic-entitlements-100001-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines).toHaveLength((await details(inactive).count()) + 1)
  })
  await test.step('an entitlement links to its usage', async () => {
    const [id] = await active
      .getByText(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
      .nth(1)
      .allTextContents()
    await details(active).nth(1).click()
    await active.getByRole('link', { name: 'Show usage transactions' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Usage Transactions' })).toBeVisible()
    const usage = table(page, 'Usage transactions')
    await expect(chipOf(page, `Activation ID equals "${id}"`)).toBeVisible()
    await expect.poll(async () => new Set(await column(usage, 'ActivationID'))).toEqual(new Set([id]))
  })
})

// The view is saved. No other journey uses these tables as this person.
test('a view is filtered, sorted, moved and made wider, also by the keyboard, remembered and reset', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, 'administrator', '/elastic?customer=100001')
  const inactive = table(page, INACTIVE)
  await unfold(page, INACTIVE)
  await expect(details(inactive).first()).toBeVisible()
  const header = (name: string) => inactive.getByRole('columnheader', { name, exact: true })
  const widthOf = async (name: string) => (await header(name).boundingBox())?.width ?? 0
  const reset = section(page, INACTIVE).getByRole('button', { name: 'Reset View' })
  const clear = section(page, INACTIVE).getByRole('button', { name: 'Clear Filters' })
  // A failed attempt leaves its view behind.
  if (test.info().retry > 0 && (await reset.isEnabled())) await reset.click()
  await expect(clear).toBeDisabled()

  await filterBy(inactive, 'Expiration Date contains', '1999')
  await expect(page.getByText('No inactive entitlements match the filters')).toBeVisible()
  await clear.first().click()
  await expect(details(inactive).first()).toBeVisible()
  await filterBy(inactive, 'Remaining Days contains', 'exp')
  await expect.poll(async () => new Set(await column(inactive, 'remainingdays'))).toEqual(new Set(['EXPIRED']))

  await header('Expiration Date').focus()
  const before = await widthOf('Expiration Date')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Alt+ArrowRight')
  await expect(header('Expiration Date')).toBeFocused()
  await expect.poll(() => widthOf('Expiration Date')).toBe(before + 10)
  await header('Remaining Days').evaluate((one) => one.scrollIntoView({ block: 'center' }))
  const edge = await header('Remaining Days').boundingBox()
  if (!edge) throw new Error('the column is not there')
  await page.mouse.move(edge.x + edge.width - 3, edge.y + edge.height / 2)
  await page.mouse.down()
  await page.mouse.move(edge.x + edge.width + 57, edge.y + edge.height / 2, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => widthOf('Remaining Days')).toBe(edge.width + 60)

  const saved = page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/api/featureflag/pref') &&
      answer.request().method() === 'POST' &&
      // The last of all changes is saved.
      (answer.request().postData()?.includes('"sort":"asc"') ?? false),
  )
  await header('Used Percentage').click()
  await expect(header('Used Percentage')).toHaveAttribute('aria-sort', 'ascending')
  expect((await saved).request().postDataJSON()).toMatchObject({ tables: [{ tableName: 'inActiveEntitlements' }] })

  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(inactive).toHaveCount(0)
  await goWithin(page, '/elastic?customer=100001')
  const chip = chipOf(section(page, INACTIVE), 'Remaining Days contains "exp"')
  await expect(chip).toBeVisible()
  await expect(section(page, INACTIVE).getByText('Filtered since your last visit')).toBeVisible()
  await expect(header('Used Percentage')).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(() => widthOf('Remaining Days')).toBe(edge.width + 60)
  expect((await inactive.getByRole('columnheader').allTextContents()).slice(0, 3)).toEqual([
    'Entitlement',
    'Remaining Days',
    'Expiration Date',
  ])
  // The first column stays in sight.
  const left = (await header('Entitlement').boundingBox())?.x
  await header('Runs Out On').scrollIntoViewIfNeeded()
  await expect.poll(async () => (await header('Entitlement').boundingBox())?.x).toBe(left)
  await reset.click()
  await expect(chip).toHaveCount(0)
  await expect.poll(() => widthOf('Expiration Date')).toBe(before)
  await expect(reset).toBeDisabled()
})
