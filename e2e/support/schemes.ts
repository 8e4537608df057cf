import { expect, type Page } from '@playwright/test'
import { expectNoAxeViolations } from '#e2e/support/axe.ts'

/** The page as it stands now, in both color schemes: a system that changes its mind is followed at once. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
    await expectNoAxeViolations(page)
  }
}
