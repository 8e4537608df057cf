import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const HOME = '/home?customer=100001'
const tiles = (page: Page) => page.getByRole('list', { name: 'What needs attention' })
const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })

/** The first number in the name of a link. */
async function numberIn(link: Locator): Promise<number> {
  const name = (await link.getAttribute('aria-label')) ?? (await link.textContent()) ?? ''
  return Number(/[\d,]+/.exec(name.split(': ').at(-1) ?? '')?.[0].replaceAll(',', ''))
}

/** Follows a number and expects that many rows. */
async function expectRowsBehind(page: Page, link: Locator, table: string, what: string): Promise<void> {
  const count = await numberIn(link)
  await link.click()
  await expect(grid(page, table)).toHaveAttribute('aria-busy', 'false')
  await expect(
    page.getByText(
      count === 0
        ? new RegExp(`^(0 of [\\d,]+|No) ${what}?$`)
        : `of ${count} ${count === 1 ? what.slice(0, -1) : what}`,
    ),
  ).toBeVisible()
}

test('every number of Home leads to as many rows', async ({ page }) => {
  test.slow()
  await signIn(page, 'viewer', HOME)
  for (const [label, table, what] of [
    [/Sessions? running now/, 'Usage transactions', 'transactions'],
    [/Denied session starts? in 7 days/, 'Elastic denials', 'denials'],
    [/Web checkouts? running now/, 'Web license checkouts', 'checkouts'],
    [/License files? out of date/, 'Active Servers', 'active license servers'],
    [/Maintenance ended/, 'Active Entitlements', 'active entitlements'],
    [/Undelivered emails?/, 'Emails', 'emails'],
    [/Open alerts?/, 'Alerts', 'alerts'],
  ] as const)
    await test.step(label.source, async () => {
      await page.goto(HOME)
      await expectRowsBehind(page, tiles(page).getByRole('link', { name: label }), table, what)
    })
})

test('the count of elastic entitlements leads to all of them', async ({ page }) => {
  await signIn(page, 'viewer', HOME)
  const link = page.getByRole('link', { name: /^Elastic entitlements: \d+$/ })
  const count = await numberIn(link)
  await link.click()
  const counts = page.getByText(/^1–\d+ of \d+ (in)?active entitlements?$/)
  await expect(counts).toHaveCount(2)
  const shown = (await counts.allTextContents()).map((text) => Number(/of (\d+)/.exec(text)?.[1]))
  expect(shown.reduce((sum, one) => sum + one, 0)).toBe(count)
})

test('what ends soon is told in numbers and on a calendar strip', async ({ page }) => {
  test.slow()
  await signIn(page, 'viewer', HOME)
  const ending = page.getByRole('table').filter({ hasText: '90 days' })
  for (const name of [
    /leases? ends? within 30 days/,
    /leases? ends? within 90 days/,
    /elastic entitlements? ends? within 90 days/,
    /leases? ends? from/,
  ])
    await test.step(String(name), async () => {
      await page.goto(HOME)
      const link = ending.getByRole('link', { name }).first()
      await expectRowsBehind(page, link, 'Active Entitlements', 'active entitlements')
    })
})

test('a balance leads to its entitlement', async ({ page }) => {
  await signIn(page, 'viewer', HOME)
  const card = page.getByRole('heading', { name: 'Elastic balances' }).locator('..')
  const id = (await card.getByRole('link').first().locator('span').textContent()) ?? 'none'
  // Other journeys book usage meanwhile, which can change the order of the balances.
  await card.getByRole('link').filter({ hasText: id }).click()
  await expect(page).toHaveURL(/\/elastic\?/)
  await expect(page.locator('[role=row][data-index] [data-col=ansysproduct]').filter({ hasText: id })).toBeVisible()
})

test('an account without access says so, and shows only what may be opened', async ({ page }) => {
  await signIn(page, 'accessDisabled', '/home?customer=100008')
  await expect(page.getByText('Access to this account is disabled.')).toBeVisible()
  await expect(tiles(page).getByRole('link', { name: /Open alerts?/ })).toBeVisible()
  for (const label of [/Maintenance ended/, /Undelivered emails?/, /License files? out of date/])
    await expect(tiles(page).getByRole('link', { name: label })).toHaveCount(0)
})

test('staff without an account see which accounts need attention, and go there', async ({ page }) => {
  await signIn(page, 'support', '/home')
  const section = page.getByRole('region', { name: 'Accounts that need attention' })
  await expect(section.getByRole('heading')).toHaveText([
    'Denied session starts in 7 days',
    'Denied web checkouts in 7 days',
    'Elastic units used up or overdrawn',
    'Leases ending within 30 days',
    'Web licenses ending within 30 days',
    'Elastic units ending within 30 days',
    'Spending accounts ending within 30 days',
  ])
  await expectAccessibleInBothSchemes(page)
  const leases = section.getByRole('link', { name: /leases ending/ }).first()
  await expectRowsBehind(page, leases, 'Active Entitlements', 'active entitlements')
  await page.goto('/home')
  const used = section.getByRole('link', { name: /used up or overdrawn/ }).first()
  await expectRowsBehind(page, used, 'Inactive Entitlements', 'inactive entitlements')
})

test('customers see their accounts only', async ({ page }) => {
  await signIn(page, 'administrator', '/home')
  await expect(page.getByRole('heading', { name: 'Your accounts' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Accounts that need attention' })).toHaveCount(0)
})

test('a filter that an address brought does not replace the saved view', async ({ page }) => {
  await signIn(page, 'support', '/ssl?customer=100006')
  const table = grid(page, 'Active Entitlements')
  const field = table.getByLabel('Entitlement contains', { exact: true })
  await field.fill('Pro')
  await field.press('Enter')
  const saved = page.waitForResponse((answer) => answer.url().includes('/featureflag/pref') && answer.ok())
  await saved

  const filter = JSON.stringify({ remainingdays: { filterType: 'text', type: 'contains', filter: '≤ 90' } })
  await page.goto(`/ssl?${new URLSearchParams({ customer: '100006', 'active.filter': filter })}`)
  await expect(table.getByLabel('Remaining Days contains', { exact: true })).toHaveValue('≤ 90')
  await expect(field).toHaveValue('')
  const again = page.waitForResponse((answer) => answer.url().includes('/featureflag/pref') && answer.ok())
  await table.getByRole('columnheader', { name: 'Start Date' }).click()
  await again

  await page.goto('/ssl?customer=100006')
  await expect(field).toHaveValue('Pro')
  await expect(table.getByLabel('Remaining Days contains', { exact: true })).toHaveValue('')
})
