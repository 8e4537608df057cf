import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import type { Person } from '#e2e/support/people.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf as cells } from '#e2e/support/table.ts'

const ACTIVE = 'Active Entitlements'
const INACTIVE = 'Inactive Entitlements'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })

/** Changes a filter and waits until the table has followed. */
async function filter(page: Page, table: string, label: string, text: string): Promise<void> {
  const field = grid(page, table).getByLabel(label, { exact: true })
  await field.fill(text)
  await field.press('Enter')
  await expect(grid(page, table)).toHaveAttribute('aria-busy', 'false')
}

/** Views are saved per person, so a journey that changes one uses its own person. */
async function openLeases(page: Page, person: Person): Promise<void> {
  await signIn(page, person, '/ssl?customer=100001')
  for (const table of [ACTIVE, INACTIVE]) await expect(grid(page, table)).toHaveAttribute('aria-busy', 'false')
}

test('leases and perpetuals are in two tables, those that end first on top', async ({ page }) => {
  await openLeases(page, 'viewer')
  await expect(grid(page, ACTIVE).getByRole('columnheader')).toHaveText([
    'Entitlement',
    'License Model',
    'Count',
    'Start Date',
    'Expiration Date',
    'Remaining Days',
    'Total Activated',
  ])
  const ends = await cells(grid(page, ACTIVE), 'enddate').allTextContents()
  expect(ends.length).toBeGreaterThan(5)
  expect(ends).toEqual(ends.toSorted())
  // An entitlement that ends today has one day left.
  await expect(cells(grid(page, ACTIVE), 'remainingdays').first()).toHaveText('1')

  await page.getByRole('button', { name: ACTIVE, exact: true }).click()
  await expect(grid(page, ACTIVE)).toBeHidden()
  await page.getByRole('button', { name: ACTIVE, exact: true }).click()
  await expect(grid(page, ACTIVE)).toBeVisible()
})

test('a column filter matches what its cells show', async ({ page }) => {
  await openLeases(page, 'coordinator')
  const active = grid(page, ACTIVE)
  const inactive = grid(page, INACTIVE)

  await filter(page, ACTIVE, 'Remaining Days contains', 'perm')
  await expect(cells(active, 'remainingdays').first()).toHaveText('PERMANENT')
  await expect(cells(active, 'enddate').first()).toHaveText(/^Maintenance ends on \d{4}-\d\d-\d\d( ended)?$/)
  const maintained = (await cells(active, 'enddate').first().textContent()) ?? ''
  for (const part of ['ends on', maintained.slice(-10), maintained.slice(-5), `on ${maintained.slice(-10, -3)}`]) {
    await filter(page, ACTIVE, 'Expiration Date contains', part)
    await expect(cells(active, 'enddate').getByText(maintained.slice(-10)).first()).toBeVisible()
  }
  await filter(page, ACTIVE, 'Expiration Date contains', '')
  await filter(page, ACTIVE, 'Remaining Days contains', '1')
  await expect(cells(active, 'remainingdays').first()).toHaveText('1')
  await filter(page, ACTIVE, 'Remaining Days contains', '')

  await filter(page, ACTIVE, 'License Model contains', 'node')
  await expect(cells(active, 'ansyslicensemodel').first()).toHaveText('Node Locked')
  await section(page, ACTIVE).getByRole('button', { name: 'Clear Filters' }).click()
  await expect(active.getByLabel('License Model contains')).toHaveValue('')

  const id = (await cells(active, 'ansysproduct').first().textContent())?.match(/[0-9a-f-]{36}/)?.[0] ?? ''
  await filter(page, ACTIVE, 'Entitlement contains', id)
  await expect(cells(active, 'ansysproduct')).toHaveCount(1)

  for (const word of ['NOT STARTED', 'EXPIRED']) {
    await filter(page, INACTIVE, 'Remaining Days contains', word)
    await expect(cells(inactive, 'remainingdays').first()).toHaveText(word)
  }
  await filter(page, INACTIVE, 'Entitlement contains', 'no such product')
  await expect(page.getByText('No inactive entitlements match the filters')).toBeVisible()
})

test('a view is remembered for each table, and reset', async ({ page }) => {
  await openLeases(page, 'administrator')
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/featureflag/pref') && answer.request().method() === 'POST',
  )
  await filter(page, INACTIVE, 'Remaining Days contains', 'NOT STARTED')
  expect((await saved).request().postDataJSON()).toMatchObject({
    tables: [{ tableName: 'leaseAndPerpetualsInactive' }],
  })

  await page.reload()
  await expect(grid(page, INACTIVE).getByLabel('Remaining Days contains')).toHaveValue('NOT STARTED')
  await expect(cells(grid(page, INACTIVE), 'remainingdays').first()).toHaveText('NOT STARTED')
  await expect(section(page, ACTIVE).getByRole('button', { name: 'Reset View' })).toBeDisabled()
  await section(page, INACTIVE).getByRole('button', { name: 'Reset View' }).click()
  await expect(cells(grid(page, INACTIVE), 'remainingdays').first()).toHaveText('EXPIRED')
})

test('Total Activated is counted after the rows are there, and shows which hosts hold the seats', async ({ page }) => {
  test.slow()
  let answerCounts = () => {}
  const held = new Promise<void>((resolve) => {
    answerCounts = resolve
  })
  await page.route('**/api/fulfillments/count', async (route) => {
    await held
    await route.continue()
  })
  await openLeases(page, 'support')
  await expect(grid(page, ACTIVE).getByRole('img', { name: 'Loading' }).first()).toBeVisible()
  answerCounts()
  await expect(grid(page, ACTIVE).getByRole('img', { name: 'Loading' })).toHaveCount(0)

  const activated = grid(page, ACTIVE)
    .getByRole('button', { name: /^[1-9]\d* activated: show the license servers$/ })
    .first()
  const count = (await activated.textContent()) ?? ''
  await activated.click()
  const dialog = page.getByRole('dialog', { name: 'Activated on license servers' })
  await expect(dialog).toContainText(new RegExp(`${count} of \\d+ seats? activated`))
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(grid(page, ACTIVE).locator('[role=gridcell]:focus-within')).toContainText(count)
})

test('the seats dialog says whether unused seats can be activated', async ({ page }) => {
  await openLeases(page, 'support')
  for (const [words, reason] of [
    ['EXPIRED', 'The entitlement has expired, so'],
    ['NOT STARTED', 'from the start date on'],
  ] as const) {
    await filter(page, INACTIVE, 'Remaining Days contains', words)
    await grid(page, INACTIVE)
      .getByRole('button', { name: '0 activated: show the license servers', exact: true })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Activated on license servers' })
    await expect(dialog).toContainText(reason)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
})

test('a failed count fails the table, and Retry reloads it', async ({ page }) => {
  await page.route('**/api/fulfillments/count', (route) =>
    route.fulfill({ json: { status: 'FAILURE', err: 'No counts today' } }),
  )
  await signIn(page, 'viewer', '/ssl?customer=100001')
  await expect(section(page, ACTIVE).getByText('No counts today')).toBeVisible()
  await page.unroute('**/api/fulfillments/count')
  await section(page, ACTIVE).getByRole('button', { name: 'Retry' }).click()
  await expect(cells(grid(page, ACTIVE), 'remainingdays').first()).toHaveText('1')
})

test('the file holds everything that matches the filter', async ({ page }) => {
  await openLeases(page, 'sales')
  await filter(page, ACTIVE, 'License Model contains', 'network')
  const total = Number(
    (
      await section(page, ACTIVE)
        .getByText(/ of \d+ active entitlements$/)
        .textContent()
    )?.match(/of (\d+)/)?.[1],
  )
  const download = page.waitForEvent('download')
  await section(page, ACTIVE).getByRole('button', { name: 'Export as csv file' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^active-entitlements-100001-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines[0]).toContain('"Entitlement","Activation ID","License Model","Count"')
  expect(lines).toHaveLength(total + 1)
  expect(lines.slice(1).every((line) => line.includes('"Network"'))).toBe(true)
})

test('goes to /nopermissions without self-serve licensing', async ({ page }) => {
  await signIn(page, 'accessDisabled', '/ssl?customer=100008')
  await expect(page).toHaveURL('/nopermissions?customer=100008')
})

test('the leases screen is accessible in both themes and on a phone', async ({ page }) => {
  test.slow()
  await openLeases(page, 'viewer')
  await expectAccessibleInBothSchemes(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
})
