import { expect, test } from '@playwright/test'
import { button, dialog, HEADERS, newHostId } from '#e2e/support/activations-screen.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { chooseProduct, contracts, drafts, expectInWindow, orderFrom } from '#e2e/support/fsa-screen.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

test('a draft of one person is ordered once by another, and the contract shows it', async ({ page, browser }) => {
  const name = `Wing team ${newHostId()}`
  await signIn(page, 'salesAccess', '/entitlementsFSA?customer=100003')
  await orderFrom(page, 'first')
  await chooseProduct(page, 1, 0)
  await button(page, 'Save as draft').click()
  await expect(dialog(page, 'Save as draft').getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button(page, 'Save as draft')).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog(page, 'Save as draft').getByLabel('Name').fill(name)
  await button(page, 'Save draft').click()
  await expect(rowsOf(drafts(page)).filter({ hasText: name })).toContainText('Until the price list changes')
  await expectInWindow(page, /^Delete draft/)
  for (const format of ['CSV', 'PDF']) {
    const quote = page.waitForEvent('download')
    await button(page, `Quote of ${name} as ${format}`).click()
    expect((await quote).suggestedFilename()).toMatch(/^Q-[0-9A-F]{8}-1\.(csv|pdf)$/)
  }

  const purchaser = await (await browser.newContext()).newPage()
  await signIn(purchaser, 'licenseGenerator', '/entitlementsFSA?customer=100003&tab=order')
  await button(purchaser, `Open draft ${name}`).click()
  await expect(purchaser.getByText(`Draft “${name}”, saved by saul.access@partner.example`)).toBeVisible()
  // Nothing was changed, so nobody is asked about it.
  await purchaser.getByRole('link', { name: 'Home' }).first().click()
  await expect(purchaser).toHaveURL(/\/home/)
  await purchaser.goBack()
  await button(purchaser, `Open draft ${name}`).click()
  // The engineer changes the draft while the purchaser looks at it.
  await page.getByLabel('Count of line 1').fill('2')
  await button(page, 'Save as draft').click()
  await button(page, 'Save changes').click()
  await expect(page.getByText('The draft has been saved.')).toBeVisible()
  await button(purchaser, 'Order Now').click()
  await button(dialog(purchaser, 'Confirm the order'), 'Order Now').click()
  const version = (title: string) => purchaser.getByRole('table', { name: title })
  await expect(version('Saved by saul.access@partner.example').getByRole('cell').nth(2)).toHaveText('2')
  await expect(version('Yours').getByRole('cell').nth(2)).toHaveText('1')
  await expect(button(purchaser, 'Save mine as a new draft')).toBeVisible()
  await button(purchaser, 'Use theirs').click()
  await expect(purchaser.getByLabel('Count of line 1')).toHaveValue('2')
  await expect(version('Yours')).toHaveCount(0)

  let orders = 0
  purchaser.on('request', (request) => {
    if (request.url().endsWith('/api/entitlements')) orders += 1
  })
  await button(purchaser, 'Order Now').dblclick()
  await button(dialog(purchaser, 'Confirm the order'), 'Order Now').dblclick()
  await expect(purchaser.getByText('Entitlements successfully created.')).toBeVisible()
  expect(orders).toBe(1)
  await expect(rowsOf(drafts(purchaser)).filter({ hasText: name })).toHaveCount(0)

  await purchaser.getByRole('tab', { name: 'Entitlements' }).click()
  await rowsOf(contracts(purchaser, 'Active')).first().click()
  await expect(rowsOf(purchaser.getByRole('grid', { name: /^Orders from ENT-/ }))).not.toHaveCount(0)
  const chart = purchaser.getByRole('region', { name: /^Balance over time of ENT-/ })
  await expect(chart.getByRole('row').nth(1)).toContainText('50,000.00')
  await expect(chart.getByRole('row').last()).not.toContainText('50,000.00')
  await expectAccessible(purchaser)
  await purchaser.context().close()
})

test('a person overwrites a draft that was changed in the meantime, or saves a new one', async ({ page, browser }) => {
  const name = `Two versions ${newHostId()}`
  const count = page.getByLabel('Count of line 1')
  const yours = page.getByRole('table', { name: 'Yours' })
  const theirs = page.getByRole('table', { name: `Saved by ${PEOPLE.busops}` })
  const totalOf = (draft: string) => rowsOf(drafts(page)).filter({ hasText: draft }).locator('[data-col="cost"]')
  const saveChanges = async () => {
    await button(page, 'Save as draft').click()
    await button(page, 'Save changes').click()
    await expect(dialog(page, 'Save as draft')).toBeHidden()
  }
  await signIn(page, 'licenseGenerator', '/entitlementsFSA?customer=100003')
  await orderFrom(page, 'first')
  await chooseProduct(page, 1, 0)
  await button(page, 'Save as draft').click()
  await dialog(page, 'Save as draft').getByLabel('Name').fill(name)
  const sent = page.waitForRequest('**/api/fsa/drafts/save')
  await button(page, 'Save draft').click()
  await expect(totalOf(name)).toHaveText(/\d/)
  const cost = amount((await totalOf(name).textContent()) ?? '')

  const colleague = await (await browser.newContext()).newPage()
  await signInUnseen(colleague, 'busops')
  const { products, ...draft } = (await sent).postDataJSON()
  const post = async (path: string, data: object) => {
    const answer = await colleague.request.post(path, { headers: HEADERS, data })
    return (await answer.json()).data
  }
  const changeMeanwhile = async (ansysquantity: number) => {
    const all = await post('/api/fsa/drafts', { customerNumber: '100003' })
    const { id, revision } = all.find((one: { name: string }) => one.name === name)
    const line = { ...products[0], ansysquantity, ansysprice: (cost * ansysquantity).toFixed(2) }
    const saved = await post('/api/fsa/drafts/save', { ...draft, products: [line], id, revision })
    expect(saved).toMatchObject({ savedBy: PEOPLE.busops, revision: revision + 1 })
  }

  await test.step('Keep mine overwrites what the other has saved', async () => {
    await changeMeanwhile(2)
    await count.fill('3')
    await saveChanges()
    await expect(theirs.getByRole('cell').nth(2)).toHaveText('2')
    await expect(yours.getByRole('cell').nth(2)).toHaveText('3')
    await expect(button(page, 'Order Now')).toHaveAttribute('aria-disabled', 'true')
    await button(page, 'Keep mine').click()
    await expect(yours).toHaveCount(0)
    await expect(count).toHaveValue('3')
    await saveChanges()
    await expect(page.getByText('The draft has been saved.')).toBeVisible()
    await expect(totalOf(name)).toHaveText(money(cost * 3))
  })
  await test.step('Save mine as a new draft keeps both', async () => {
    await changeMeanwhile(5)
    await count.fill('4')
    await saveChanges()
    await expect(theirs.getByRole('cell').nth(2)).toHaveText('5')
    await expect(yours.getByRole('cell').nth(2)).toHaveText('4')
    await button(page, 'Save mine as a new draft').click()
    await expect(button(page, 'Save changes')).toHaveCount(0)
    await dialog(page, 'Save as draft').getByLabel('Name').fill(`Mine ${name}`)
    await button(page, 'Save draft').click()
    await expect(yours).toHaveCount(0)
    await expect(page.getByText(`Draft “Mine ${name}”`)).toBeVisible()
    const rows = rowsOf(drafts(page)).filter({ hasText: name })
    await expect(rows).toHaveCount(2)
    const totals = (await rows.locator('[data-col="cost"]').allTextContents()).map(amount)
    expect(totals.sort((one, another) => one - another)).toEqual([cost * 4, cost * 5])
  })
  for (const one of [`Mine ${name}`, name]) {
    await button(page, `Delete draft ${one}`).click()
    await button(page.getByRole('dialog'), 'Delete draft').click()
    await expect(button(page, `Delete draft ${one}`)).toHaveCount(0)
  }
  await colleague.context().close()
})

const amount = (text: string) => Number(text.replaceAll(',', ''))
const money = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
