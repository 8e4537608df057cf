import { defineConfig } from '@playwright/test'
import { CHROMIUM_ARGUMENTS, chromiumPath } from '#e2e/support/chromium.ts'
import { GALLERY_PORT } from '#e2e/support/gallery.ts'
import { limit } from '#server/testing/slowness.ts'

const port = Number(process.env.E2E_PORT ?? 8190)
const address = `http://127.0.0.1:${port}`
const galleryAddress = `http://127.0.0.1:${GALLERY_PORT}`

export default defineConfig({
  testDir: 'e2e/journeys',
  // Journeys wait more than they work: a third one fits on two processors.
  workers: 3,
  fullyParallel: true,
  // Shared machines are slow at times. A journey that needed a second try is printed as flaky, and is to be mended.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  // Journeys wait for conditions. These limits only end a journey that hangs.
  timeout: limit(120_000),
  expect: { timeout: limit(30_000) },
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    baseURL: address,
    // A trace of every journey costs a third of the time: ask for it with `npx playwright test --trace on …`.
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: chromiumPath(), args: CHROMIUM_ARGUMENTS },
  },
  webServer: [
    {
      // `exec` leaves no shell in between, so that the portal notices when this run is gone.
      command: 'exec node e2e/support/serve-portal.ts',
      url: `${address}/readyz`,
      env: { PORT: String(port) },
      reuseExistingServer: false,
      // The first start creates the database and its demo data.
      timeout: limit(600_000),
      gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    },
    {
      command: 'exec node e2e/gallery/serve.ts',
      url: `${galleryAddress}/parts`,
      env: { GALLERY_PORT: String(GALLERY_PORT) },
      reuseExistingServer: false,
      timeout: limit(300_000),
    },
  ],
})
