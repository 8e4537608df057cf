import { expect, type Locator, type Page, test } from '@playwright/test'
import { violations } from '#e2e/support/axe.ts'
import { walkFocus } from '#e2e/support/focus-walk.ts'
import { goWithin } from '#e2e/support/go-within.ts'
import { signIn } from '#e2e/support/sign-in.ts'
import { cellsOf, keepNoViews } from '#e2e/support/table.ts'

const ACCOUNT = 'customer=100001'
/** Screens that the menu does not lead to. */
const BEYOND_MENU = [
  'license-servers/3cecef4b7d10',
  'my-requests',
  'emails/e0000000-0000-4000-8000-100001000001',
  'notifications-category/CRITICAL',
  'notification-details/a0000000-0000-4000-8000-000000000001',
  'nopermissions',
  'error/404',
]
/** The spacing that WCAG 1.4.12 names. */
const SPACED = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`

test.beforeEach(async ({ page }) => {
  test.slow()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await keepNoViews(page)
})

test('every screen fits 320 pixels, a zoom of 200 %, text of twice its size and wider text spacing', async ({
  page,
}) => {
  const faults: string[] = []
  await forEveryScreen(page, async (path) => {
    const note = async (what: string) => faults.push(...(await overflow(page)).map((one) => `${path} ${what}: ${one}`))
    await page.setViewportSize({ width: 320, height: 640 })
    await note('at 320 pixels')
    // Zoom to 200 % halves the window in CSS pixels.
    await page.setViewportSize({ width: 640, height: 450 })
    await note('at 200 %')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.evaluate((css) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      document.adoptedStyleSheets.push(sheet)
    }, SPACED)
    await note('with wider text spacing')
    await page.evaluate('document.adoptedStyleSheets = []')
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    await note('with text of twice its size')
    await page.evaluate("document.documentElement.style.fontSize = ''")
  })
  expect(faults).toEqual([])
})

test('every screen has a title, landmarks, large targets and names that begin as they read, and nothing moves on it', async ({
  page,
}) => {
  const faults: string[] = []
  const titles = new Set<string>()
  await forEveryScreen(page, async (path) => {
    const found = await violations(page, { runOnly: ['target-size', 'label-content-name-mismatch'] })
    faults.push(...found.map((one) => `${path}: ${one}`))
    const title = await page.title()
    if (titles.has(title)) faults.push(`${path}: another screen has the title ${title}`)
    titles.add(title)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    // What loads may move, until it has loaded.
    await expect.poll(() => endlessMotion(page), `${path} moves without end`).toEqual([])
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expect(page.locator('body')).toMatchAriaSnapshot(`
      - link "Skip to content"
      - banner:
        - search
      - navigation "Main"
      - main:
        - heading [level=1]
    `)
  })
  expect(faults).toEqual([])
})

test('a tooltip stays under the pointer, and Escape closes it', async ({ page }) => {
  await signIn(page, 'busops', `/audit?${ACCOUNT}`)
  const button = page.getByRole('button', { name: 'Background exports' }).first()
  const tooltip = page.getByRole('tooltip')
  await button.hover()
  await expect(tooltip).toHaveText('Background exports')
  await tooltip.hover()
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
  await expect(tooltip).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tooltip).toHaveCount(0)
  await button.hover()
  await expect(tooltip).toBeVisible()
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(tooltip).toHaveCount(0)
})

test('the shortcuts of a single key can be turned off', async ({ page }) => {
  await signIn(page, 'busops', `/portalaccess?${ACCOUNT}`)
  const search = page.getByRole('combobox', { name: 'Account search' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await page.getByRole('button', { name: /account of/ }).click()
  const setting = page.getByRole('menuitemcheckbox', { name: 'Shortcuts / and ?' })
  await expect(setting).toBeChecked()
  await setting.click()
  await expect(setting).not.toBeChecked()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Help for this page' })).not.toHaveAttribute('aria-keyshortcuts')
  await page.keyboard.press('/')
  await page.keyboard.press('?')
  await expect(search).not.toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the keyboard passes through every screen with a focus that is seen', async ({ page }) => {
  const faults: string[] = []
  await forEveryScreen(page, async (path) => {
    await page.setViewportSize({ width: 1280, height: 600 })
    faults.push(...(await walkFocus(page)).map((one) => `${path}: ${one}`))
    await expect(page.getByRole('dialog'), 'focus opens nothing').toHaveCount(0)
    await expect(page, 'focus leads nowhere').toHaveURL(new RegExp(`/${path}\\?`))
  })
  await test.step('forced colors keep the focus visible', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    for (const path of ['home', 'portalaccess', 'ssl']) {
      await show(page, path)
      faults.push(...(await walkFocus(page)).map((one) => `${path} in forced colors: ${one}`))
    }
  })
  expect(faults).toEqual([])
})

test('forced colors draw bars and the chosen tab', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await signIn(page, 'administrator', `/elastic?${ACCOUNT}`)
  const background = (one: Locator) => one.evaluate((element) => getComputedStyle(element).backgroundColor)
  const bar = cellsOf(page.getByRole('grid', { name: 'Active Entitlements', exact: true }), 'usedpercentage')
    .locator('[style]')
    .nth(1)
  await expect(bar).toBeVisible()
  expect(await background(bar)).not.toBe(await background(page.locator('body')))
  await show(page, 'statementv2')
  const [chosen, other] = [true, false].map((selected) => page.getByRole('tab', { selected }).first())
  if (chosen && other) expect(await background(chosen)).not.toBe(await background(other))
})

test('a press that leaves its button before it ends does nothing', async ({ page }) => {
  await signIn(page, 'busops', `/portalaccess?${ACCOUNT}`)
  await page.getByRole('button', { name: 'Search the portal' }).hover()
  await page.mouse.down()
  await page.getByRole('heading', { level: 1 }).hover()
  await page.mouse.up()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Search the portal' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(1)
})

test('the accessibility report is accessible itself, and fits a phone', async ({ page }) => {
  await page.goto('/accessibility')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await violations(page, {})).toEqual([])
  }
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overflow(page)).toEqual([])
})

/** Opens every screen in one page: those that the menu shows, and then the others. */
async function forEveryScreen(page: Page, check: (path: string) => Promise<unknown>): Promise<void> {
  await signIn(page, 'busops', `/home?${ACCOUNT}`)
  const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(entries.filter({ hasText: 'Alerts' })).toBeVisible()
  const folded = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { expanded: false })
  while ((await folded.count()) > 0) await folded.first().click()
  const shown = await entries.evaluateAll((links) =>
    links.map((link) => new URL((link as HTMLAnchorElement).href).pathname.slice(1)),
  )
  const paths = [...new Set(['home', ...shown, ...BEYOND_MENU])]
  expect(paths.length).toBeGreaterThan(30)
  for (const path of paths)
    await test.step(path, async () => {
      await page.setViewportSize({ width: 1280, height: 900 })
      await show(page, path)
      await check(path)
    })
}

async function show(page: Page, path: string): Promise<void> {
  const title = page.getByRole('heading', { level: 1 })
  if (new URL(page.url()).pathname !== `/${path}`) {
    const before = await page.title()
    await goWithin(page, `/${path}?${ACCOUNT}`)
    await expect(page).not.toHaveTitle(before)
  }
  await expect(title).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '...' }).or(page.locator('[class*=skeleton]'))).toHaveCount(0)
}

/** What a style sheet animates again and again. */
function endlessMotion(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime === Infinity)
      .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 200) ?? ''),
  )
}

/** What makes the page scroll sideways. Tables and charts may scroll within themselves. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
    const room = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= room) return []
    const wide = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > room + 1)
    const [last] = wide.filter((one) => !wide.some((other) => other !== one && one.contains(other))).slice(-1)
    return [`${document.documentElement.scrollWidth} px of ${room}: ${last?.outerHTML.slice(0, 200)}`]
  })
}
