import { type Browser, chromium, type Page } from '@playwright/test'
import { median, milliseconds, ratio, table, verdict } from '#bench/kit/figures.ts'
import { busyness } from '#bench/kit/machine.ts'
import { saveResults } from '#bench/kit/results.ts'
import { CHROMIUM_ARGUMENTS, chromiumPath } from '#e2e/support/chromium.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { systemClock } from '#server/doors/clock.ts'
import { createMailer } from '#server/doors/mailer.ts'
import { openInstallation } from '#server/installation.ts'

/*
 * The tables of two builds of the browser's code in turns, on one server: script, time until rows are seen, and how a page
 * of 1,000 rows scrolls. Replaces its section of the results. `node e2e/measure/tables.ts <dist/web of before>`.
 */
const HEADING = 'Tables in the browser'
const SCREENS = ['/ssl', '/elastic', '/transactions', '/emails', '/notifications']
const CELLS = '[role=row][data-index] [role=gridcell], .ag-row [role=gridcell], tbody td'
const ROUNDS = 5
const GALLERY_PORT = 8295
const MOST_SCRIPT = 300
const MOST_TIME = 0.8

const [beforeDirectory] = process.argv.slice(2)
if (!beforeDirectory) throw new Error('Name the directory of the earlier build.')

const configFor = (port: number) =>
  readConfig({ DATA_DIR: '.data-bench-browser', PORT: String(port), RATE_LIMIT: '1000000000' })
const config = configFor(8296)
const installation = await openInstallation(config, { log: console.log })
await loadDemo(installation.db, { now: systemClock.now(), usageTransactions: config.demoUsage, progress: () => {} })
const [before, after] = await Promise.all([serve(beforeDirectory, 8296), serve('dist/web', 8297)])
process.env.GALLERY_PORT = String(GALLERY_PORT)
await import('#e2e/gallery/serve.ts')
const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGUMENTS })
try {
  const section = [await visits(browser), await scrolling(browser)].join('\n\n')
  saveResults({ sections: [[HEADING, section]] })
  console.log(section)
} finally {
  await browser.close()
  await Promise.all([before.app.close(), after.app.close()])
  await installation.close()
}
process.exit(0)

async function serve(web: string, port: number) {
  const app = await buildApp({
    ...installation,
    config: configFor(port),
    clock: systemClock,
    people: SIGN_IN_PEOPLE,
    mailer: createMailer(config),
    web,
  })
  await app.listen({ port, host: '127.0.0.1' })
  return { app, origin: `http://127.0.0.1:${port}` }
}

async function visits(to: Browser): Promise<string> {
  const rows: string[][] = []
  for (const screen of SCREENS) {
    const seen = { before: [] as Visit[], after: [] as Visit[] }
    for (let round = 0; round <= ROUNDS; round++)
      for (const [name, { origin }] of [
        ['before', before],
        ['after', after],
      ] as const) {
        const one = await visit(to, origin, `${screen}?customer=100001`)
        // The first visit warms the server up.
        if (round > 0) seen[name].push(one)
      }
    const of = (name: 'before' | 'after', figure: keyof Visit) => median(seen[name].map((one) => one[figure]))
    const share = of('after', 'content') / of('before', 'content')
    const script = of('after', 'script')
    rows.push([
      screen,
      `${of('before', 'script').toFixed(0)} kB`,
      `${script.toFixed(0)} kB`,
      verdict(script <= MOST_SCRIPT),
      milliseconds(of('before', 'content')),
      milliseconds(of('after', 'content')),
      `${ratio(share)}, ${verdict(share <= MOST_TIME)}`,
    ])
  }
  const heads = ['screen', 'script before', 'after', 'at most 300 kB', 'rows seen before', 'after', 'at most 0.8×']
  return `${table(heads, rows)}

Opened by address with an empty cache, compressed script of all files together; median of ${ROUNDS} visits in turns. Portal, database and browser share the machine.`
}

type Visit = { script: number; content: number }

async function visit(to: Browser, origin: string, path: string): Promise<Visit> {
  const context = await to.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.request.get(`${origin}/auth/login?login_hint=olivia.ops@vendor.example&returnTo=/home`)
    const begun = performance.now()
    await page.goto(origin + path)
    await page.waitForFunction(
      (cells) =>
        [...document.querySelectorAll(cells)].some(
          (one) => one.textContent !== '' && one.checkVisibility({ visibilityProperty: true }),
        ),
      CELLS,
      { polling: 'raf' },
    )
    const content = performance.now() - begun
    await page.waitForLoadState('load')
    const bytes = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    )
    return { content, script: bytes / 1000 }
  } finally {
    await context.close()
  }
}

async function scrolling(to: Browser): Promise<string> {
  const ours = await to.newPage({ viewport: { width: 1440, height: 900 } })
  await ours.goto(`http://127.0.0.1:${GALLERY_PORT}/thousand`)
  await ours.locator('[role=row][data-index] [role=gridcell]').first().waitFor()
  // What the machine can do at this moment.
  const plain = await to.newPage({ viewport: { width: 1440, height: 900 } })
  await plain.setContent(plainTable())
  const pages = [ours, plain] as const
  const seen = pages.map(() => ({ frames: [] as number[], busy: [] as number[] }))
  for (let round = 0; round < 3; round++)
    for (const [index, page] of pages.entries()) {
      await page.bringToFront()
      const { frames, busy } = await scrolled(page)
      seen[index]?.frames.push(...frames)
      seen[index]?.busy.push(busy)
    }
  const [table, floor] = seen.map(({ frames, busy }) => ({
    middle: median(frames),
    p95: frames.toSorted((one, other) => one - other)[Math.floor(frames.length * 0.95)] ?? Number.NaN,
    busy: median(busy),
  }))
  if (!table || !floor) throw new Error('nothing was scrolled')
  const told = (one: typeof table) =>
    `${milliseconds(one.middle)} per frame (median), ${milliseconds(one.p95)} (p95), ${milliseconds(one.busy)} of the main thread`
  return `A page of 1,000 rows and 15 columns, scrolled from end to end: ${(1000 / table.middle).toFixed(0)} frames per second, ${told(table)}. A plain HTML table of the same text in turns with it: ${told(floor)}. Load average of the machine ${busyness().toFixed(1)}. Target 60 frames per second (median): ${verdict(table.middle < 17)}.`
}

/** The text without anything that a table of ours can do. */
function plainTable(): string {
  const cell = (row: number, column: number) =>
    column % 3 === 1 ? row * (column + 1) : `Row ${row + 1} of ${column + 1}`
  const rows = Array.from(
    { length: 1000 },
    (_, row) => `<tr>${Array.from({ length: 15 }, (_, column) => `<td>${cell(row, column)}</td>`).join('')}</tr>`,
  )
  return `<style>table { width: 1950px; table-layout: fixed; border-collapse: collapse; font: 14px sans-serif }
    td { height: 36px; padding: 0 10px; border-bottom: 1px solid #ddd; overflow: hidden; white-space: nowrap }</style>
    <table>${rows.join('')}</table>`
}

/** How long each frame took, and how long the main thread was busy for one, in milliseconds. */
async function scrolled(page: Page): Promise<{ frames: number[]; busy: number }> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable')
  const busy = async () => {
    const { metrics } = await devTools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await busy()
  const frames = await framesOf(page)
  return { frames, busy: ((await busy()) - before) / frames.length }
}

/** How long each frame took while the window scrolled down by 60 pixels per frame. */
function framesOf(page: Page): Promise<number[]> {
  return page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        window.scrollTo(0, 0)
        const taken: number[] = []
        let last = performance.now()
        const next = (now: number) => {
          taken.push(now - last)
          last = now
          const end = document.documentElement.scrollHeight - window.innerHeight - 1
          if (window.scrollY >= end || taken.length > 1000) return resolve(taken.slice(1))
          window.scrollBy(0, 60)
          requestAnimationFrame(next)
        }
        requestAnimationFrame(next)
      }),
  )
}
