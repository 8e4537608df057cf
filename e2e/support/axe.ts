import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The only rules whose result depends on the color scheme. */
const RULES_OF_COLOR = ['color-contrast', 'link-in-text-block']

/** What covers the page. */
const DIALOG = '[role=dialog]'

/**
 * Checks the current page with axe in both color schemes. Wait for its content first. Of a page with an open dialog only
 * the dialog is checked: the page behind it has been checked without it.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await switchTo(page, 'light')
  expect(await violations(page)).toEqual([])
  // The page follows the color scheme of the system at once.
  await switchTo(page, 'dark')
  expect(await violations(page, RULES_OF_COLOR)).toEqual([])
}

async function switchTo(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
}

/**
 * The legacy mode runs in the page itself. The default mode copies all results through a second page, which takes seven
 * times as long.
 */
async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const run = (within?: string) => {
    const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
    if (rules) axe.withRules(rules)
    if (within !== undefined) axe.include(within)
    return axe.analyze()
  }
  const hasDialog = (await page.locator(DIALOG).filter({ visible: true }).count()) > 0
  // A dialog that was closing when it was counted is gone now.
  const found = await (hasDialog ? run(DIALOG).catch(() => run()) : run())
  return found.violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}\n  ${html}`))
}
