import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { measureTables } from '#e2e/support/measured-tables.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { keepNoViews, rowsOf, unfold } from '#e2e/support/table.ts'

const WIDTHS = [1280, 1440, 3840]
const HEIGHT = 900
/** Seen at rest in a window of 1440 × 900, menu and toolbar aside: half of what the fullest screen had with a filter row in every table. */
const MAX_CONTROLS = 54

type Visit = {
  path: string
  /** The tables of the screen, by their names. */
  tables?: readonly string[]
  /** Before the screen is opened. */
  prepare?(page: Page): Promise<void>
  /** Opens more tables: tabs, rows that unfold, dialogs. */
  open?(page: Page): Promise<void>
  /** What else this screen promises at 1280 pixels. */
  check?(page: Page): Promise<void>
}

/** Every screen of the portal, on an account with every kind of license. */
const ENTITLEMENTS_AND_MESSAGES: readonly Visit[] = [
  { path: 'ssl', tables: ['Active Entitlements', 'Inactive Entitlements'], check: leaseIdsFit },
  {
    path: 'ssl',
    tables: ['Active Entitlements'],
    // The note that maintenance has ended must not be cut off.
    open: async (page) => {
      const section = page.getByRole('region', { name: 'Active Entitlements', exact: true })
      await section.getByText('Permanent', { exact: true }).first().click()
      await expect(tableOf(page, 'Active Entitlements').getByText('ended').first()).toBeVisible()
    },
  },
  {
    path: 'elastic',
    tables: ['Active Entitlements', 'Inactive Entitlements'],
    open: (page) => unfold(page, 'Inactive Entitlements'),
    check: async (page) => {
      for (const name of ['Remaining', 'Currency', 'Runs Out On'])
        await expect(
          tableOf(page, 'Active Entitlements').getByRole('columnheader', { name, exact: true }),
        ).toBeInViewport({ ratio: 1 })
    },
  },
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
    check: onlyTheDialogScrolls,
  },
  { path: 'license-servers/3cecef4b7d10', tables: ['History of lic-berlin-01'] },
  { path: 'license-servers/a0369f1c2e01,a0369f1c2e02,a0369f1c2e03/options' },
  { path: 'planner', tables: ['Products to renew'] },
  { path: 'requests', tables: ['Requests'] },
  { path: 'my-requests' },
  { path: 'emails', tables: ['Emails'] },
  { path: 'emails/e0000000-0000-4000-8000-100001000001' },
  { path: 'notifications', tables: ['Alerts'] },
  { path: 'notifications-category/CRITICAL' },
  { path: 'operations' },
  { path: 'audit' },
  { path: 'notification-details/a0000000-0000-4000-8000-000000000001' },
  { path: 'nopermissions' },
  { path: 'error/404' },
]

const REPORTS_AND_SETTINGS: readonly Visit[] = [
  { path: 'home' },
  { path: 'web-assignments', tables: ['Web entitlements', 'Assigned users'] },
  { path: 'web-assignments', tables: ['Web users'], open: (page) => tab(page, 'Users') },
  { path: 'web-assignments', tables: ['Groups'], open: (page) => tab(page, 'Groups') },
  { path: 'web-transactions', tables: ['Web license checkouts'] },
  { path: 'web-reporting', tables: ['Use per product', 'Use per user', 'Denials'] },
  { path: 'license-use', tables: ['Features', 'Denials'] },
  { path: 'optimization', tables: ['Web licenses', 'Elastic products'] },
  { path: 'transactions', tables: ['Usage transactions'] },
  {
    path: 'statementv2',
    tables: ['Usage by purchase order', 'Usage by product', 'Products of'],
    // A pointer on an id would show its copy button, which lies on the id.
    open: (page) =>
      tableOf(page, 'Usage by purchase order')
        .getByRole('button', { name: /^Details of / })
        .first()
        .click(),
  },
  { path: 'statementv2', tables: ['Chargeback by project'], open: (page) => tab(page, 'Chargeback') },
  { path: 'statementv2', tables: ['Run-out forecast'], open: (page) => tab(page, 'Forecast') },
  { path: 'statementv2', tables: ['Emailed statements'], open: (page) => tab(page, 'Emailed') },
  { path: 'statementv2', open: (page) => tab(page, 'Schedule') },
  { path: 'elastic-denials', tables: ['Elastic denials'] },
  { path: 'portalaccess' },
  { path: 'clscredentials' },
  { path: 'limits' },
  { path: 'whitelistips' },
  { path: 'provisioning' },
  { path: 'tokens', tables: ['API tokens'] },
  { path: 'webhooks', tables: ['Webhooks', 'Deliveries'] },
  { path: 'access-review', tables: ['Access'] },
  { path: 'access-review', open: (page) => tab(page, 'Schedule') },
  { path: 'sign-in-provider' },
  { path: 'reminders' },
  { path: 'f1202990', prepare: chooseGroups, tables: ['Groups'] },
]

for (const [name, visits] of Object.entries({ ENTITLEMENTS_AND_MESSAGES, REPORTS_AND_SETTINGS }))
  test(`${name.toLowerCase().replaceAll('_', ' ')} are accessible, follow the content security policy and cut nothing off`, async ({
    page,
  }) => {
    test.slow()
    await page.setViewportSize({ width: 1280, height: HEIGHT })
    const refused: string[] = []
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text())
    })
    await keepNoViews(page)
    await signIn(page, 'busops', '/home?customer=100001')
    const faults: string[] = []
    const checked = new Set<string>()
    for (const visit of visits)
      await test.step(`${visit.path} ${visit.tables?.join(', ') ?? ''} passes every check`, async () => {
        await show(page, visit)
        if (!checked.has(visit.path)) {
          checked.add(visit.path)
          await expectAccessibleInBothSchemes(page)
          const controls = await controlsInWindow(page)
          if (controls > MAX_CONTROLS) faults.push(`${visit.path}: ${controls} controls in the window`)
        }
        if (visit.tables) faults.push(...(await faultsOfTables(page, visit.path)))
        await visit.check?.(page)
        await page.setViewportSize({ width: 1280, height: HEIGHT })
      })
    expect(faults).toEqual([])
    expect(refused).toEqual([])
  })

async function controlsInWindow(page: Page): Promise<number> {
  await page.setViewportSize({ width: 1440, height: HEIGHT })
  await page.mouse.move(0, 0)
  return page.getByRole('main').evaluate(
    (main) =>
      [...main.querySelectorAll('a, button, input, select, textarea')].filter((one) => {
        const { top, bottom, width } = one.getBoundingClientRect()
        const isSeen = one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        return isSeen && width > 0 && top < innerHeight && bottom > 0
      }).length,
  )
}

async function faultsOfTables(page: Page, path: string): Promise<string[]> {
  const faults: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    for (const table of await measureTables(page)) {
      const name = `${path} at ${width}, ${table.name}`
      faults.push(...table.faults.map((fault) => `${name}: ${fault}`))
      if (table.scrollers > 0) faults.push(`${name}: not only the window scrolls up and down`)
      if (table.sorted.length === 0) faults.push(`${name}: no column shows the order`)
    }
  }
  await page.setViewportSize({ width: 1280, height: HEIGHT })
  return faults
}

/** The columns of the leases fit into the window, and no activation id is cut. */
async function leaseIdsFit(page: Page): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Active Entitlements', exact: true })
  const [head] = await grid.getByRole('rowgroup').all()
  expect(await head?.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  // Evaluations have a badge next to their id.
  await expect(grid.getByText('Evaluation').first()).toBeVisible()
  const cut = await grid
    .getByText(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .evaluateAll((ids) => ids.filter((id) => id.scrollWidth > id.clientWidth).map((id) => id.textContent))
  expect(cut).toEqual([])
}

/** In a low window a table inside a dialog does not scroll by itself. */
async function onlyTheDialogScrolls(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.getByRole('button', { name: 'More actions: lic-berlin-01' }).click()
  await page.getByRole('menuitem', { name: 'View current activations' }).click()
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
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

test.describe('on a device without hover', () => {
  test.use({ viewport: { width: 1280, height: HEIGHT }, hasTouch: true, isMobile: true })

  test('neither the menu button of a column nor the copy button of a row covers text', async ({ page }) => {
    await signIn(page, 'busops', '/optimization?customer=100001')
    await expect(rowsOf(tableOf(page, 'Web licenses')).first()).toBeVisible()
    expect(await page.evaluate(() => matchMedia('(hover: none)').matches)).toBe(true)
    expect((await measureTables(page)).flatMap(({ faults }) => faults)).toEqual([])
    await tableOf(page, 'Web licenses').locator('[role=columnheader][data-col=needed] button').first().tap()
    await expect(page.getByRole('menuitem', { name: 'Sort ascending' })).toBeVisible()

    await goWithin(page, '/activations?customer=100001&id=3cecef4b7d10')
    await expect(rowsOf(tableOf(page, 'Assigned Entitlements')).first()).toBeVisible()
    await page.getByRole('button', { name: 'Add All', exact: true }).first().tap()
    await expect(rowsOf(tableOf(page, 'Available Entitlements')).first()).toBeVisible()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: HEIGHT })
      expect((await measureTables(page)).flatMap(({ faults }) => faults)).toEqual([])
    }
  })
})

/** Finds a table by the beginning of its name. */
function tableOf(page: Page, name: string) {
  const named = { name: new RegExp(`^${name}`) }
  return page.getByRole('grid', named).or(page.getByRole('treegrid', named))
}

/** Turns the variant of Assignments with groups on in this browser only. */
async function chooseGroups(page: Page): Promise<void> {
  await page.route('**/api/featureflag/features', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    const flags = data.map((one: { name: string }) => (one.name === 'f1202990' ? { ...one, enabled: true } : one))
    await route.fulfill({ response, json: { ...rest, data: flags } })
  })
}

async function tab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click()
}

/** Goes there by the menu, which costs less than loading the page again, and waits for the content. */
async function show(page: Page, { path, tables = [], prepare, open }: Visit): Promise<void> {
  await page.keyboard.press('Escape')
  await prepare?.(page)
  const link = page.locator(`nav a[href^="/${path}?"]`).first()
  // What was prepared takes effect when the page is loaded.
  if (prepare) await page.goto(`/${path}?customer=100001`)
  else if (path !== 'home' && (await link.count()) > 0) {
    const title = (await link.textContent()) ?? ''
    await link.click()
    // Tables of several screens have the same name.
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
  } else if (new URL(page.url()).pathname !== `/${path}`) {
    const title = page.getByRole('heading', { level: 1 })
    const before = (await title.textContent()) ?? ''
    await goWithin(page, `/${path}?customer=100001`)
    await expect(title).not.toHaveText(before)
  }
  await expect(page).toHaveURL(new RegExp(`/${path}\\?`))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await open?.(page)
  for (const name of tables) await expect(rowsOf(tableOf(page, name)).first()).toBeVisible()
  const waiting = page.getByRole('status').filter({ hasText: '...' }).or(page.locator('[class*=skeleton]'))
  await expect(waiting).toHaveCount(0)
}
