import { expect, type Page, test } from '@playwright/test'
import { measureTables } from '#e2e/support/measured-tables.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

const WIDTHS = [1280, 1440, 3840]
const HEIGHT = 900
/** The least width of a card, and how far it goes on beyond a table that is wider. */
const LEAST_CARD = 1120
const SPARE_ROOM = 82

type Visit = {
  path: string
  /** The tables of the screen, by their names. */
  tables: readonly string[]
  /** Opens more tables: tabs, rows that unfold, dialogs. */
  open?(page: Page): Promise<void>
}

const VISITS: readonly Visit[] = [
  { path: 'ssl', tables: ['Active Entitlements', 'Inactive Entitlements'] },
  { path: 'elastic', tables: ['Active Entitlements', 'Inactive Entitlements'] },
  {
    path: 'entitlementsFSA',
    tables: ['Active Entitlements', 'Inactive Entitlements', 'Orders from'],
    open: (page) => rowsOf(tableOf(page, 'Active Entitlements')).last().click(),
  },
  { path: 'entitlementsFSA', tables: ['Order history'], open: (page) => tab(page, 'History') },
  { path: 'activations', tables: ['Assigned Entitlements'] },
  {
    path: 'activations',
    tables: ['License files'],
    open: (page) => page.getByRole('button', { name: 'License files' }).first().click(),
  },
  {
    path: 'activations-history',
    tables: ['Active Servers', 'History of lic-berlin-01', 'Inactive Servers'],
    open: (page) => rowsOf(tableOf(page, 'Active Servers')).filter({ hasText: 'lic-berlin-01' }).click(),
  },
  { path: 'web-assignments', tables: ['Web entitlements', 'Assigned users'] },
  { path: 'web-assignments', tables: ['Web users'], open: (page) => tab(page, 'Users') },
  { path: 'web-assignments', tables: ['Groups'], open: (page) => tab(page, 'Groups') },
  { path: 'web-transactions', tables: ['Web license checkouts'] },
  { path: 'web-reporting', tables: ['Use per product', 'Use per user', 'Denials'] },
  { path: 'optimization', tables: ['Web licenses', 'Elastic products'] },
  { path: 'transactions', tables: ['Usage transactions'] },
  {
    path: 'statementv2',
    tables: ['Usage by purchase order', 'Usage by product', 'Chargeback by project', 'Run-out forecast', 'Products of'],
    open: (page) => rowsOf(tableOf(page, 'Usage by purchase order')).first().click(),
  },
  { path: 'elastic-denials', tables: ['Elastic denials'] },
  { path: 'emails', tables: ['Emails'] },
  { path: 'notifications', tables: ['Alerts'] },
]

test('every table shows its dates, numbers, column names and order at 1280, 1440 and 3840 pixels', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: HEIGHT })
  await signIn(page, 'busops', '/home?customer=100001')
  const faults: string[] = []
  for (const visit of VISITS) {
    await show(page, visit)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT })
      for (const table of await measureTables(page)) {
        const name = `${visit.path} at ${width}, ${table.name}`
        faults.push(...table.faults.map((fault) => `${name}: ${fault}`))
        if (table.scrollers > 0) faults.push(`${name}: not only the window scrolls up and down`)
        if (table.sorted.length === 0) faults.push(`${name}: no column shows the order`)
        if (table.card > Math.max(LEAST_CARD, table.width + SPARE_ROOM))
          faults.push(`${name}: the card has ${table.card} px, the table ${table.width} px`)
      }
    }
    await page.setViewportSize({ width: 1280, height: HEIGHT })
  }
  expect(faults).toEqual([])
})

test('the balances of elastic units are in sight at 1280 pixels, with their currency', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: HEIGHT })
  await signIn(page, 'busops', '/elastic?customer=100001')
  const table = tableOf(page, 'Active Entitlements')
  await expect(rowsOf(table).first()).toBeVisible()
  for (const column of ['Remaining', 'Total', 'Currency'])
    await expect(table.getByRole('columnheader', { name: column, exact: true })).toBeInViewport({ ratio: 1 })
})

test.describe('where nothing hovers', () => {
  test.use({ viewport: { width: 1280, height: HEIGHT }, hasTouch: true, isMobile: true })

  test('the menu button of a column covers no name', async ({ page }) => {
    await signIn(page, 'busops', '/optimization?customer=100001')
    await expect(rowsOf(tableOf(page, 'Web licenses')).first()).toBeVisible()
    expect(await page.evaluate(() => matchMedia('(hover: none)').matches)).toBe(true)
    expect((await measureTables(page)).flatMap(({ faults }) => faults)).toEqual([])
    await tableOf(page, 'Web licenses').locator('[role=columnheader][data-col=needed] button').tap()
    await expect(page.getByRole('menuitem', { name: 'Sort ascending' })).toBeVisible()
  })
})

test('only the dialog scrolls in a low window, not a table inside it', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  await signIn(page, 'busops', '/activations-history?customer=100001')
  await page.getByRole('button', { name: 'View current activations: lic-berlin-01' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('table', { name: 'Activated products' })).toBeVisible()
  const scrolling = await dialog.evaluate(
    (element) =>
      [...element.querySelectorAll('*')].filter(
        (one) =>
          one.scrollHeight > one.clientHeight + 1 && ['auto', 'scroll'].includes(getComputedStyle(one).overflowY),
      ).length,
  )
  expect(scrolling).toBe(0)
})

test('a print names the dates and the filters of a table', async ({ page }) => {
  const filter = { Product: { filterType: 'text', type: 'contains', filter: 'Fluid' } }
  const search = new URLSearchParams({ customer: '100001', filter: JSON.stringify(filter) })
  await signIn(page, 'busops', `/transactions?${search}`)
  await expect(rowsOf(tableOf(page, 'Usage transactions')).first()).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(/^Usage transactions · Aerodyne Motors \(100001\)/)).toContainText(
    /Only: From \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d · Product contains "Fluid"/,
  )
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('amounts are followed by their currency', async ({ page }) => {
    await signIn(page, 'busops', '/elastic?customer=100001')
    const row = rowsOf(tableOf(page, 'Active Entitlements')).first()
    await expect(row.locator('[data-col=remaining]')).toHaveText(/^[\d,]+\.\d\d [A-Z]{3}$/)
    await signIn(page, 'busops', '/transactions?customer=100001')
    const session = rowsOf(tableOf(page, 'Usage transactions')).first()
    await expect(session.locator('[data-col=Charge]')).toHaveText(/^[\d,]+\.\d\d [A-Z]{3}$/)
    await expect(
      page.getByRole('gridcell', { name: /^Total · Hours [\d,.]+ · Cost [\d,.]+ [A-Z]{3}$/ }).first(),
    ).toBeVisible()
  })
})

/** By the beginning of its name. */
function tableOf(page: Page, name: string) {
  const named = { name: new RegExp(`^${name}`) }
  return page.getByRole('grid', named).or(page.getByRole('treegrid', named))
}

async function tab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click()
}

/** Goes there by the menu, which costs less than loading the page again. */
async function show(page: Page, { path, tables, open }: Visit): Promise<void> {
  await page.keyboard.press('Escape')
  const link = page.locator(`nav a[href^="/${path}?"]`).first()
  const title = (await link.textContent()) ?? ''
  await link.click()
  // Tables of several screens have the same name.
  await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
  await open?.(page)
  for (const name of tables) await expect(rowsOf(tableOf(page, name)).first()).toBeVisible()
}
