import type { Page } from '@playwright/test'

/** Delays the calls to an address until `release` is called. */
export async function holdBack(page: Page, address: string): Promise<{ release(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return { release: resolve }
}
