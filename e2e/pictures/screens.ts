import type { Locator, Page } from '@playwright/test'
import { button } from '#e2e/support/activations-screen.ts'
import { chooseProduct, contracts } from '#e2e/support/fsa-screen.ts'
import { cellsOf, rowsOf } from '#e2e/support/table.ts'

/** A screen of account 100001 as its administrator sees it. */
type Picture = {
  /** The name of the file, without its extension. */
  name: string
  path: string
  /** Brings the screen into the state of the picture and returns something that is visible then. */
  open(page: Page): Locator | Promise<Locator>
}

const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
const firstRow = (name: string) => (page: Page) => rowsOf(grid(page, name)).first()

export const PICTURES: readonly Picture[] = [
  { name: 'home', path: '/home', open: (page) => page.getByRole('list', { name: 'What needs attention' }) },
  { name: 'leases', path: '/ssl', open: firstRow('Active Entitlements') },
  { name: 'activate', path: '/activations', open: firstRow('Assigned Entitlements') },
  { name: 'manage-activations', path: '/activations-history', open: openHistory },
  { name: 'rehost', path: '/activations-history', open: openRehost },
  { name: 'elastic', path: '/elastic', open: firstRow('Active Entitlements') },
  { name: 'usage', path: '/transactions', open: firstRow('Usage transactions') },
  { name: 'statement', path: '/statementv2', open: openStatement },
  {
    name: 'credentials',
    path: '/clscredentials',
    open: (page) => page.getByRole('textbox', { name: 'PIN', exact: true }),
  },
  { name: 'fsa-order', path: '/entitlementsFSA', open: openOrder },
  { name: 'web-assignments', path: '/web-assignments', open: firstRow('Web entitlements') },
  { name: 'portal-access', path: '/portalaccess', open: (page) => button(page, 'Add contact') },
]

const HOST = 'lic-berlin-01'

async function openHistory(page: Page): Promise<Locator> {
  await rowsOf(grid(page, 'Active Servers')).filter({ hasText: HOST }).click()
  await rowsOf(page.getByRole('treegrid', { name: `History of ${HOST}` }))
    .first()
    .waitFor()
  return page
    .getByRole('region', { name: `Timeline of ${HOST}` })
    .getByRole('listitem')
    .first()
}

async function openRehost(page: Page): Promise<Locator> {
  await button(page, 'Rehost on a different license server: lic-lab-dongle').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Host Name').fill('lic-lab-02')
  await dialog.getByLabel('Host ID', { exact: true }).fill('3c:ec:ef:4b:7d:20')
  await button(dialog, 'Continue').click()
  return page
    .getByRole('dialog', { name: 'Rehost lic-lab-dongle on lic-lab-02' })
    .getByRole('button', { name: /^Rehost \d/ })
}

async function openStatement(page: Page): Promise<Locator> {
  await cellsOf(grid(page, 'Usage by purchase order'), 'used').first().waitFor()
  return page.getByRole('img', { name: /^Pie chart of usage by purchase order/ }).first()
}

async function openOrder(page: Page): Promise<Locator> {
  await rowsOf(contracts(page, 'Active'))
    .filter({ hasText: 'USD' })
    .getByRole('button', { name: /^Order Now from/ })
    .first()
    .click()
  await chooseProduct(page, 1, 0)
  return button(page, 'Order Now')
}
