import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The list by which `npm test` made a browser ready. */
const BROWSERS = join(import.meta.dirname, '../../scripts/ready/browsers.json')
const PLACES: readonly string[] = JSON.parse(readFileSync(BROWSERS, 'utf8'))

/** The browser of this machine; none means that Playwright uses the one that it downloaded itself. */
export function chromiumPath(): string | undefined {
  return process.env.CHROMIUM || PLACES.find((place) => existsSync(place))
}

/** Parts of a whole Chromium that journeys never look at and that start anew with every window. Its shell has none of them. */
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
