import type { Page } from '@playwright/test'

/** The time by the clock of the portal, which starts every run at the same time of day. */
export async function portalTime(page: Page): Promise<Date> {
  const { date } = (await page.request.get('/healthz')).headers()
  return new Date(date ?? '')
}
