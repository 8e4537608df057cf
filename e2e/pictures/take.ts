/**
 * Takes the pictures of README.md and docs/guide.md in light and dark. The portal is started for them, with demo data and
 * the clock at a fixed time: the same screens give the same pictures on any day.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, expect, type Page, type Route } from '@playwright/test'
import { freePort } from '#bench/kit/free-port.ts'
import { PICTURES } from '#e2e/pictures/screens.ts'
import { CHROMIUM_ARGUMENTS, chromiumPath } from '#e2e/support/chromium.ts'
import { signInUnseen } from '#e2e/support/sign-in.ts'

const DAY = '2026-11-17'
const FOLDER = 'docs/pictures'
const SCHEMES = ['light', 'dark'] as const
const SIZE = { width: 1440, height: 900 }
/** Text stays sharp, and a picture has less than half the size of a PNG. */
const WEBP_QUALITY = 0.9

const port = await freePort()
const portal = spawn('node', ['e2e/support/serve-portal.ts'], {
  env: { ...process.env, PORT: String(port), PORTAL_DAY: DAY },
  stdio: ['ignore', 'inherit', 'inherit'],
})
const ended = once(portal, 'exit')
const origin = `http://127.0.0.1:${port}`
const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGUMENTS })
try {
  await portalReady()
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
  for (const scheme of SCHEMES) await takeAll(browser, scheme)
} finally {
  await browser.close()
  portal.kill('SIGTERM')
  await ended
}

async function portalReady(): Promise<void> {
  while (portal.exitCode === null) {
    if (
      await fetch(`${origin}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await sleep(200)
  }
  throw new Error('The portal did not start.')
}

async function takeAll(to: Browser, scheme: (typeof SCHEMES)[number]): Promise<void> {
  const context = await to.newContext({
    baseURL: origin,
    viewport: SIZE,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Berlin',
  })
  // On a busy machine a screen can take long.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  await signInUnseen(page, 'administrator')
  await page.route('**/api/getBuildInfo', hideCommit)
  const encoder = await context.newPage()
  for (const { name, path, open } of PICTURES) {
    await page.goto(`${path}?customer=100001`)
    await (await open(page)).waitFor()
    await page.mouse.move(SIZE.width - 1, SIZE.height - 1)
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const file = join(FOLDER, `${name}-${scheme}.webp`)
    await writeFile(file, await webpOf(encoder, await settledScreen(page)))
    console.log(file)
  }
  await context.close()
}

/** The screen once nothing loads and nothing moves any more. */
async function settledScreen(page: Page): Promise<Buffer> {
  await expect(page.locator('.skeleton-line, .skeleton-rows, [aria-busy=true], .mantine-Loader-root')).toHaveCount(0, {
    timeout: 60_000,
  })
  for (let last: Buffer | undefined; ; ) {
    const screen = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    if (last?.equals(screen)) return screen
    last = screen
    await sleep(300)
  }
}

/** The pictures do not change with every commit. */
async function hideCommit(route: Route): Promise<void> {
  const { data, ...rest } = await (await route.fetch()).json()
  await route.fulfill({ json: { ...rest, data: data.replace(/ \(.*\)/, '') } })
}

/** Chromium can encode WebP, Playwright cannot. */
async function webpOf(page: Page, png: Buffer): Promise<Buffer> {
  const dataUrl = await page.evaluate(
    async ([source, quality]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob())
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', quality)
    },
    [png.toString('base64'), WEBP_QUALITY] as const,
  )
  return Buffer.from(dataUrl.split(',')[1] ?? '', 'base64')
}
