import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { projectNode, run } from './run.mjs'

/** Where browsers are installed, the fastest for the tests first: a headless shell draws no window around the page. */
const PLACES = JSON.parse(readFileSync(new URL('./browsers.json', import.meta.url), 'utf8'))

export function isBrowserReady() {
  const chosen = process.env.CHROMIUM
  if (chosen && !existsSync(chosen)) throw new Error(`CHROMIUM names ${chosen}, which is not there`)
  return Boolean(chosen) || PLACES.some((place) => existsSync(place)) || hasPlaywrightChromium()
}

/** Playwright keeps its browsers under the revision that its version needs, and marks a finished download. */
function hasPlaywrightChromium() {
  try {
    const { browsers } = JSON.parse(readFileSync('node_modules/playwright-core/browsers.json', 'utf8'))
    const { revision } = browsers.find(({ name }) => name === 'chromium')
    return existsSync(join(playwrightFolder(), `chromium-${revision}`, 'INSTALLATION_COMPLETE'))
  } catch {
    return false
  }
}

function playwrightFolder() {
  if (process.env.PLAYWRIGHT_BROWSERS_PATH) return process.env.PLAYWRIGHT_BROWSERS_PATH
  if (process.platform === 'darwin') return join(homedir(), 'Library/Caches/ms-playwright')
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? homedir(), 'ms-playwright')
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ms-playwright')
}

export async function ensureBrowser() {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && (await installByApt())) return
  console.log('Downloading a browser for the tests ...')
  const { code } = await run(projectNode(), ['node_modules/@playwright/test/cli.js', 'install', 'chromium'])
  if (code !== 0) throw new Error('no Chromium was found, and none could be installed: set CHROMIUM to its path')
}

/** A stalled download is retried. */
const APT = ['-qq', '-o', 'Acquire::Retries=4', '-o', 'Acquire::http::Timeout=45', '-o', 'Acquire::https::Timeout=45']

async function installByApt() {
  console.log('Installing Chromium for the tests ...')
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', [...APT, 'update'], quiet)
  for (const name of ['chromium-headless-shell', 'chromium']) {
    const { code } = await run('apt-get', [...APT, 'install', '-y', name], quiet)
    if (code === 0 && isBrowserReady()) return true
  }
  return false
}
