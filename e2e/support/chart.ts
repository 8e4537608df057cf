import type { Locator } from '@playwright/test'

/** Chooses in the menu of a chart's card. */
export async function chooseInChart(card: Locator, item: string): Promise<void> {
  await card.getByRole('button', { name: /^Actions of / }).click()
  await card.page().getByRole('menuitem', { name: item, exact: true }).click()
}
