import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The browsers that `npm test` looks for. */
const BROWSERS = join(import.meta.dirname, '../../scripts/ready/browsers.json')
const PATHS: readonly string[] = JSON.parse(readFileSync(BROWSERS, 'utf8'))

/** The browser of this machine. Without one, Playwright uses its own download. */
export function chromiumPath(): string | undefined {
  return process.env.CHROMIUM || PATHS.find((path) => existsSync(path))
}

/** Features of Chromium that journeys do not need and that slow down every window. The headless shell has none of them. */
const IDLE_FEATURES = [
  'InitialWebUI',
  'PreloadTopChromeWebUI',
  'WebUIOmniboxPopup',
  'WebUIReloadButton',
  'WebUIToolbar',
  // Only the last list of a command line counts, so this repeats what Playwright switches off.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  `--disable-features=${IDLE_FEATURES.join()}`,
]
