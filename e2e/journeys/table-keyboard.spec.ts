import { expect, type Locator, test } from '@playwright/test'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf, chipOf, keepNoViews } from '#e2e/support/table.ts'
import { cellAround, tableNamed, walkTo } from '#e2e/support/table-keys.ts'

test.beforeEach(({ page }) => keepNoViews(page))

const isFocused = (element: Locator) => element.evaluate((one) => one === document.activeElement)

test('the keyboard alone filters, sorts, turns the page and opens rows', async ({ page }) => {
  await signIn(page, 'viewer', '/emails?customer=100001')
  const emails = tableNamed(page, 'Emails')
  await expect(page.getByText('1–20 of 300 emails')).toBeVisible()

  await test.step('Enter or Space on a cell opens the email', async () => {
    // Other journeys send emails meanwhile. The newest one of this moment stays on the first page.
    const newest = page.getByRole('checkbox', { name: /^Show details of / }).first()
    const label = (await newest.getAttribute('aria-label')) ?? ''
    const name = label.replace('Show details of ', '')
    const cell = cellAround(emails, page.getByRole('checkbox', { name: label, exact: true })).first()
    for (const key of ['Enter', 'Space']) {
      await walkTo(page, cell)
      await expect(cell).toBeFocused()
      await page.keyboard.press(key)
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await expect(page.getByRole('main')).toBeFocused()
      await page.goBack()
      await expect(cell).toBeVisible()
      await expect(page.getByRole('main')).toBeFocused()
    }
  })

  await test.step('the keyboard sorts, filters and turns the page', async () => {
    const date = emails.getByRole('columnheader', { name: 'Date' })
    await walkTo(page, date)
    await page.keyboard.press('Enter')
    await expect(date).toHaveAttribute('aria-sort', 'ascending')
    for (const key of ['ArrowRight', 'f']) await page.keyboard.press(key)
    await expect(page.getByLabel('Subject contains')).toBeFocused()
    await page.keyboard.type('license file')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^1–20 of (?!300)\d+ emails$/)).toBeVisible()
    await expect(emails.getByRole('columnheader', { name: 'Subject' })).toBeFocused()
    await expect(chipOf(page, 'Subject contains "license file"')).toBeVisible()
    const next = page.getByRole('button', { name: 'Next page' })
    for (let steps = 0; steps < 10 && !(await isFocused(next)); steps += 1) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^21–\d+ of \d+ emails$/)).toBeVisible()
  })

  await test.step('Enter or Space expands an elastic entitlement', async () => {
    await page.getByRole('link', { name: 'Elastic Licensing' }).press('Enter')
    const active = tableNamed(page, 'Active Entitlements')
    const details = active.getByRole('button', { name: /^Details of / }).first()
    await walkTo(page, cellAround(active, page.getByRole('button', { name: /^Details of / })).first())
    for (const isOpen of [true, false]) {
      await page.keyboard.press(isOpen ? 'Enter' : 'Space')
      await expect(details).toHaveAttribute('aria-expanded', String(isOpen))
      await expect(active.getByText('Purchase order', { exact: true })).toBeVisible({ visible: isOpen })
    }
  })

  await test.step('Enter on a cell follows its link', async () => {
    await page.getByRole('link', { name: 'Alerts', exact: true }).press('Enter')
    const link = page.getByRole('link', { name: 'License files could not be generated.' })
    await walkTo(page, cellAround(tableNamed(page, 'Alerts'), link))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/notification-details\//)
    await expect(page.getByRole('main')).toContainText('License files could not be generated.')
  })
})

test('the keyboard acts within a cell, copies it and opens its dialog', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, 'viewer', '/ssl?customer=100001')
  const table = tableNamed(page, 'Active Entitlements')
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const cell = cellAround(table, page.getByRole('button', { name: /^(Copy activation ID|Copied)$/ })).first()

  await test.step('Enter copies the activation id, and says so', async () => {
    await walkTo(page, cell)
    const id = /[0-9a-f-]{36}/.exec((await cell.textContent()) ?? '')?.[0]
    await page.keyboard.press('Enter')
    await expect(cell.getByRole('button', { name: 'Copied' })).toBeVisible()
    await expect(cell.getByText('Copied')).toBeAttached()
    expect(await clipboard()).toBe(id)
    await expect(cell).toBeFocused()
  })

  await test.step('Ctrl-C copies the text of a cell', async () => {
    const start = cellsOf(table, 'startdate').first()
    await walkTo(page, start)
    await page.keyboard.press('Control+c')
    await expect.poll(clipboard).toBe(await start.textContent())
  })

  await test.step('F2 moves into the cell, Tab and the arrows between its controls, Escape back', async () => {
    await walkTo(page, cell)
    await expect(cell.getByRole('button', { name: 'Copy activation ID' })).toBeVisible()
    // No cell has two controls today.
    await cell.evaluate((element) => {
      const second = document.createElement('button')
      second.textContent = 'Second'
      element.append(second)
    })
    const press = (key: string) => page.keyboard.press(key)
    await press('F2')
    await expect(cell.getByRole('button', { name: 'Copy activation ID' })).toBeFocused()
    for (const [key, focused] of [
      ['Tab', 'Second'],
      ['Shift+Tab', 'Copy activation ID'],
      ['ArrowRight', 'Second'],
      ['ArrowRight', 'Second'],
      ['ArrowLeft', 'Copy activation ID'],
      ['ArrowDown', 'Second'],
      ['ArrowUp', 'Copy activation ID'],
      ['ArrowUp', 'Copy activation ID'],
    ] as const) {
      await press(key)
      await expect(cell.getByRole('button', { name: focused })).toBeFocused()
    }
    await press('Escape')
    await expect(cell).toBeFocused()
    await press('F2')
    await press('Tab')
    await expect(cell.getByRole('button', { name: 'Second' })).toBeFocused()
    await press('Tab')
    await expect(table.locator(':focus')).toHaveCount(0)
  })

  await test.step('the seats dialog opens from its cell and gives the focus back to it', async () => {
    const seats = page.getByRole('button', { name: /^[1-9]\d* activated: show the license servers$/ })
    const total = cellAround(table, seats).first()
    await walkTo(page, total)
    const dialog = page.getByRole('dialog', { name: 'Activated on license servers' })
    for (const key of ['Enter', 'Space']) {
      await page.keyboard.press(key)
      await expect(dialog.getByRole('columnheader', { name: 'Seats' })).toBeVisible()
      // A dialog that is closed before it has taken the focus does not give it back.
      await expect(dialog.locator(':focus')).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(total).toBeFocused()
    }
  })
})
