import { readFile } from 'node:fs/promises'
import { type Download, expect, type Page, test } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { chooseInChart } from '#e2e/support/chart.ts'
import { chipOf, filterBy, rowsOf } from '#e2e/support/table.ts'
import { openWebScreen, rowWith } from '#e2e/support/web-licenses.ts'

const open = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()

async function choosePreset(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Date range/ }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Downloads a file by a button. */
async function fileOf(page: Page, name: string, within = page.getByRole('main')): Promise<Download> {
  const download = page.waitForEvent('download')
  await within.getByRole('button', { name }).click()
  return download
}

test('a viewer reads checkouts, peaks and advice on web licenses, and downloads them as files', async ({ page }) => {
  test.slow()
  await openWebScreen(page, 'viewer', '/web-transactions')

  await test.step('checkouts of a range are listed, running ones too, and exported', async () => {
    const checkouts = rowsOf(page.getByRole('grid', { name: 'Web license checkouts' }))
    await expect(checkouts.first()).toBeVisible()
    await page.getByLabel('Active Checkouts').check()
    await expect(checkouts.first()).toContainText('Active')
    await expect(checkouts).toHaveCount(12)
    await page.getByLabel('Active Checkouts').uncheck()

    await choosePreset(page, '1 Month')
    await filterBy(page, 'Product contains', 'Photonic')
    await expect(checkouts.first()).toContainText('Photonic Circuit Designer')
    const file = await fileOf(page, 'Export as csv file')
    expect(file.suggestedFilename()).toMatch(/^web-transactions_100001_.*\.csv$/)
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines[0]).toContain('"Start Time (UTC)"')
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.slice(1).every((line) => line.includes('Photonic Circuit Designer'))).toBe(true)

    await choosePreset(page, '3 Months')
    const question = page.getByRole('dialog', { name: 'Confirm' })
    await expect(question).toContainText('Action will clear all current filters. Do you wish to continue?')
    await question.getByRole('button', { name: 'Clear filters and change range' }).click()
    await expect(chipOf(page, 'Product contains "Photonic"')).toHaveCount(0)
  })

  await test.step('the report shows peaks against seats, use and denials', async () => {
    await open(page, 'Reporting')
    const products = page.getByRole('grid', { name: 'Use per product' })
    await expect(rowWith(products, 'Mission Systems Toolkit')).toContainText('14')
    await expect(rowsOf(page.getByRole('grid', { name: 'Use per user' })).first()).toBeVisible()
    await expect(rowsOf(page.getByRole('grid', { name: 'Denials' })).first()).toBeVisible()

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.evaluate('scrollTo(0, 0)')
    expect((await page.getByRole('region', { name: 'Use per product' }).boundingBox())?.y).toBeLessThanOrEqual(410)
    const chart = page.getByRole('region', { name: 'Peak concurrent use', exact: true })
    await chart.getByLabel('Product').click()
    await page.getByRole('option', { name: 'Mission Systems Toolkit' }).click()
    await expect(chart.getByRole('img', { name: /^Peak concurrent use of Mission Systems Toolkit/ })).toBeVisible()
    await chooseInChart(chart, 'Show as a table')
    await expect(chart.getByRole('columnheader', { name: 'Seats' })).toBeVisible()
    expect(await chart.getByRole('row', { name: / 14$/ }).count()).toBeGreaterThan(28)

    expect((await fileOf(page, 'Export as PDF')).suggestedFilename()).toMatch(/^web-report_100001_.*\.pdf$/)
    const csv = await fileOf(page, 'Export as csv file', page.getByRole('region', { name: 'Use per user' }))
    expect(csv.suggestedFilename()).toMatch(/^web-report_users_100001_.*\.csv$/)
  })

  await test.step('the optimization report compares seats with their peak and gives advice', async () => {
    await open(page, 'Optimization')
    await expect(page).toHaveURL(/\/optimization\?/)
    const licenses = page.getByRole('grid', { name: 'Web licenses' })
    await expect(rowWith(licenses, 'Mission Systems Toolkit')).toContainText('14')
    expect((await rowsOf(licenses).first().boundingBox())?.y).toBeLessThanOrEqual(300)
    await expect(rowWith(licenses, /could be released|needed|In balance/).first()).toBeVisible()
    const short = rowWith(licenses, 'Photonic Circuit Designer')
    await expect(short).toContainText(/[\d]+ more seats? (is|are) needed[\d,]+\.\d\d USD for /)
    await expect(rowsOf(page.getByRole('grid', { name: 'Elastic products' })).first()).toContainText('In balance')
    await expect(page.getByRole('img', { name: /^The seats of each web product/ })).toBeVisible()
    expect((await fileOf(page, 'Export as PDF')).suggestedFilename()).toMatch(/^optimization_100001_.*\.pdf$/)
    expect((await fileOf(page, 'Export as csv file')).suggestedFilename()).toMatch(/^optimization_100001_.*\.csv$/)
    await expect(
      short.getByRole('link', { name: /^Contact vendor about \d+ seats? of Photonic Circuit Designer$/ }),
    ).toBeVisible()
  })
})

test('an administrator lets a denied user in, with user and product filled in', async ({ page }) => {
  await openWebScreen(page, 'administrator', '/web-reporting')
  const denials = page.getByRole('grid', { name: 'Denials' })
  const unfold = async (reason: string) => {
    await filterBy(denials, 'Reason contains', reason)
    await expect(rowsOf(denials).first()).toContainText(reason)
    await rowsOf(denials).first().click()
  }

  await test.step('a user who is not assigned gets a seat', async () => {
    await unfold('User not assigned')
    await page
      .getByRole('button', { name: /^Assign .* to / })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: /^(Assign|Move) a seat$/ })
    await expect(dialog.getByRole('radio').first()).toBeVisible()
    await expectAccessibleInBothSchemes(page)
    const [, user = ''] =
      /^(\S+) gets a seat of/.exec((await dialog.getByText(/gets a seat of/).textContent()) ?? '') ?? []
    expect(user).toContain('@aerodyne.example')
    await dialog.getByRole('button', { name: /^(Assign|Move seat)$/ }).click()
    await expect(page.getByText(new RegExp(`^${user} can check out `))).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('The change was taken back.')).toBeVisible()
  })

  await test.step('a denial for lack of a seat offers to move one, to ask and to order', async () => {
    const product = 'Design Exploration'
    await filterBy(denials, 'Product contains', product)
    await unfold('No seat free')
    await expect(page.getByRole('button', { name: `Move seats of ${product}` })).toBeVisible()
    const ask = page.getByRole('link', { name: `Contact vendor about 1 web seat of ${product}` })
    await expect(ask).toHaveAttribute('href', /^mailto:.*Denied%20checkouts.*All%20seats%20of%20this%20product/)
    await page.getByRole('link', { name: `Order 1 seat of ${product} for a license server` }).click()
    const line = page.getByRole('table', { name: 'Products to order' }).getByRole('row').last()
    await expect(line.getByRole('combobox').first()).not.toHaveValue('')
    await expect(line.getByLabel('Count of line 1')).toHaveValue('1')
  })
})

test('an administrator orders the seats that the optimization report finds missing', async ({ page }) => {
  await openWebScreen(page, 'administrator', '/optimization')
  const row = rowWith(page.getByRole('grid', { name: 'Web licenses' }), 'Photonic Circuit Designer')
  const [, cost = 'no cost'] = /needed([\d,.]+) USD/.exec((await row.textContent()) ?? '') ?? []
  await row.getByRole('link', { name: /^Order \d+ seats? of Photonic Circuit Designer$/ }).click()
  const line = page.getByRole('table', { name: 'Products to order' }).getByRole('row').last()
  await expect(line).toContainText(cost)
  await expect(line.getByRole('combobox').first()).toHaveValue('Photonic Circuit Designer')
  await expect(page).not.toHaveURL(/count=/)
})
