import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Holds the page, as it stands now, against axe's rules; wait for what matters on it before. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}\n  ${html}`))
  expect(found).toEqual([])
}
