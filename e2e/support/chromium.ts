import { existsSync } from 'node:fs'
import places from '#e2e/support/browsers.json' with { type: 'json' }

/** The browser of this machine; none means that Playwright uses the one that it downloaded itself. */
export function chromiumPath(): string | undefined {
  return process.env.CHROMIUM || places.find((place) => existsSync(place))
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
