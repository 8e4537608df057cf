import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const HOME = '/home?customer=100001'
const tile = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const todo = (page: Page) => page.getByRole('list', { name: 'To do', exact: true })
/** Lines that do not fit at first. */
const showAll = (page: Page) => page.getByRole('button', { name: /^Show all \d+$/ }).click()
const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })

/** The first number in the name of a link that is not one of days. */
async function numberIn(link: Locator): Promise<number> {
  const name = (await link.getAttribute('aria-label')) ?? (await link.textContent()) ?? ''
  return Number(/(?<!\d)([\d,]+)(?!\d| days)/.exec(name)?.[1]?.replaceAll(',', ''))
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
        : new RegExp(`^([\\d–]+ of )?${count} ${count === 1 ? what.slice(0, -1) : what}$`),
    ),
  ).toBeVisible()
}

test('every number of Home leads to as many rows', async ({ page }) => {
  test.slow()
  await signIn(page, 'viewer', HOME)
  const ending = page.getByRole('table').filter({ hasText: '90 days' })
  const leases = ['Active Entitlements', 'active entitlements'] as const
  for (const [part, label, table, what] of [
    [page.getByRole('main'), /^\d+ sessions? running$/, 'Usage transactions', 'transactions'],
    [page.getByRole('main'), /^\d+ web checkouts? running$/, 'Web license checkouts', 'checkouts'],
    [page.getByRole('main'), /^\d+ open alerts?$/, 'Alerts', 'alerts'],
    [tile(page, 'Denied in 7 days'), /session starts?$/, 'Elastic denials', 'denials'],
    [tile(page, 'Ends in 30 days'), /leases?$/, ...leases],
    [ending, /leases? ends? within 30 days/, ...leases],
    [ending, /leases? ends? within 90 days/, ...leases],
    [ending, /elastic entitlements? ends? within 90 days/, ...leases],
    [todo(page), /leases? ends? within 30 days/, ...leases],
  ] as const)
    await test.step(`the number of ${label.source} leads to as many rows`, async () => {
      await expectRowsBehind(page, part.getByRole('link', { name: label }).first(), table, what)
      await page.goBack()
    })

  for (const [label, table, what] of [
    [/license files? (is|are) out of date$/, 'Active Servers', 'active license servers'],
    [/^Maintenance of \d+ permanent/, ...leases],
    [/emails? could not be delivered$/, 'Emails', 'emails'],
  ] as const)
    await test.step(`the line ${label.source} leads to as many rows`, async () => {
      await showAll(page)
      await expectRowsBehind(page, todo(page).getByRole('link', { name: label }), table, what)
      await page.goBack()
    })

  for (const [about, group] of [
    [/^Fluid Flow 9 was denied/, undefined],
    [/denials? on license servers$/, /features had no free seat/],
    [/ was denied .+ (once|\d+ times)$/, /people need a web license/],
  ] as const)
    await test.step(`the line ${about.source} leads to as many rows`, async () => {
      if (group) await todo(page).getByRole('button', { name: group }).click()
      const link = todo(page).getByRole('link', { name: about }).last()
      const times = /(\d+) (?:times$|denials? )/.exec((await link.textContent()) ?? '')?.[1] ?? '1'
      await link.click()
      await expect(page.getByText(new RegExp(`^([\\d–]+ of )?${times} denials?$`))).toBeVisible()
      await page.goBack()
    })

  await test.step('a group of people says as many as there are lines', async () => {
    const people = todo(page).getByRole('button', { name: /people need a web license/ })
    const count = Number(/^\d+/.exec((await people.textContent()) ?? '')?.[0])
    await people.click()
    const names = await todo(page)
      .getByRole('list', { name: /people need a web license/ })
      .getByRole('link')
      .allTextContents()
    expect(new Set(names.map((text) => text.split(' ')[0])).size).toBe(count)
  })

  await test.step('elastic entitlements lead to their rows', async () => {
    await page.getByRole('button', { name: 'Account facts' }).click()
    await expect(page.getByRole('dialog', { name: 'Account facts' })).toContainText('100001')
    await expectAccessibleInBothSchemes(page)
    const link = page.getByRole('link', { name: /^Elastic entitlements: \d+$/ })
    const count = await numberIn(link)
    await link.click()
    await page.getByRole('button', { name: /^Inactive Entitlements/, expanded: false }).click()
    const counts = page.getByText(/^(1–\d+ of )?\d+ (in)?active entitlements?$/)
    await expect(counts).toHaveCount(2)
    const shown = (await counts.allTextContents()).map((text) => Number(/(\d+) (in)?active/.exec(text)?.[1]))
    expect(shown.reduce((sum, one) => sum + one, 0)).toBe(count)
    await page.goBack()
  })

  await test.step('a balance leads to its entitlement', async () => {
    const link = page.getByRole('region', { name: 'Elastic balances' }).getByRole('listitem').getByRole('link').first()
    const id = (await link.getAttribute('title')) ?? 'none'
    // Other journeys book usage meanwhile, which can change the order of the balances.
    await page.getByTitle(id).click()
    await expect(page).toHaveURL(/\/elastic\?/)
    await expect(page.locator('[role=row][data-index] [data-col=ansysproduct]').filter({ hasText: id })).toBeVisible()
  })
})

test('Home fits into one window, and begins to tell what to do above the middle of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, 'administrator', HOME)
  await expect(todo(page)).toBeVisible()
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(900)
  await page.setViewportSize({ width: 390, height: 844 })
  const { y = 844 } = (await page.getByRole('heading', { name: 'To do' }).boundingBox()) ?? {}
  expect(y).toBeLessThan(500)
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
})

test('staff without an account see which accounts need attention, and go there', async ({ page }) => {
  await signIn(page, 'support', '/home')
  await expect(page.getByRole('combobox', { name: 'Find an account' })).toBeFocused()
  const section = page.getByRole('region', { name: 'Accounts that need attention' })
  const first = section.locator('[role=row][data-index]').first()
  await expect(first).toContainText('Aerodyne Motors')
  await expectAccessibleInBothSchemes(page)
  const leases = section.getByRole('link', { name: /leases ending/ }).first()
  await expectRowsBehind(page, leases, 'Active Entitlements', 'active entitlements')
  await page.goBack()
  const used = section.getByRole('link', { name: /used up or overdrawn/ }).first()
  await expectRowsBehind(page, used, 'Inactive Entitlements', 'inactive entitlements')
  await page.goBack()
  await page.getByRole('combobox', { name: 'Find an account' }).fill('100007')
  await expect(page).toHaveURL(/customer=100007/)
})

test('the work list leads to prepared confirmations, and what is hidden comes back', async ({ page }) => {
  await signIn(page, 'administrator', HOME)
  const list = todo(page)
  const line = (text: string | RegExp) => list.getByRole('listitem').filter({ hasText: text })

  await test.step('renewing opens the confirmation of the renewal', async () => {
    const leases = line(/leases? ends? within 30 days/)
    await leases.getByRole('button', { name: 'Renew', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Renew ending licenses on all license servers' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
    const withSeats = /, (\d+) with activated seats/.exec((await leases.textContent()) ?? '')?.[1]
    await expect(dialog).toContainText(new RegExp(`${withSeats} leases? with activated seats ends? within 30 days`))
    await expect(dialog.getByRole('heading', { name: /^Ends within 30 days \(\d+\)$/ })).toBeVisible()
    const later = dialog.getByRole('table', { name: 'Products that end later' })
    await expect(later).toBeHidden()
    await dialog.getByText(/^Later \(\d+\), not included$/).click()
    await expect(later.getByRole('checkbox', { checked: true })).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('denied checkouts lead to an email with the facts', async () => {
    const expired = line('All web licenses of this product had expired.').first()
    await expect(
      expired.getByRole('link', { name: /^Contact vendor about a renewal of the web licenses of / }),
    ).toHaveAttribute('href', /^mailto:.*Please%20renew/)
  })

  await test.step('a matter that is done disappears, and Undo brings it back', async () => {
    await showAll(page)
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

test('several people get a web license at once', async ({ page }) => {
  await signIn(page, 'administrator', HOME)
  // Other journeys work with the same seats: the server says what it would do, and leaves them alone.
  const sent = new Promise<{ email: string; entitlements: string[] }[]>((resolve) => {
    void page.route('**/api/web/users/save', (route) => {
      const body = route.request().postDataJSON()
      resolve(body.users)
      return route.continue({ postData: { ...body, dryRun: true } })
    })
  })
  await page.getByRole('button', { name: 'Assign all…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assign web licenses' })
  await expect(dialog.getByRole('cell').first()).toBeVisible()
  await expectAccessibleInBothSchemes(page)
  const lines = await dialog
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .allInnerTexts()
  const names = new Set(lines.filter((line) => !line.includes('No free seat')).map((line) => line.split(/\s/)[0]))
  await dialog.getByRole('button', { name: /^Assign \d+ users?$/ }).click()
  const users = await sent
  expect(users.map(({ email }) => email)).toEqual([...names])
  for (const { entitlements } of users) expect(entitlements.length).toBeGreaterThan(0)
  await expect(page.getByText(/^\d+ users? can check out\./)).toBeVisible()
})
