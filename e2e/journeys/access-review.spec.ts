import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { keepNoViews, rowsOf } from '#e2e/support/table.ts'

/** Its name has markup in it, and no other journey looks at it. */
const CUSTOMER = '200008'
const entries = (page: Page) => page.getByRole('grid', { name: 'Access to review' })
const entry = (page: Page, name: string) => rowsOf(entries(page)).filter({ hasText: name })

async function download(page: Page, label: string): Promise<{ name: string; content: Buffer }> {
  const arriving = page.waitForEvent('download')
  await page
    .getByRole('button', { name: new RegExp(`^${label} of the review`) })
    .first()
    .click()
  const file = await arriving
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}

test('business operations open a review, decide one by one and in bulk, finish it, and get the signed report', async ({
  page,
}) => {
  test.slow()
  await keepNoViews(page)
  await signIn(page, 'busops', `/home?customer=${CUSTOMER}`)
  const names = ['leaver', 'second', 'third'].map((name) => `${name}.${Date.now()}@review.example`)
  const headers = { 'x-requested-with': 'portal' }
  await page.request.post('/api/web/users/save', {
    headers,
    data: { customerNumber: CUSTOMER, users: names.map((email) => ({ email })) },
  })
  const [leaver = '', second = '', third = ''] = names

  await page.goto(`/access-review?customer=${CUSTOMER}`)
  await expect(rowsOf(page.getByRole('grid', { name: 'Access', exact: true })).first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Open a review' }).click()
  await expect(page.getByText(/The review is open\. It is due on \d{4}-\d\d-\d\d/)).toBeVisible()

  await entry(page, leaver)
    .getByRole('button', { name: `Take away: ${leaver}` })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Take away access' })
  await dialog.getByRole('button', { name: 'Take away' }).click()
  await expect(dialog).toContainText('Say why the access is taken away.')
  await expect(dialog.getByRole('checkbox', { name: 'Everything that the person has here' })).not.toBeChecked()
  await dialog.getByLabel('Reason').fill('<script>alert("left")</script>')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Take away' }).click()
  await expect(page.getByText('1 access taken away.')).toBeVisible()
  await expect(entry(page, leaver)).toContainText('Taken away')

  await entry(page, second)
    .getByRole('button', { name: `Keep: ${second}` })
    .click()
  await expect(entry(page, second)).toContainText('Kept')

  await page.getByText('Not decided', { exact: true }).first().click()
  await expect(entry(page, second)).toHaveCount(0)
  await entries(page).getByRole('checkbox', { name: 'Select all accesses on this page' }).check()
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(page.getByText(/\d+ access(es)? kept\./)).toBeVisible()
  await page.getByText('All', { exact: true }).first().click()
  await expect(entry(page, third)).toContainText('Kept')

  await page.goto(`/home?customer=${CUSTOMER}`)
  await expect(page.getByText('Access review: everything is decided')).toBeVisible()
  await page.getByRole('link', { name: 'Finish', exact: true }).click()
  await page.getByRole('button', { name: 'Finish review' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm' })
  await expect(question).toContainText('Everything is decided.')
  await question.getByRole('button', { name: 'Finish review' }).click()
  await expect(page.getByText('The review is finished.')).toBeVisible()

  await page.getByRole('tab', { name: 'Finished Reviews' }).click()
  await expect(page.getByRole('button', { name: /^PDF of the review/ }).first()).toBeVisible()
  await expectAccessible(page)
  const pdf = await download(page, 'PDF')
  expect(pdf.name).toMatch(/^access-review_200008_\d{4}-\d\d-\d\d_[0-9a-f]{8}\.pdf$/)
  expect(pdf.content.subarray(0, 5).toString()).toBe('%PDF-')
  const csv = await download(page, 'CSV')
  expect(csv.content.toString()).toContain(`"${leaver}","Web user"`)
  const signature = JSON.parse((await download(page, 'Signature')).content.toString()) as { files: object }
  expect(Object.keys(signature.files).sort()).toEqual([csv.name, pdf.name].sort())

  await page.getByRole('tab', { name: 'Schedule' }).click()
  await page.getByRole('combobox', { name: 'Open a review' }).click()
  await page.getByRole('option', { name: 'Every 180 days' }).click()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('The schedule has been saved.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Open a review' }).click()
  await page.getByRole('option', { name: 'By hand only' }).click()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByRole('button', { name: 'Save schedule' })).toBeDisabled()
})

test('a viewer sees nothing of it', async ({ page }) => {
  await signIn(page, 'viewer', '/access-review?customer=100001')
  await expect(page).toHaveURL(/nopermissions/)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Licensing Portal Access' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Access Review' })).toHaveCount(0)
})
