import type { Page } from '@playwright/test'

/** Goes to an address as Back and Forward do. The page is not loaded again, which would take longer than most steps. */
export async function goWithin(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)
}
