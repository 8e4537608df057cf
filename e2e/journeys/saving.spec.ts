import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '#e2e/support/axe.ts'
import { addContact, button, card, emailsOn, VIEWER } from '#e2e/support/contacts-form.ts'
import { signIn } from '#e2e/support/sign-in.ts'

const HEADERS = { 'X-Requested-With': 'portal' }
const SAVED = 'Portal access has been saved.'

const panel = (page: Page, text: string) =>
  page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: text })
const boxOf = async (element: Locator) => (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

/** Every request to the operation, from now on. */
function requestsOf(page: Page, operation: string): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/${operation}`)) sent.push(request.postData() ?? '')
  })
  return sent
}

/** The center of the button. */
async function pointAt(element: Locator): Promise<{ x: number; y: number }> {
  await element.scrollIntoViewIfNeeded()
  const { x, y, width, height } = await boxOf(element)
  return { x: x + width / 2, y: y + height / 2 }
}

/**
 * Clicks on the element at this point as soon as the text appears, inside of the page, because half a second passes quickly
 * on a busy machine. Returns the label or text of the button that was hit.
 */
function clickAgainOn(page: Page, text: string, point: { x: number; y: number }): Promise<string> {
  return page.evaluate(
    async ({ text, x, y }) => {
      const { promise: isThere, resolve } = Promise.withResolvers<void>()
      const observer = new MutationObserver(() => document.body.textContent.includes(text) && resolve())
      observer.observe(document.body, { childList: true, subtree: true, characterData: true })
      await isThere
      observer.disconnect()
      const hit = document.elementFromPoint(x, y)
      const again = { bubbles: true, cancelable: true, detail: 2, clientX: x, clientY: y }
      hit?.dispatchEvent(new MouseEvent('click', again))
      const button = hit?.closest('button')
      return button?.ariaLabel ?? button?.textContent ?? ''
    },
    { text, ...point },
  )
}

test('a repeated click does not hit what moved under the pointer', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 1600 })
  const many = Array.from({ length: 12 }, (_, n) => ({ email: `one.of.many.${n}@somewhere.example`, role: VIEWER }))
  await page.route('**/api/getportalaccess', (route) => route.fulfill({ json: { status: 'SUCCESS', data: many } }))
  await page.route('**/api/setportalaccess', (route) => {
    const { newContacts: yours } = route.request().postDataJSON() as { newContacts: object[] }
    return route.fulfill({
      status: 409,
      json: {
        status: 'FAILURE',
        code: 'STALE',
        err: 'The contacts were changed meanwhile.',
        data: { current: many, yours },
      },
    })
  })
  await signIn(page, 'busops', '/portalaccess?customer=200005')
  await addContact(page, 'late@somewhere.example', VIEWER)
  const before = await emailsOn(page)
  const point = await pointAt(button(page, 'Save'))
  // The conflict panel appears above the form, which moves down.
  const hit = clickAgainOn(page, 'Saved by someone else', point)
  await page.mouse.click(point.x, point.y)
  expect(await hit).toMatch(/^Remove /)
  await expect(card(page).getByRole('table', { name: 'Both versions' })).toBeVisible()
  expect(await emailsOn(page)).toEqual(before)
})

test('a failed save says what was saved, and its retry keeps the Idempotency-Key', async ({ page }) => {
  test.slow()
  await signIn(page, 'busops', '/portalaccess?customer=200006')
  const address = '**/api/setportalaccess'
  const sent = requestsOf(page, 'setportalaccess')

  await test.step('repeated clicks send a refused save once', async () => {
    await page.route(address, (route) =>
      route.fulfill({ json: { status: 'FAILURE', err: 'The directory is closed.' } }),
    )
    await addContact(page, `unheard.${Date.now()}@somewhere.example`, VIEWER)
    const point = await pointAt(button(page, 'Save'))
    const hit = clickAgainOn(page, 'The directory is closed.', point)
    await page.mouse.click(point.x, point.y, { clickCount: 2 })
    expect(await hit).toBe('Save')
    await expect(panel(page, 'Nothing was saved. The directory is closed.')).toBeVisible()
    expect(sent).toHaveLength(1)
    // The button is inert for a moment, then works again.
    await expect(button(page, 'Save')).toBeEnabled()
    await button(page, 'Save').click()
    await expect.poll(() => sent).toHaveLength(2)
    await expect(panel(page, 'The directory is closed.')).toHaveCount(1)
    await page.unroute(address)
  })

  const keys: (string | undefined)[] = []
  await test.step('every attempt at an unanswered save has one key', async () => {
    await page.route(address, (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      return route.abort()
    })
    await expect(button(page, 'Save')).toBeEnabled()
    await button(page, 'Save').click()
    await expect(panel(page, 'Your changes may not have been saved.')).toBeVisible()
    await expect(button(page, 'Save')).toBeEnabled()
    expect(keys.length).toBeGreaterThan(1)
    const automatic = keys.length
    await button(page, 'Save').click()
    await expect.poll(() => keys.length).toBe(2 * automatic)
    await expect(button(page, 'Save')).toBeEnabled()
    expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{32}$/)]))
    await page.unroute(address)
  })

  await test.step('a changed save has a new key, and a person sees only the success of its second attempt', async () => {
    const heard: (string | undefined)[] = []
    await page.route(address, (route) => {
      heard.push(route.request().headers()['idempotency-key'])
      return heard.length === 1 ? route.abort() : route.continue()
    })
    await addContact(page, `heard.${Date.now()}@somewhere.example`, VIEWER)
    await button(page, 'Save').click()
    await expect(panel(page, SAVED)).toBeVisible()
    await expect(panel(page, 'Your changes may not have been saved.')).toHaveCount(0)
    expect(heard).toEqual([heard[0], heard[0]])
    expect(keys).not.toContain(heard[0])
  })
})

test('panels cover the content, errors stay, and a success disappears with its screen', async ({ page }) => {
  test.slow()
  await page.clock.install()
  await signIn(page, 'busops', '/portalaccess?customer=100008')
  let isRefused = true
  await page.route('**/api/setportalaccess', (route) => {
    const { newContacts } = route.request().postDataJSON() as { newContacts: object[] }
    return route.fulfill({
      json: isRefused ? { status: 'FAILURE', err: 'No.' } : { status: 'SUCCESS', data: newContacts },
    })
  })
  const save = async () => {
    const save = button(page, 'Save')
    await expect(save).toBeEnabled()
    const box = await boxOf(save)
    await save.click()
    return { expectUnmoved: async () => expect(await boxOf(save)).toEqual(box) }
  }
  await addContact(page, 'one@somewhere.example', VIEWER)
  const refused = await save()
  await expect(panel(page, 'Nothing was saved. No.')).toBeVisible()
  await refused.expectUnmoved()
  await expectAccessibleInBothSchemes(page)
  await page.clock.runFor(20_000)
  await expect(panel(page, 'Nothing was saved. No.')).toBeVisible()

  isRefused = false
  const saved = await save()
  await expect(panel(page, SAVED)).toBeVisible()
  await saved.expectUnmoved()
  // The message of the previous attempt is gone.
  await expect(panel(page, 'Nothing was saved. No.')).toHaveCount(0)
  await page.clock.runFor(9_000)
  await expect(panel(page, SAVED)).toHaveCount(0)

  await addContact(page, 'two@somewhere.example', VIEWER)
  await save()
  await expect(panel(page, SAVED)).toBeVisible()
  await page.getByRole('link', { name: 'Emails' }).click()
  await expect(page).toHaveURL(/\/emails/)
  await expect(panel(page, SAVED)).toHaveCount(0)

  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('link', { name: 'Licensing Portal Access' }).click()
  isRefused = true
  await addContact(page, 'three@somewhere.example', VIEWER)
  await save()
  await expect(panel(page, 'Nothing was saved. No.')).toBeVisible()
  await button(page, 'Cancel').click()
  await page.getByRole('link', { name: 'Emails' }).click()
  await expect(page).toHaveURL(/\/emails/)
  await expect(panel(page, 'Nothing was saved. No.')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).focus()
  await page.keyboard.press('Enter')
  await expect(panel(page, 'Nothing was saved. No.')).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
})

test('repeated clicks publish one alert, and a removed link can be restored', async ({ page }) => {
  test.slow()
  await signIn(page, 'busops', '/notifications')
  await page.getByRole('button', { name: 'New alert' }).click()
  const dialog = page.getByRole('dialog', { name: 'New alert' })
  const service = `Clicks ${Date.now()}`
  await dialog.getByLabel('Category').selectOption('CRITICAL')
  await dialog.getByRole('combobox', { name: 'Services' }).fill(service)
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: 'Description' }).fill(`${service} are counted.`)
  for (const [index, text] of ['One', 'Two'].entries()) {
    await dialog.getByRole('button', { name: 'Add link' }).click()
    await dialog.getByLabel(`Text of link ${index + 1}`).fill(text)
    await dialog.getByLabel(`Address of link ${index + 1}`).fill(`https://docs.vendor.example/${text}`)
  }
  await dialog.getByRole('button', { name: 'Remove link 1' }).dblclick()
  await expect(dialog.getByRole('deletion')).toContainText(['One', 'https://docs.vendor.example/One'])
  await expect(dialog.getByLabel('Text of link 2')).toHaveValue('Two')
  await dialog.getByRole('button', { name: 'Undo: keep link 1' }).click()
  await expect(dialog.getByLabel('Text of link 1')).toHaveValue('One')
  await dialog.getByRole('button', { name: 'Remove link 1' }).click()

  await page.route('**/api/alerts', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ json: { status: 'FAILURE', err: 'Not today.' } })
      : route.fallback(),
  )
  const publish = dialog.getByRole('button', { name: 'Publish' })
  await publish.scrollIntoViewIfNeeded()
  const box = await boxOf(publish)
  await publish.click()
  const confirmed = page.getByRole('button', { name: 'Publish alert' })
  await confirmed.click()
  await expect(dialog.getByRole('alert')).toHaveText('Nothing was saved. Not today.')
  expect(await boxOf(publish)).toEqual(box)
  await expectAccessible(page)
  await page.unroute('**/api/alerts')

  await expect(publish).toBeEnabled()
  const { x, y } = await pointAt(publish)
  const published = page.waitForResponse(
    (answer) => answer.request().method() === 'POST' && /alerts$/.test(answer.url()),
  )
  await page.mouse.click(x, y, { clickCount: 3 })
  await confirmed.click({ clickCount: 3 })
  const { data: alert } = await (await published).json()
  expect(alert.links).toEqual([{ text: 'Two', url: 'https://docs.vendor.example/Two' }])
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/notifications(\?|$)/)
  const found = await page.request.post('/api/notifications/count', {
    data: { filter: { condition: 'ALL', criteria: [{ name: 'description', method: 'STARTSWITH', value: service }] } },
    headers: HEADERS,
  })
  expect((await found.json()).data).toBe(1)
  const { id, revision } = alert
  await page.request.post(`/api/alerts/${id}/resolve`, { data: { revision }, headers: HEADERS })
})
