import { expect, type Page, test } from '@playwright/test'
import { goWithin } from '#e2e/support/go-within.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { filterBy } from '#e2e/support/table.ts'

const rows = (page: Page) => page.getByRole('grid', { name: 'Emails' }).getByRole('row')
const emailAddress = (customerNumber: string, n: number) =>
  `/emails/e0000000-0000-4000-8000-${customerNumber}${String(n).padStart(6, '0')}?customer=${customerNumber}`

test('the list is paged, filtered and reset, and closed when the rights are taken away', async ({ page }) => {
  await page.route('**/config.json', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), mailDelivery: 'mailbox' } })
  })
  await signIn(page, 'support', '/emails?customer=100001')
  await expect(page.getByText('saved in the mailbox folder'), 'of an installation without a mail server').toBeVisible()
  await expect(page.getByRole('columnheader')).toContainText(['Show Details', 'Date', 'Subject', 'To'])
  await expect(page.getByText('1–20 of 300 emails')).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('21–40 of 300 emails')).toBeVisible()

  const clear = page.getByRole('button', { name: 'Clear Filters' })
  await expect(clear).toBeDisabled()
  await filterBy(page, 'Subject contains', 'with a PICTURE')
  await expect(page.getByText('1 email', { exact: true })).toBeVisible()
  await expect(rows(page).getByText('Your license file, with a picture')).toBeVisible()
  await clear.click()
  await expect(page.getByText('of 300 emails')).toBeVisible()

  await test.step('an email that is not sent yet is marked as waiting', async () => {
    await page.route('**/api/getemails', async (route) => {
      const answer = await route.fetch()
      const json = (await answer.json()) as { data: object[] }
      const data = json.data.map((email, index) => ({ ...email, delivery: index === 0 ? 'queued' : 'sent' }))
      await route.fulfill({ response: answer, json: { ...json, data } })
    })
    await page.getByRole('columnheader', { name: 'Subject' }).first().click()
    await expect(rows(page).filter({ hasText: 'Waiting' })).toHaveCount(1)
    await page.unroute('**/api/getemails')
    await page.getByRole('button', { name: 'Reset View' }).click()
    await expect(page.getByRole('button', { name: 'Reset View' })).toBeDisabled()
    await expect(rows(page).filter({ hasText: 'Waiting' })).toHaveCount(0)
  })
  await test.step('rights that are taken away while the list is open lead to /nopermissions', async () => {
    await page.route('**/api/getemails', (route) =>
      route.fulfill({ status: 403, json: { status: 'FAILURE', code: 'NOT_ALLOWED', err: 'Access is disabled.' } }),
    )
    await page.getByRole('columnheader', { name: 'Date' }).first().click()
    await expect(page).toHaveURL('/nopermissions?customer=100001')
  })
})

test('an email is opened with its body, its facts and its file', async ({ page }) => {
  await signIn(page, 'administrator', '/emails?customer=100001')
  await page.getByLabel('Show details of Your license file, with a picture').click()
  await expect(page).toHaveURL(emailAddress('100001', 1))
  const fact = (label: string) => page.locator('dt', { hasText: new RegExp(`^${label}$`) }).locator('+ dd')
  await expect(fact('To')).toHaveText('ada.admin@aerodyne.example')
  await expect(fact('Date')).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(.+\)$/)
  await expect(fact('Subject')).toHaveText('Your license file, with a picture')
  await expect(fact('Customer Number')).toHaveText('100001')
  await expect(fact('Customer Name')).toHaveText('Aerodyne Motors')

  await test.step('the body is as high as its content', async () => {
    await expect(page.frameLocator('iframe').getByRole('img', { name: 'A red square' })).toBeVisible()
    const heights = () =>
      page.locator('iframe').evaluate((element: HTMLIFrameElement) => {
        const content = element.contentDocument?.documentElement
        return [element.clientHeight, content?.scrollHeight ?? 0]
      })
    await expect.poll(async () => new Set(await heights()).size).toBe(1)
  })
  await test.step('the attached file is downloaded', async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'license_100001_00163e5a7b01.lic' }).click()
    expect((await download).suggestedFilename()).toBe('license_100001_00163e5a7b01.lic')
  })
  await test.step('another account leads to the emails of that account', async () => {
    const search = page.getByPlaceholder('Search for Account ID or Name')
    await search.fill('100002')
    await search.press('Enter')
    await expect(page).toHaveURL('/emails?customer=100002')
    await expect(rows(page)).not.toHaveCount(0)
  })
  await test.step('an email is deleted after a confirmation', async () => {
    await expect(page.getByText(/^1–20 of \d+ emails$/)).toBeVisible()
    const before = Number(/of (\d+)/.exec((await page.getByText(/^1–20 of/).textContent()) ?? '')?.[1])
    // Another journey sends the failed one again.
    const others = page.getByRole('checkbox', { name: /^Show details of (?!Statement that could not be delivered)/ })
    await others.nth(8).click()
    const remove = page.getByRole('button', { name: 'Delete', exact: true })
    await remove.click()
    await page.getByRole('dialog', { name: 'Confirm' }).getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await remove.click()
    await page.getByRole('dialog', { name: 'Confirm' }).getByRole('button', { name: 'Delete email' }).click()
    await expect(page).toHaveURL('/emails?customer=100002')
    await expect(page.getByText(`1–20 of ${before - 1} emails`)).toBeVisible()
  })
})

test('a hostile body runs and loads nothing', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('dialog', (dialog) => {
    requests.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await signIn(page, 'viewer', emailAddress('100001', 2))
  const body = page.frameLocator('iframe')
  await expect(body.getByText('The end of the mail.')).toBeVisible()
  await expect(page.locator('iframe')).toHaveAttribute(
    'sandbox',
    'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  )
  await expect(body.locator('body')).not.toHaveAttribute('data-run')
  await expect(body.locator('script, iframe, form, svg, object, embed, [onload], [onerror]')).toHaveCount(0)
  // Requests of the opened link must not leave the machine.
  await page.context().route(/evil/, (route) => route.abort())
  const opened = page.waitForEvent('popup')
  await body.getByRole('link', { name: 'A link out of the frame' }).click()
  const popup = await opened
  expect(await popup.evaluate(() => window.opener)).toBeNull()
  await popup.close()
  await expect(page).toHaveURL(emailAddress('100001', 2))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'A mail that means no good <script>alert(1)</script>',
  )
  expect(requests.filter((address) => !address.startsWith(new URL(page.url()).origin))).toEqual([])

  await test.step('viewers cannot delete the email, and see why', async () => {
    const reason = 'You do not have enough permissions for such operation.'
    const remove = page.getByRole('button', { name: 'Delete' })
    await expect(remove).toBeDisabled()
    await expect(remove).toHaveAccessibleDescription(reason)
    await remove.hover({ force: true })
    await expect(page.getByRole('tooltip')).toHaveText(reason)
  })
  await test.step('customers see that an email was not delivered, without details of the mail server', async () => {
    await goWithin(page, emailAddress('100001', 4))
    await expect(page.getByRole('status').filter({ hasText: 'could not be delivered' })).toHaveText(
      'This email could not be delivered yet.',
    )
    await expect(page.getByText('550 5.1.1')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0)
  })
  await test.step('an email that does not exist says so', async () => {
    await goWithin(page, emailAddress('100001', 999_999))
    await expect(page.getByText('This email does not exist')).toBeVisible()
    await page.getByRole('link', { name: 'Show all emails' }).click()
    await expect(page).toHaveURL('/emails?customer=100001')
  })
  await test.step('an email with another customer number in the answer leads back to the list', async () => {
    await page.route('**/api/getemail', async (route) => {
      const answer = await route.fetch()
      const json = (await answer.json()) as { data: object }
      await route.fulfill({ response: answer, json: { ...json, data: { ...json.data, customerNumber: '100002' } } })
    })
    const answered = page.waitForResponse('**/api/getemail')
    await page.getByLabel('Show details of Your license file, with a picture').click()
    await answered
    await expect(page).toHaveURL('/emails?customer=100001')
  })
})

test('staff see why an email was not delivered, and business operations send it again', async ({ page }) => {
  await signIn(page, 'busops', emailAddress('100002', 4))
  await expect(page.getByText('550 5.1.1')).toBeVisible()
  const again = page.getByRole('button', { name: 'Send again' })
  await again.click()
  const question = page.getByRole('dialog', { name: 'Confirm' })
  await expect(question).toContainText('Do you want to send the email “Statement that could not be delivered” to')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(again).toBeVisible()
  await again.click()
  await question.getByRole('button', { name: 'Send email again' }).click()
  await expect(page.getByText('The email “Statement that could not be delivered” will be sent again.')).toBeVisible()
  await expect(again).toHaveCount(0)
  await expect(page.getByText('550 5.1.1')).toHaveCount(0)
})
