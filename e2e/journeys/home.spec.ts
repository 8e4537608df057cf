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
  const ending = page.getByRole('table').filter({ hasText: '90 days' })
  const leases = ['Active Entitlements', 'active entitlements'] as const
  for (const [part, label, table, what] of [
    [tiles(page), /Sessions? running now/, 'Usage transactions', 'transactions'],
    [tiles(page), /Denied session starts? in 7 days/, 'Elastic denials', 'denials'],
    [tiles(page), /Web checkouts? running now/, 'Web license checkouts', 'checkouts'],
    [tiles(page), /License files? out of date/, 'Active Servers', 'active license servers'],
    [tiles(page), /Maintenance ended/, ...leases],
    [tiles(page), /Undelivered emails?/, 'Emails', 'emails'],
    [tiles(page), /Open alerts?/, 'Alerts', 'alerts'],
    [ending, /leases? ends? within 30 days/, ...leases],
    [ending, /leases? ends? within 90 days/, ...leases],
    [ending, /elastic entitlements? ends? within 90 days/, ...leases],
    // On the calendar strip.
    [ending, /leases? ends? from/, ...leases],
  ] as const)
    await test.step(`the number of ${label.source} leads to as many rows`, async () => {
      await expectRowsBehind(page, part.getByRole('link', { name: label }).first(), table, what)
      await page.goBack()
    })

  for (const about of [/^Fluid Flow 9 was denied/, /denials? on license servers$/])
    await test.step(`the line ${about.source} leads to as many rows`, async () => {
      const list = page.getByRole('list', { name: 'To do', exact: true })
      const link = list.getByRole('link', { name: about }).first()
      const times = /(\d+) (?:times$|denials? )/.exec((await link.textContent()) ?? '')?.[1] ?? '1'
      await link.click()
      await expect(page.getByText(new RegExp(`of ${times} denials?$`))).toBeVisible()
      await page.goBack()
    })

  await test.step('elastic entitlements lead to their rows', async () => {
    const link = page.getByRole('link', { name: /^Elastic entitlements: \d+$/ })
    const count = await numberIn(link)
    await link.click()
    const counts = page.getByText(/^1–\d+ of \d+ (in)?active entitlements?$/)
    await expect(counts).toHaveCount(2)
    const shown = (await counts.allTextContents()).map((text) => Number(/of (\d+)/.exec(text)?.[1]))
    expect(shown.reduce((sum, one) => sum + one, 0)).toBe(count)
    await page.goBack()
  })

  await test.step('a balance leads to its entitlement', async () => {
    const card = page.getByRole('heading', { name: 'Elastic balances' }).locator('..')
    const id = (await card.getByRole('link').first().locator('span').textContent()) ?? 'none'
    // Other journeys book usage meanwhile, which can change the order of the balances.
    await card.getByRole('link').filter({ hasText: id }).click()
    await expect(page).toHaveURL(/\/elastic\?/)
    await expect(page.locator('[role=row][data-index] [data-col=ansysproduct]').filter({ hasText: id })).toBeVisible()
  })
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
  await page.goBack()
  const used = section.getByRole('link', { name: /used up or overdrawn/ }).first()
  await expectRowsBehind(page, used, 'Inactive Entitlements', 'inactive entitlements')
})

test('the work list leads to prepared confirmations, and what is hidden comes back', async ({ page }) => {
  await signIn(page, 'administrator', HOME)
  const list = page.getByRole('list', { name: 'To do', exact: true })
  const line = (text: string | RegExp) => list.getByRole('listitem').filter({ hasText: text })

  await test.step('renewing opens the confirmation of the renewal', async () => {
    const leases = line(/leases? ends? within 30 days/)
    await leases.getByRole('button', { name: 'Renew', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Renew ending licenses on all license servers' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
    const withSeats = /, (\d+) with activated seats/.exec((await leases.textContent()) ?? '')?.[1]
    await expect(dialog).toContainText(new RegExp(`${withSeats} leases? with activated seats ends? within 30 days`))
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('denied checkouts lead to an email with the facts', async () => {
    const expired = line('All web licenses of this product had expired.').first()
    await expect(expired.getByRole('link', { name: /^Ask for a renewal of the web licenses of / })).toHaveAttribute(
      'href',
      /^mailto:.*Please%20renew/,
    )
  })

  await test.step('a matter that is done disappears, and Undo brings it back', async () => {
    const mails = line(/could not be delivered/)
    await mails.getByRole('button', { name: /^Hide: / }).click()
    await page.getByRole('menuitem', { name: 'Mark as done' }).click()
    await expect(mails).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(mails).toHaveCount(1)
  })

  await test.step('a matter can be snoozed until a day, and shown again', async () => {
    const mails = line(/could not be delivered/)
    await mails.getByRole('button', { name: /^Hide: / }).click()
    await page.getByRole('menuitem', { name: 'Snooze until…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Snooze' })
    await expect(dialog.getByLabel(/show it again on/)).toBeFocused()
    await expectAccessibleInBothSchemes(page)
    await dialog.getByRole('button', { name: 'Snooze' }).click()
    await expect(mails).toHaveCount(0)
    await page.getByRole('button', { name: /done or snoozed$/ }).click()
    await page.getByRole('button', { name: /^Show again: / }).click()
    await expect(mails).toHaveCount(1)
  })
})
