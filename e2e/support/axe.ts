import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What can differ between two color schemes of the same page; whatever else axe looks at is the same in both. */
const RULES_OF_COLOR = ['color-contrast', 'link-in-text-block']

/** Holds the page, as it stands now, against axe's rules in both color schemes; wait for what matters on it before. */
export async function expectAccessible(page: Page): Promise<void> {
  await switchTo(page, 'light')
  expect(await violations(page)).toEqual([])
  // A system that changes its mind is followed at once.
  await switchTo(page, 'dark')
  expect(await violations(page, RULES_OF_COLOR)).toEqual([])
}

async function switchTo(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
}

/**
 * The legacy mode judges in the page itself: the other one carries everything that passed through a second page, which
 * takes seven times as long.
 */
async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  if (rules) axe.withRules(rules)
  const found = await axe.analyze()
  return found.violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}\n  ${html}`))
}
