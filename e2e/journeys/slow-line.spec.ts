import { expect, type Page, test } from '@playwright/test'
import { holdBack } from '#e2e/support/hold-back.ts'
import { signInUnseen } from '#e2e/support/sign-in.ts'

/** Maximum layout shift. Browsers call 0.1 good; here nothing should move at all. */
const MAX_SHIFT = 0.01

/** Milliseconds and bytes per second of a poor mobile connection. */
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 }

async function onSlowLine(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', SLOW_LINE)
}

declare global {
  interface Window {
    shiftSoFar(): number
  }
}

/**
 * Adds up all shifts of every page from its beginning on, but for those of the menu and the breadcrumbs: another
 * account has other entries and another name. Elements are inspected when they shift, because some disappear later.
 */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    type Shift = { value: number; sources: readonly { node: Node | null }[] }
    const isOfNavigation = ({ sources }: Shift) =>
      sources.every(({ node }) => (node instanceof Element ? node : node?.parentElement)?.closest('nav'))
    let sum = 0
    const add = (entries: PerformanceEntryList) => {
      for (const shift of entries as unknown as Shift[]) if (!isOfNavigation(shift)) sum += shift.value
    }
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    window.shiftSoFar = () => {
      add(observer.takeRecords())
      return sum
    }
  })

/** A layout shift is reported together with the frame that it belongs to. */
const shiftOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => setTimeout(() => resolve(window.shiftSoFar()), 100)),
      ),
  )

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('the frame is there before any script, and waits for no code of the screen', async ({ page }) => {
  await signInUnseen(page, 'viewer')
  const assets = await holdBack(page, '**/assets/*')
  const code = await holdBack(page, '**/assets/leases.page-*')
  await page.goto('/ssl?customer=100001', { waitUntil: 'commit' })
  const places = page.locator('.first-frame > *')
  await expect(places).toHaveCount(3)
  const boxes = await places.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
  assets.release()
  const toolbar = page.getByRole('banner')
  await expect(toolbar).toBeVisible()
  await expect(page.locator('.first-frame')).toHaveCount(0)
  const menu = page.getByRole('navigation', { name: 'Main' })
  expect(boxes[0]).toMatchObject(await toolbar.evaluate((one) => one.getBoundingClientRect().toJSON()))
  expect(boxes[1]).toMatchObject(await menu.evaluate((one) => one.getBoundingClientRect().toJSON()))

  await expect(heading(page, 'Leases/Perpetuals')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('Aerodyne Motors')
  await expect(menu.getByRole('link', { name: 'Elastic Licensing' })).toBeVisible()
  await expect(page.locator('.skeleton-rows')).toBeVisible()
  code.release()
  await expect(page.getByRole('grid', { name: 'Active Entitlements', exact: true })).toBeVisible()
})

const isListed = async (page: Page, ...names: readonly string[]) => {
  for (const name of names)
    await expect(page.getByRole('grid', { name, exact: true })).toHaveAttribute('aria-busy', 'false')
}

/** Waits until everything is drawn that comes with data of the account. */
const DRAWN = {
  '/home': (page: Page) =>
    expect(page.getByRole('main').getByRole('heading', { name: 'To do', exact: true })).toBeVisible(),
  '/ssl': (page: Page) => isListed(page, 'Active Entitlements', 'Inactive Entitlements'),
}

test(`${Object.keys(DRAWN).join(' and ')} do not jump on a slow line, nor when the account changes`, async ({
  page,
}) => {
  test.slow()
  await signInUnseen(page, 'administrator')
  await onSlowLine(page)
  await watchShifts(page)
  for (const [path, isDrawn] of Object.entries(DRAWN)) {
    await page.goto(`${path}?customer=100001`)
    await isDrawn(page)
    expect(await shiftOf(page), `of the first load of ${path}`).toBeLessThanOrEqual(MAX_SHIFT)

    const picker = page.getByPlaceholder('Search for Account ID or Name')
    await picker.fill('100002')
    await picker.press('Enter')
    await expect(page).toHaveURL(`${path}?customer=100002`)
    await expect(picker).toHaveValue('100002 (Aerodyne Racing)')
    await isDrawn(page)
    expect(await shiftOf(page), `of both accounts on ${path}`).toBeLessThanOrEqual(MAX_SHIFT)
  }
})

/** Waits until everything is drawn on screens with parts that come later than others. */
const DRAWN_IN_PARTS = {
  '/transactions': async (page: Page) => {
    await expect(page.getByText('Last received transaction:')).toContainText(/\d{4}-\d\d-\d\d/)
    await isListed(page, 'Usage transactions')
  },
  '/optimization': (page: Page) => isListed(page, 'Web licenses', 'Elastic products'),
  '/web-reporting': (page: Page) => isListed(page, 'Use per product', 'Use per user', 'Denials'),
  '/elastic': async (page: Page) => {
    await expect(page.getByRole('img', { name: /^Bars of the units used/ }).first()).toBeVisible()
    await isListed(page, 'Active Entitlements')
  },
  '/license-use': async (page: Page) => {
    await expect(page.getByText('has not reported since')).toBeVisible()
    await isListed(page, 'Features', 'Denials')
  },
  '/statementv2': (page: Page) => isListed(page, 'Usage by purchase order', 'Usage by product'),
  '/planner': (page: Page) => isListed(page, 'Products to renew'),
  '/clscredentials': (page: Page) => expect(page.getByRole('textbox', { name: 'PIN', exact: true })).toBeVisible(),
}

for (const [what, width] of [
  ['a desktop', 1280],
  ['a phone', 390],
] as const)
  test(`${Object.keys(DRAWN_IN_PARTS).join(', ')} do not jump on ${what} with a slow line`, async ({ page }) => {
    test.slow()
    await page.setViewportSize({ width, height: 800 })
    await signInUnseen(page, 'administrator')
    await onSlowLine(page)
    await watchShifts(page)
    for (const [path, isDrawn] of Object.entries(DRAWN_IN_PARTS)) {
      await page.goto(`${path}?customer=100001`)
      await isDrawn(page)
      expect(await shiftOf(page), path).toBeLessThanOrEqual(MAX_SHIFT)
    }
  })
