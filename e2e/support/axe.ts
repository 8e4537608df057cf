import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The only rules whose result depends on the color scheme. */
const RULES_OF_COLOR = ['color-contrast', 'link-in-text-block']

/** What covers the page. */
const DIALOG = '[role=dialog]'

/**
 * Checks the current page with axe, all but its colors. Wait for its content first. Of a page with an open dialog only the
 * dialog is checked: the page behind it has been checked without it.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const colors = RULES_OF_COLOR.map((rule) => [rule, { enabled: false }])
  expect(await violations(page, { rules: Object.fromEntries(colors) })).toEqual([])
}

/**
 * Checks the current page with axe, and its colors in both color schemes. That takes four times as long: for one state of
 * every screen, and for states with colors that are nowhere else.
 */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await switchTo(page, 'light')
  expect(await violations(page, {})).toEqual([])
  // The page follows the color scheme of the system at once.
  await switchTo(page, 'dark')
  expect(await violations(page, { runOnly: RULES_OF_COLOR })).toEqual([])
}

async function switchTo(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
}

/** AxeBuilder would send axe to the page twice per check, and wait for frames that have no scripts. */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)
type AxeOptions = Parameters<AxeBuilder['options']>[0]
type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>
type Axe = { run: (context: Document | { include: Element[] }, options: AxeOptions) => Promise<AxeResults> }

/** What axe finds. */
export async function violations(page: Page, options: AxeOptions): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  return page.evaluate(
    async ({ within, options }) => {
      const { axe } = globalThis as unknown as { axe: Axe }
      // A color on its way from one scheme to the other has too little contrast. Spinners and skeletons never end,
      // nor does what follows the scroll position instead of the time.
      await new Promise(requestAnimationFrame)
      const ending = document
        .getAnimations()
        .filter(
          ({ timeline, effect }) => timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
        )
      await Promise.allSettled(ending.map((one) => one.finished))
      const dialogs = [...document.querySelectorAll(within)].filter((one) => one.checkVisibility())
      const context = dialogs.length > 0 ? { include: dialogs } : document
      const found = await axe.run(context, { resultTypes: ['violations'], iframes: false, ...options })
      return found.violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}\n  ${html}`))
    },
    { within: DIALOG, options },
  )
}
