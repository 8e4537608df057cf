import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { available, button } from '#e2e/support/activations-screen.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { holdBack } from '#e2e/support/hold-back.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf as cells, chipOf, filterBy } from '#e2e/support/table.ts'

const ACTIVE = 'Active Entitlements'
const INACTIVE = 'Inactive Entitlements'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
const seatsButton = (page: Page) =>
  grid(page, ACTIVE)
    .getByRole('button', { name: /^[1-9]\d* activated: show the license servers$/ })
    .first()

/** Changes a filter and waits until the table has followed. */
async function filter(page: Page, table: string, label: string, text: string): Promise<void> {
  await filterBy(grid(page, table), label, text)
  await expect(grid(page, table)).toHaveAttribute('aria-busy', 'false')
}

// Views are saved per person. No other journey changes these tables as this one.
test('leases and perpetuals are in two tables with their seats, filtered and exported', async ({ page }) => {
  await page.route('**/api/fulfillments/count', (route) =>
    route.fulfill({ json: { status: 'FAILURE', err: 'No counts today' } }),
  )
  await signIn(page, 'coordinator', '/ssl?customer=100001')
  const active = grid(page, ACTIVE)
  await test.step('Total Activated is counted after the rows are there; a failed count fails the table', async () => {
    await expect(section(page, ACTIVE).getByText('No counts today')).toBeVisible()
    await page.unroute('**/api/fulfillments/count')
    const counts = await holdBack(page, '**/api/fulfillments/count')
    await section(page, ACTIVE).getByRole('button', { name: 'Retry' }).click()
    await expect(active.getByRole('img', { name: 'Loading' }).first()).toBeVisible()
    counts.release()
    await expect(active.getByRole('img', { name: 'Loading' })).toHaveCount(0)
  })
  await test.step('entitlements that end first are on top', async () => {
    await expect(active.getByRole('columnheader')).toHaveText([
      'Entitlement',
      'License Model',
      'Count',
      'Start Date',
      'Expiration Date',
      'Remaining Days',
      'Total Activated',
    ])
    const ends = await cells(active, 'enddate').allTextContents()
    expect(ends.length).toBeGreaterThan(5)
    expect(ends).toEqual(ends.toSorted())
    // An entitlement that ends today has one day left.
    await expect(cells(active, 'remainingdays').first()).toHaveText('1')
  })
  await test.step('a dialog shows which hosts hold the seats', async () => {
    const count = (await seatsButton(page).textContent()) ?? ''
    await seatsButton(page).click()
    const dialog = page.getByRole('dialog', { name: 'Activated on license servers' })
    await expect(dialog).toContainText(new RegExp(`${count} of \\d+ seats? activated`))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(active.locator('[role=gridcell]:focus-within')).toContainText(count)
  })
  await test.step('a filter matches what the cells show, and so does the file', async () => {
    await filter(page, ACTIVE, 'Remaining Days contains', 'perm')
    await expect(cells(active, 'remainingdays').first()).toHaveText('PERMANENT')
    await expect(cells(active, 'enddate').first()).toHaveText(/^Maintenance ends on \d{4}-\d\d-\d\d( ended)?$/)
    await filter(page, ACTIVE, 'License Model contains', 'network')
    const total = Number(
      (
        await section(page, ACTIVE)
          .getByText(/^([\d–]+ of )?\d+ active entitlements$/)
          .textContent()
      )?.match(/(\d+) active/)?.[1],
    )
    const download = page.waitForEvent('download')
    await section(page, ACTIVE).getByRole('button', { name: 'Export as csv file' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^active-entitlements-100001-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines[0]).toContain('"Entitlement","Activation ID","License Model","Count"')
    expect(lines).toHaveLength(total + 1)
    expect(lines.slice(1).every((line) => line.includes('"Network"'))).toBe(true)
    await filter(page, INACTIVE, 'Entitlement contains', 'no such product')
    await expect(page.getByText('No inactive entitlements match the filters')).toBeVisible()
  })
  await test.step('a table is folded up', async () => {
    await page.getByRole('button', { name: ACTIVE, exact: true }).click()
    await expect(active).toBeHidden()
    await page.getByRole('button', { name: ACTIVE, exact: true }).click()
    await expect(active).toBeVisible()
  })
  await test.step('the screen is accessible on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessible(page)
  })
})

test('a view is remembered for each table and reset; entitlements lead to their hosts and to activating them', async ({
  page,
}) => {
  await signIn(page, 'administrator', '/ssl?customer=100001')
  for (const table of [ACTIVE, INACTIVE]) await expect(grid(page, table)).toHaveAttribute('aria-busy', 'false')
  await test.step('a view is remembered and reset', async () => {
    const saved = page.waitForResponse(
      (answer) => answer.url().endsWith('/api/featureflag/pref') && answer.request().method() === 'POST',
    )
    await filter(page, INACTIVE, 'Remaining Days contains', 'NOT STARTED')
    expect((await saved).request().postDataJSON()).toMatchObject({
      tables: [{ tableName: 'leaseAndPerpetualsInactive' }],
    })
    await page.reload()
    await expect(chipOf(section(page, INACTIVE), 'Remaining Days contains "NOT STARTED"')).toBeVisible()
    await expect(cells(grid(page, INACTIVE), 'remainingdays').first()).toHaveText('NOT STARTED')
    await expect(section(page, ACTIVE).getByRole('button', { name: 'Reset View' })).toBeDisabled()
    await section(page, INACTIVE).getByRole('button', { name: 'Reset View' }).click()
    await expect(cells(grid(page, INACTIVE), 'remainingdays').first()).toHaveText('EXPIRED')
  })
  await test.step('an entitlement leads to a host that holds its seats', async () => {
    await seatsButton(page).click()
    const host = page.getByRole('dialog', { name: 'Activated on license servers' }).getByRole('link').first()
    const name = (await host.textContent()) ?? ''
    await host.click()
    await expect(page).toHaveURL(/\/license-servers\//)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
    await page.goBack()
  })
  await test.step('an entitlement leads to activating it', async () => {
    const activate = grid(page, ACTIVE)
      .getByRole('link', { name: /^Activate / })
      .first()
    const row = (await activate.getAttribute('aria-label'))?.replace('Activate ', '') ?? ''
    await activate.click()
    await expect(available(page).getByRole('button', { name: `Remove ${row}` })).toBeVisible()
    await expect(button(page, 'Save & Generate')).toBeEnabled()
  })
})
