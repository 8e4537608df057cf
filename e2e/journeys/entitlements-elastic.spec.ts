import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import type { Person } from '#e2e/support/people.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf } from '#e2e/support/table.ts'

const ACTIVE = 'Active Entitlements'
const INACTIVE = 'Inactive Entitlements'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const table = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
const details = (where: Locator) => where.getByRole('button', { name: /^Details of / })

/** Views are saved per person, so a journey that changes one uses its own person. */
async function openElastic(page: Page, person: Person): Promise<void> {
  await signIn(page, person, '/elastic?customer=100001')
  await expect(details(table(page, INACTIVE)).first()).toBeVisible()
}

/** The texts of one column. Read in one step, because rows that disappear meanwhile would time out. */
const column = (where: Locator, id: string) => cellsOf(where, id).allTextContents()

test('elastic units are in two tables, the last to end on top, with their used percentage', async ({ page }) => {
  await openElastic(page, 'viewer')
  const ends = await column(table(page, ACTIVE), 'enddate')
  expect(ends).toEqual(ends.toSorted().toReversed())
  const used = (await column(table(page, ACTIVE), 'usedpercentage')).map((text) => Number.parseInt(text, 10))
  expect(used.some((percent) => percent >= 95)).toBe(true)
  expect(used).not.toContain(100)
  expect(await column(table(page, INACTIVE), 'usedpercentage')).toContain('100 %')
  expect(await column(table(page, INACTIVE), 'remainingdays')).toEqual(
    expect.arrayContaining(['NOT STARTED', 'EXPIRED']),
  )
})

test('a row unfolds to its purchase order, rate table and monthly usage, which adds up to Used', async ({ page }) => {
  test.slow()
  await openElastic(page, 'viewer')
  const active = table(page, ACTIVE)
  const used = await column(active, 'used')
  const place = used.findIndex((text) => text !== '0.00')
  await details(active).nth(place).click()
  await expect(active.getByText('Purchase order', { exact: true })).toBeVisible()
  await expect(active.getByText(/^\d{4}R\d$/)).toBeVisible()
  const draw = active.getByRole('region', { name: /^Monthly usage of / })
  await expect(draw.getByRole('img', { name: /each month/ })).toBeVisible()
  await expect(draw.getByRole('row').last()).toHaveText(`Total${used[place]}`)
  // Chart, table and file have the same order, and the current month is marked.
  const months = (await draw.getByRole('row').allTextContents()).slice(1, -1)
  expect(months).toEqual(months.toSorted())
  expect(months.at(-1)).toMatch(/^\d{4}-\d\d so far[\d,]+\.\d\d$/)
  await expect(draw.locator('svg text').filter({ hasText: /^\d{4}-\d\d/ })).toHaveCount(months.length)
  await expectAccessibleInBothSchemes(page)
  const csv = page.waitForEvent('download')
  await draw.getByRole('button', { name: 'Download as CSV' }).click()
  const lines = (await readFile(await (await csv).path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(months.length + 1)
  expect(lines.at(-1)).toMatch(/^"\d{4}-\d\d so far",\d+\.\d\d$/)
  const picture = page.waitForEvent('download')
  await draw.getByRole('button', { name: 'Download as PNG' }).click()
  expect((await picture).suggestedFilename()).toMatch(/^monthly-draw-.*\.png$/)
  const png = await readFile(await (await picture).path())
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  await details(active).nth(place).click()
  await expect(draw).toBeHidden()
})

test('an elastic entitlement links to its usage', async ({ page }) => {
  await openElastic(page, 'viewer')
  const active = table(page, ACTIVE)
  const [id] = await active
    .getByText(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    .nth(1)
    .allTextContents()
  await details(active).nth(1).click()
  await active.getByRole('link', { name: 'Show usage transactions' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Usage Transactions' })).toBeVisible()
  const usage = table(page, 'Usage transactions')
  await expect(usage.getByLabel('Activation ID equals')).toHaveValue(id ?? '')
  await expect.poll(async () => new Set(await column(usage, 'ActivationID'))).toEqual(new Set([id]))
})

test('entitlements are found by their purchase order', async ({ page }) => {
  await openElastic(page, 'coordinator')
  const active = table(page, ACTIVE)
  const orders = await column(active, 'ansysponum')
  await active.getByLabel('Purchase Order contains').fill(orders[0] ?? '')
  await expect.poll(() => column(active, 'ansysponum')).toEqual(orders.filter((order) => order === orders[0]))
})

test('columns are filtered, sorted and hidden, the view is remembered and reset', async ({ page }) => {
  await openElastic(page, 'administrator')
  const inactive = table(page, INACTIVE)
  await expect(section(page, INACTIVE).getByRole('button', { name: 'Clear Filters' })).toBeDisabled()
  await inactive.getByLabel('Remaining Days contains').fill('exp')
  await expect.poll(async () => new Set(await column(inactive, 'remainingdays'))).toEqual(new Set(['EXPIRED']))
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/featureflag/pref') && answer.request().method() === 'POST',
  )
  await inactive.getByRole('columnheader', { name: 'Expiration Date', exact: true }).click()
  // Without a sort rule the list would keep its order, which is descending.
  await expect(inactive.getByRole('columnheader', { name: 'Expiration Date', exact: true })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await inactive.getByRole('columnheader', { name: 'Used', exact: true }).click()
  await expect(inactive.getByRole('columnheader', { name: 'Used', exact: true })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  expect((await saved).request().postDataJSON()).toMatchObject({ tables: [{ tableName: 'inActiveEntitlements' }] })

  await page.reload()
  await expect(inactive.getByLabel('Remaining Days contains')).toHaveValue('exp')
  await expect(inactive.getByRole('columnheader', { name: 'Used', exact: true })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await section(page, INACTIVE).getByRole('button', { name: 'Reset View' }).click()
  await expect(inactive.getByLabel('Remaining Days contains')).toHaveValue('')
  await expect(section(page, INACTIVE).getByRole('button', { name: 'Reset View' })).toBeDisabled()

  await inactive.getByLabel('Expiration Date contains').fill('1999')
  await expect(page.getByText('No inactive entitlements match the filters')).toBeVisible()
  await section(page, INACTIVE).getByRole('button', { name: 'Clear Filters' }).first().click()
  await expect(details(inactive).first()).toBeVisible()
})

test('columns are moved and made wider, also by the keyboard, and the first one stays in sight', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await openElastic(page, 'support')
  const active = table(page, ACTIVE)
  const reset = section(page, ACTIVE).getByRole('button', { name: 'Reset View' })
  if (await reset.isEnabled()) await reset.click()
  const header = (name: string) => active.getByRole('columnheader', { name, exact: true })
  const widthOf = async (name: string) => (await header(name).boundingBox())?.width ?? 0

  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/featureflag/pref') && answer.request().method() === 'POST',
  )
  await header('Expiration Date').focus()
  const before = await widthOf('Expiration Date')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Alt+ArrowRight')
  await expect(header('Expiration Date')).toBeFocused()
  await expect.poll(() => widthOf('Expiration Date')).toBe(before + 10)
  const edge = await header('Remaining Days').boundingBox()
  if (!edge) throw new Error('the column is not there')
  await page.mouse.move(edge.x + edge.width - 3, edge.y + edge.height / 2)
  await page.mouse.down()
  await page.mouse.move(edge.x + edge.width + 57, edge.y + edge.height / 2, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => widthOf('Remaining Days')).toBe(edge.width + 60)
  await saved

  await page.reload()
  await expect.poll(() => widthOf('Remaining Days')).toBe(edge.width + 60)
  expect((await active.getByRole('columnheader').allTextContents()).slice(0, 3)).toEqual([
    'Entitlement',
    'Remaining Days',
    'Expiration Date',
  ])
  const place = (await header('Entitlement').boundingBox())?.x
  await header('Purchase Order').scrollIntoViewIfNeeded()
  expect((await header('Entitlement').boundingBox())?.x).toBe(place)
  await reset.click()
  await expect.poll(() => widthOf('Expiration Date')).toBe(before)
})

test('the file holds everything that matches the filter', async ({ page }) => {
  await openElastic(page, 'sales')
  await table(page, INACTIVE).getByLabel('Remaining Days contains').fill('EXPIRED')
  await expect
    .poll(async () => new Set(await column(table(page, INACTIVE), 'remainingdays')))
    .toEqual(new Set(['EXPIRED']))
  const rows = await details(table(page, INACTIVE)).count()
  const download = page.waitForEvent('download')
  await section(page, INACTIVE).getByRole('button', { name: 'Export as csv file' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^inactive-elastic-entitlements-100001-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(rows + 1)
})

test('an account without elastic units is redirected to its leases', async ({ page }) => {
  await signIn(page, 'singleAccount', '/elastic?customer=100006')
  await expect(page).toHaveURL('/ssl?customer=100006')
  await expect(page.getByRole('heading', { level: 1, name: 'Leases/Perpetuals' })).toBeVisible()
})

test('a list that cannot be loaded says so, and Retry loads it', async ({ page }) => {
  await page.route('**/api/getEntitlements', (route) => route.abort())
  await signIn(page, 'viewer', '/elastic?customer=100001')
  await expect(section(page, ACTIVE).getByText('No connection to the portal')).toBeVisible()
  await page.unroute('**/api/getEntitlements')
  await section(page, ACTIVE).getByRole('button', { name: 'Retry' }).click()
  await expect(details(table(page, ACTIVE)).first()).toBeVisible()
})

test('the elastic screen is accessible, also on a phone', async ({ page }) => {
  test.slow()
  await openElastic(page, 'viewer')
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
})
