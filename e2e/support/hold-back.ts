import type { Page } from '@playwright/test'

/** Delays the calls to an address, of one method or of all, until `release` is called. */
export async function holdBack(page: Page, address: string, method?: string): Promise<{ release(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (!method || route.request().method() === method) await promise
    await route.continue()
  })
  return { release: resolve }
}
