import { expect, test } from '@playwright/test'
import {
  assigned,
  associate,
  available,
  button,
  closeButton,
  dialog,
  HEADERS,
  newHostId,
} from '#e2e/support/activations-screen.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { signIn, signInUnseen } from '#e2e/support/sign-in.ts'
import { rowsOf } from '#e2e/support/table.ts'

const REFERENCE = '0123456789abcdef0123456789abcdef'
const PIT_LANE = '/activations?customer=100002&id=6045bd8812f3'
const CLEAR = 'Clear the error and reload the license server'

// One after the other: they save on lic-pit-lane, and a second save is refused while the first one runs.
test.describe.configure({ mode: 'default' })

test('errors name their step, and a save without an answer is continued and done once', async ({ page }) => {
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text })
  await test.step('available entitlements that fail to load are requested three times', async () => {
    let asked = 0
    await page.route('**/api/fulfillments/allentitlements', (route) => {
      asked += 1
      return route.fulfill({ status: 503, json: { status: 'FAILURE', code: 'UNAVAILABLE', err: 'Not now.' } })
    })
    await signIn(page, 'administrator', PIT_LANE)
    await expect(alert('unable to fetch available')).toBeVisible()
    // Another journey's change of this account makes the page load it once more.
    expect(asked % 3).toBe(0)
    await page.unroute('**/api/fulfillments/allentitlements')
  })
  await test.step('an error is shown with its reference id, and clearing it loads the server again', async () => {
    await page.route('**/api/fulfillments/entitlements', (route) =>
      route.fulfill({
        status: 500,
        json: { status: 'FAILURE', code: 'INTERNAL_ERROR', err: `Oh no. reference id [${REFERENCE}]` },
      }),
    )
    await button(alert('unable to fetch available'), CLEAR).click()
    const banner = alert('unable to fetch fulfilled')
    await expect(banner).toHaveText(`unable to fetch fulfilled entitlements for server 6045bd8812f3 (${REFERENCE})`)
    await expect(page.getByText('Getting Activations History...')).toHaveCount(0)
    await expect(button(page, 'Generate')).toBeDisabled()
    await page.unroute('**/api/fulfillments/entitlements')
    await button(banner, CLEAR).click()
    await expect(banner).toBeHidden()
    await expect(rowsOf(assigned(page))).not.toHaveCount(0)
    await expect(button(page, 'Generate')).toBeEnabled()
  })
  await test.step('a save that gets no answer is continued, and done once', async () => {
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/fulfillments/save')) keys.push(request.headers()['idempotency-key'])
    })
    await page.route('**/api/fulfillments/save', (route) => route.abort())
    await button(page, 'Generate').click()
    const banner = alert('Error creating license file.')
    await expect(banner).toBeVisible()
    await page.unroute('**/api/fulfillments/save')
    await button(banner, 'Continue saving').click()
    await expect(dialog(page, 'License file generated')).toBeVisible()
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size).toBe(1)
    await closeButton(dialog(page, 'License file generated')).click()
  })
  await test.step('a save that the server has stopped says at which step', async () => {
    await page.route('**/api/fulfillments/plan', async (route) => {
      const answer = await route.fetch()
      const { data } = await answer.json()
      const failure = { code: 'TOO_MANY_EMAILS', err: 'Too many emails.' }
      const finishedAt = new Date().toISOString()
      await route.fulfill({
        json: { status: 'SUCCESS', data: { ...data, state: 'failed', step: 'email', text: '', failure, finishedAt } },
      })
    })
    await button(page, 'Generate').click()
    const banner = alert('Error sending email message. Please clear the error and retry.')
    await expect(banner).toContainText('Too many emails.')
    await expect(button(banner, 'Continue saving')).toHaveCount(0)
    await expectAccessible(page)
    await button(banner, CLEAR).click()
    await expect(banner).toBeHidden()
    await expect(button(page, 'Generate')).toBeEnabled()
  })
})

test('seats that somebody else took meanwhile are refused by product; a double click saves once', async ({ page }) => {
  await signInUnseen(page, 'administrator')
  const post = async (path: string, data: object) =>
    (await page.request.post(path, { headers: HEADERS, data: { customerNumber: '100002', ...data } })).json()
  const { data: free } = await post('/api/fulfillments/allentitlements', {})
  // Journeys run in parallel, so each uses seats of its own products.
  const {
    ActivationId: id,
    ProductName,
    LineItemQuantity,
    AnsysActivated,
  } = free.find(({ ProductName }: { ProductName: string }) => ProductName === 'Optical Sensor Simulator')
  await page.goto(`${PIT_LANE}&activate=${id}`)
  await expect(available(page).getByRole('button', { name: `Remove ${ProductName} ${id}` })).toBeVisible()
  await button(page, 'Save & Generate').dblclick()
  const activate = page.getByRole('dialog').getByRole('button', { name: /^Activate \d+ seats?$/ })
  await expect(activate).toBeVisible()
  await test.step('the dialog is as long as what it shows, and nothing in it scrolls up and down by itself', async () => {
    await expect(page.getByRole('region', { name: 'Lines of the license file' })).toBeVisible()
    const lengths = await page.getByRole('dialog').evaluate((content) => {
      const heights = Array.from(content.children, (child) => child.getBoundingClientRect().height)
      const scrolling = Array.from(content.querySelectorAll('*')).filter(
        (part) => part.scrollHeight > part.clientHeight + 1 && getComputedStyle(part).overflowY === 'auto',
      )
      return {
        excess: content.scrollHeight - heights.reduce((sum, height) => sum + height, 0),
        scrolling: scrolling.map(({ className }) => className),
      }
    })
    expect(lengths.excess).toBeLessThan(5)
    expect(lengths.scrolling).toEqual([])
  })
  const own = { serverName: 'lic-faster', serverId: newHostId(), serverIdType: 'ETHERNET' }
  const activations = [{ id, count: LineItemQuantity - AnsysActivated }]
  expect(await post('/api/fulfillments/create', { ...own, activations })).toMatchObject({ status: 'SUCCESS' })
  const saves: string[] = []
  page.on('request', (request) => request.url().endsWith('/fulfillments/save') && saves.push(request.url()))
  await activate.dblclick()
  const banner = page.getByRole('alert').filter({ hasText: 'Error creating fulfillments.' })
  await expect(banner).toContainText('Activated number must be less or equal to Available number.')
  await expect(banner.getByRole('listitem')).toHaveText([`${ProductName} (${id})`])
  await expect(button(banner, 'Continue saving')).toHaveCount(0)
  expect(saves).toHaveLength(1)
  await button(banner, CLEAR).click()
  await expect(page.getByText('This entitlement has no seats left to activate.')).toBeVisible()
  await expect(button(page, 'Generate')).toBeEnabled()
})

test('Select All adds every product and takes them away; a customer denied by export compliance has no tables', async ({
  page,
}) => {
  await signIn(page, 'busops', '/activations?customer=100006')
  await expect(assigned(page)).toBeVisible()
  await test.step('Select All adds every product, reads Remove All, and takes them away again', async () => {
    const products = page.getByRole('combobox', { name: 'Products' })
    const first = page.getByRole('listbox', { name: 'Products' }).getByRole('option').first()
    await products.click()
    await expect(first).toHaveText('Select All')
    await first.click()
    await expect(first).toHaveText('Remove All')
    await page.keyboard.press('Escape')
    await expect(button(page, 'Add All')).toHaveCount(0)
    await available(page)
      .getByRole('button', { name: /^Remove / })
      .first()
      .click()
    await expect(button(page, 'Add All')).toBeVisible()
    await products.click()
    await expect(first).toHaveText('Select All')
    await first.click()
    await first.click()
    await page.keyboard.press('Escape')
    await expect(available(page).getByLabel('Activated', { exact: true })).toHaveCount(0)
    const all = assigned(page).locator('xpath=ancestor::section[1]')
    await button(all, 'Remove All').click()
    await expect(button(page, 'Save & Generate')).toBeVisible()
    await button(all, 'Undo All').click()
    await expect(button(page, 'Generate')).toBeVisible()
  })
  await test.step('an associated customer that export compliance denies has no tables', async () => {
    await associate(page, '100004')
    await expect(page.getByText('Access to this customer is denied per Export Compliance restrictions.')).toBeVisible()
    await expect(assigned(page)).toHaveCount(0)
    await expect(button(page, 'Generate')).toBeEnabled()
  })
})
