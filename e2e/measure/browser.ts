import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from '@playwright/test'
import { median, milliseconds } from '#bench/kit/figures.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { CHROMIUM_ARGUMENTS, chromiumPath } from '#e2e/support/chromium.ts'
import { pinFilterRow } from '#e2e/support/table.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { generateLeases, USUAL_MIX } from '#server/demo/generated-leases.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { systemClock } from '#server/doors/clock.ts'
import { createMailer } from '#server/doors/mailer.ts'
import { openInstallation } from '#server/installation.ts'
import { claimActivationIds } from '#server/modules/entitlements/activation-ids.queries.ts'

/*
 * What a person waits for, in a real browser on a warm server: a visit by its address, rows after a click in the menu,
 * the turn of a page, a filter over 5,000 entitlements. Portal, database and browser share one machine.
 * Build the web app first: `node scripts/ready.mjs web`.
 */
const PORT = 8197
const MANY = '390001'
const ROUNDS = 5
const CELL = '[role=row][data-index] [role=gridcell]'
const config = readConfig({ DATA_DIR: '.data-bench-browser', PORT: String(PORT), RATE_LIMIT: '1000000000' })
const installation = await openInstallation(config, { log: console.log })
await loadDemo(installation.db, {
  now: systemClock.now(),
  usageTransactions: config.demoUsage,
  progress: () => {},
})
await fillLargeAccount()
const app = await buildApp({
  ...installation,
  config,
  clock: systemClock,
  people: SIGN_IN_PEOPLE,
  mailer: createMailer(config),
  web: 'dist/web',
})
await app.listen({ port: PORT, host: '127.0.0.1' })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGUMENTS })
try {
  for (const [path, ready] of [
    ['/home?customer=100001', 'h1'],
    ['/ssl?customer=100001', CELL],
    ['/transactions?customer=100001', CELL],
  ] as const)
    console.log(await visits(browser, path, ready))
  console.log(await usagePages(browser))
  console.log(await manyEntitlements(browser))
} finally {
  await browser.close()
  await app.close()
  await installation.close()
}
process.exit(0)

async function signedIn(to: Browser): Promise<Page> {
  const page = await (await to.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await page.goto(`${origin}/auth/login?login_hint=olivia.ops@vendor.example&returnTo=/home`)
  await page.locator('h1').first().waitFor()
  return page
}

/** The measures of Lighthouse, from the browser itself: paints, shifts, and how long scripts kept the page from answering. */
async function visits(to: Browser, path: string, ready: string): Promise<string> {
  const rounds: Visit[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const page = await signedIn(to)
    rounds.push(await visit(page, path, ready))
    await page.context().close()
  }
  const of = (name: keyof Visit) => median(rounds.map((one) => one[name]))
  const shown = (['firstPaint', 'largestPaint', 'blocked', 'content'] as const).map(
    (name) => `${name} ${milliseconds(of(name))}`,
  )
  return `${path}: ${shown.join(', ')}, shift ${of('shift').toFixed(3)}, script ${(of('script') / 1024).toFixed(0)} kB`
}

type Visit = Record<'firstPaint' | 'largestPaint' | 'blocked' | 'content' | 'shift' | 'script', number>

async function visit(page: Page, path: string, ready: string): Promise<Visit> {
  await page.goto('about:blank')
  const begun = performance.now()
  await page.goto(origin + path)
  await page.waitForFunction(
    (seen) => [...document.querySelectorAll(seen)].some((one) => one.checkVisibility({ visibilityProperty: true })),
    ready,
    { polling: 'raf' },
  )
  const content = performance.now() - begun
  const seen = await page.evaluate(async () => {
    const entries = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve) => {
        const found: PerformanceEntry[] = []
        new PerformanceObserver((list) => found.push(...list.getEntries())).observe({ type, buffered: true })
        requestAnimationFrame(() => setTimeout(() => resolve(found), 300))
      })
    const [paints, largest, shifts, tasks] = await Promise.all(
      ['paint', 'largest-contentful-paint', 'layout-shift', 'longtask'].map(entries),
    )
    const scripts = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return {
      firstPaint: paints?.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? 0,
      largestPaint: largest?.at(-1)?.startTime ?? 0,
      shift: (shifts ?? []).reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0),
      blocked: (tasks ?? []).reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0),
      script: scripts
        .filter(({ initiatorType, name }) => initiatorType === 'script' || name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    }
  })
  return { ...seen, content }
}

/** Milliseconds from a click to the frame that shows the other rows. */
async function clickedUntil(page: Page, button: string, cell: string): Promise<number> {
  return page.evaluate(
    ([name, place]) => {
      const text = () => document.querySelector(place as string)?.textContent
      const before = text()
      const target = document.querySelector<HTMLElement>(name as string)
      if (!target) throw new Error(`there is no ${name}`)
      const begun = performance.now()
      target.click()
      return new Promise<number>((resolve) => {
        const look = () =>
          text() === before || text() === '' ? requestAnimationFrame(look) : resolve(performance.now() - begun)
        look()
      })
    },
    [button, cell],
  )
}

/** Milliseconds from the click in the menu of an open portal to the frame that shows the first rows. */
async function openedFromMenu(page: Page, customer: string, entry: string): Promise<number> {
  await page.goto(`${origin}/home?customer=${customer}`)
  await page.locator('h1').first().waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry }).hover()
  return page.evaluate(
    ([name, drawn]) => {
      const link = [...document.querySelectorAll<HTMLElement>('nav a')].find((one) => one.textContent === name)
      if (!link) throw new Error(`there is no ${name}`)
      const begun = performance.now()
      link.click()
      return new Promise<number>((resolve) => {
        const look = () => {
          const cells = [...document.querySelectorAll(drawn)]
          if (cells.some((cell) => cell.textContent && cell.checkVisibility({ visibilityProperty: true })))
            resolve(performance.now() - begun)
          else requestAnimationFrame(look)
        }
        look()
      })
    },
    [entry, CELL] as const,
  )
}

async function usagePages(to: Browser): Promise<string> {
  const page = await signedIn(to)
  const opened: number[] = []
  for (let round = 0; round < ROUNDS; round++) opened.push(await openedFromMenu(page, '100001', 'Usage Transactions'))
  await page.getByRole('button', { name: '1 Day' }).click()
  await page.getByRole('menuitem', { name: 'Max' }).click()
  await page.getByText(/of 1\d\d,\d{3} transactions/).waitFor()
  const flips: number[] = []
  for (let turn = 0; turn < 20; turn++)
    flips.push(await clickedUntil(page, 'button[aria-label="Next page"]', '[role=row][data-index="0"] [role=gridcell]'))
  await page.context().close()
  return `usage transactions: rows ${milliseconds(median(opened))} after the click in the menu, slowest ${milliseconds(Math.max(...opened))}; page turn ${milliseconds(median(flips))}, slowest ${milliseconds(Math.max(...flips))}`
}

async function manyEntitlements(to: Browser): Promise<string> {
  const page = await signedIn(to)
  await pinFilterRow(page)
  await page.reload()
  const opened: number[] = []
  const filtered: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    opened.push(await openedFromMenu(page, MANY, 'Leases/Perpetuals'))
    const box = page.getByLabel('Entitlement contains').first()
    const total = page.getByText(/of [\d,]+ active entitlements/)
    const before = (await total.textContent()) ?? ''
    // The view of an interrupted run may still be saved.
    if (await box.inputValue()) {
      await box.fill('')
      await total.filter({ hasNotText: before }).waitFor()
    }
    const all = (await total.textContent()) ?? ''
    filtered.push(await filteredUntil(page, 'fluid'))
    await box.fill('')
    await total.filter({ hasText: all }).waitFor()
  }
  await page.context().close()
  return `5,000 entitlements: first rows ${milliseconds(median(opened))} after the click in the menu, slowest ${milliseconds(Math.max(...opened))}; filtered rows ${milliseconds(median(filtered))} after Enter, slowest ${milliseconds(Math.max(...filtered))}`
}

/** Milliseconds from Enter in the first filter, which ends the debounce, to the frame that shows other rows. */
async function filteredUntil(page: Page, text: string): Promise<number> {
  const box = page.getByLabel('Entitlement contains').first()
  await box.fill(text)
  const measured = page.evaluate(() => {
    const first = () => document.querySelector('[role=row][data-index="0"]')?.textContent
    const before = first()
    return new Promise<number>((resolve) => {
      const onEnter = () => {
        const begun = performance.now()
        const look = () => (first() === before ? requestAnimationFrame(look) : resolve(performance.now() - begun))
        look()
      }
      document.addEventListener('keydown', onEnter, { capture: true, once: true })
    })
  })
  await box.press('Enter')
  return measured
}

async function fillLargeAccount(): Promise<void> {
  const { db, pool } = installation
  const found = await db.selectFrom('account').select('name').where('customer_number', '=', MANY).executeTakeFirst()
  if (found) return
  const today = dayIn('UTC', systemClock.now())
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('account').values({ customer_number: MANY, name: 'Many', org_type: 'Direct' }).execute()
    const leases = generateLeases({ customerNumber: MANY, today, count: 5000, mix: USUAL_MIX })
    await claimActivationIds(tx, leases)
    await insertRows(tx, 'entitlement', leases)
  })
  await pool.query('analyze')
}
