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
  { name: 'home', path: '/home', open: (page) => page.getByRole('list', { name: 'To do' }) },
  { name: 'leases', path: '/ssl', open: firstRow('Active Entitlements') },
  { name: 'activate', path: '/activations', open: firstRow('Assigned Entitlements') },
  { name: 'manage-activations', path: '/activations-history', open: openHistory },
  { name: 'rehost', path: '/activations-history', open: openRehost },
  { name: 'license-use', path: '/license-use', open: openLicenseUse },
  { name: 'planner', path: '/planner', open: firstRow('Products to renew') },
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
  { name: 'tokens', path: '/tokens', open: firstRow('API tokens') },
  { name: 'webhooks', path: '/webhooks', open: firstRow('Webhooks') },
  { name: 'access-review', path: '/access-review', open: firstRow('Access') },
  { name: 'audit', path: '/audit', open: firstRow('Audit log') },
  { name: 'requests', path: '/requests', open: firstRow('Requests') },
]

const HOST = 'lic-berlin-01'

async function openHistory(page: Page): Promise<Locator> {
  await grid(page, 'Active Servers')
    .getByRole('button', { name: `Details of ${HOST}` })
    .click()
  await rowsOf(page.getByRole('treegrid', { name: `History of ${HOST}` }))
    .first()
    .waitFor()
  return page
    .getByRole('region', { name: `Timeline of ${HOST}` })
    .getByRole('listitem')
    .first()
}

async function openRehost(page: Page): Promise<Locator> {
  await button(page, 'Rehost to another license server: lic-lab-dongle').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Host Name').fill('lic-lab-02')
  await dialog.getByLabel('Host ID', { exact: true }).fill('9-2e05c8d3')
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

/** Who works when: the first and the last hour, and how many seats. */
const WORK: readonly (readonly [user: string, from: number, to: number, seats: number])[] = [
  ['ann', 7, 11, 2],
  ['ben', 8, 16, 1],
  ['claire', 9, 12, 3],
  ['dmitri', 13, 17, 2],
]

/** A day in the debug log of a license manager. Somebody finds no seat. */
function debugLog(day: number): string {
  const events = WORK.flatMap(([user, from, to, seats]) => {
    const what = `"acoustics" ${user}@ws-${user}  (${seats} licenses)`
    return [
      { hour: from, text: `${from}:00:00 (ansyslmd) OUT: ${what}` },
      { hour: to, text: `${to}:30:00 (ansyslmd) IN: ${what}` },
    ]
  })
  const denied = '(Licensed number of users already reached. (-4,342))'
  events.push({ hour: 10, text: `10:30:00 (ansyslmd) DENIED: "acoustics" elif@ws-elif  ${denied}` })
  return [
    `6:00:00 (lmgrd) TIMESTAMP 11/${day}/2026`,
    ...events.toSorted((one, other) => one.hour - other.hour).map(({ text }) => text),
    `18:00:00 (lmgrd) TIMESTAMP 11/${day}/2026`,
    '',
  ].join('\n')
}

/** The screen is empty until a log is uploaded. */
async function openLicenseUse(page: Page): Promise<Locator> {
  const details = button(page, `Details of acoustics on ${HOST}`)
  await button(page, 'Upload log').waitFor()
  for (const day of (await details.isVisible()) ? [] : [12, 13, 16]) {
    await button(page, 'Upload log').click()
    const upload = page.getByRole('dialog', { name: 'Upload log' })
    await upload.getByLabel('License server').selectOption({ label: HOST })
    const buffer = Buffer.from(debugLog(day))
    await upload.locator('input[type=file]').setInputFiles({ name: 'debug.log', mimeType: 'text/plain', buffer })
    await button(upload, 'Upload').click()
    await button(upload, 'Close').last().click()
    await upload.waitFor({ state: 'hidden' })
  }
  await details.waitFor()
  await details.click()
  return page
    .getByRole('region', { name: `Details of acoustics on ${HOST}` })
    .getByRole('table', { name: /^Most seats in use/ })
}
