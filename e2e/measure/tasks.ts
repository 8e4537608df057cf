import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { table } from '#bench/kit/figures.ts'
import { freePort } from '#bench/kit/free-port.ts'
import { busyness } from '#bench/kit/machine.ts'
import { saveResults } from '#bench/kit/results.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { createHand, type Device, estimatedSeconds, type Measured, MODEL } from '#e2e/measure/tasks/hand.ts'
import { addDenial, addOldServer, CUSTOMER } from '#e2e/measure/tasks/seed.ts'
import { downloadBy, SEVEN_TASKS } from '#e2e/measure/tasks/seven-tasks.ts'
import { button } from '#e2e/support/activations-screen.ts'
import { CHROMIUM_ARGUMENTS, chromiumPath } from '#e2e/support/chromium.ts'
import { signInAnew } from '#e2e/support/sign-in.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { systemClock } from '#server/doors/clock.ts'
import { createMailer } from '#server/doors/mailer.ts'
import { openInstallation } from '#server/installation.ts'

/*
 * What seven everyday tasks cost an administrator: clicks, keys and seconds, with the mouse and with the keyboard alone.
 * Replaces its section of the results. Build the web app first (`node scripts/ready.mjs web`), then
 * `node e2e/measure/tasks.ts`. With the number of a task it measures only that one, and keeps no results.
 */
const HEADING = 'Seven tasks'
const WARM_UP = [
  'activations',
  'activations-history',
  'entitlementsFSA',
  'transactions',
  'elastic-denials',
  'clscredentials',
  'portalaccess',
]

const [only] = process.argv.slice(2)
const tasks = SEVEN_TASKS.filter(({ name }) => only === undefined || name.startsWith(only))
const measured = { mouse: await measure('mouse'), keyboard: await measure('keyboard') }
const section = `${table(
  ['task', 'mouse', 'keyboard'],
  tasks.map(({ name }) => [name, effortText(measured.mouse.get(name)), effortText(measured.keyboard.get(name))]),
)}

Each task starts on Home of the demo account ${CUSTOMER} and goes the shortest way on the screens, without typed addresses. With the mouse, everything is clicked and only text is typed; with the keyboard alone, screens are opened by Ctrl-K, which also rehosts, orders and adds a contact. A pasted text counts as one key. Counts and the seconds of a person are reliable; the latter come from the keystroke-level model: ${MODEL}. “s” alone is what the script took on a warm portal: weak, because others used the machine at the same time. Load average after: ${busyness().toFixed(1)}.`
console.log(section)
if (only === undefined) saveResults({ sections: [[HEADING, section]] })
process.exit(0)

function effortText(effort: Measured | undefined): string {
  if (!effort) return 'not measured'
  const { clicks, keys, seconds } = effort
  const counts = clicks > 0 ? `${clicks} clicks, ${keys} keys` : `${keys} keys`
  return `${counts}, ${seconds.toFixed(1)} s, person ${estimatedSeconds(effort).toFixed(0)} s`
}

/** Runs the tasks with one device on a portal with fresh data, because a task changes what the next run would find. */
async function measure(device: Device): Promise<ReadonlyMap<string, Measured>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-tasks-'))
  // Started by root, the database runs as another user, who needs access to the folder.
  chmodSync(dataDir, 0o755)
  const port = Number(process.env.PORT ?? (await freePort()))
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: String(port),
    DEMO_USAGE: '20000',
    RATE_LIMIT: '1000000000',
    LOG_LEVEL: 'silent',
  })
  const installation = await openInstallation(config, { log: console.log })
  const now = systemClock.now()
  await loadDemo(installation.db, { now, usageTransactions: config.demoUsage, progress: () => {} })
  await addDenial(installation.db, now)
  const app = await buildApp({
    ...installation,
    config,
    clock: systemClock,
    people: SIGN_IN_PEOPLE,
    mailer: createMailer(config),
    web: 'dist/web',
  })
  await app.listen({ port, host: '127.0.0.1' })
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGUMENTS })
  try {
    const window = { baseURL: `http://127.0.0.1:${port}`, viewport: { width: 1440, height: 900 } }
    const staff = await (await browser.newContext(window)).newPage()
    await signInAnew(staff, 'busops')
    await addOldServer(staff)
    const page = await (await browser.newContext(window)).newPage()
    await signInAnew(page, 'administrator')
    await warmUp(page)
    const efforts = new Map<string, Measured>()
    for (const { name, run } of tasks) {
      await page.goto(`/home?customer=${CUSTOMER}`)
      await page.getByRole('heading', { name: 'Ending soon' }).waitFor()
      const hand = createHand(page, device)
      const begun = performance.now()
      try {
        await run(hand, dayIn('Europe/Berlin', now))
      } catch (error) {
        // The other tasks are measured all the same.
        console.error(device, name, error)
        continue
      }
      efforts.set(name, { ...hand.effort, seconds: (performance.now() - begun) / 1000 })
      console.log(device, name, JSON.stringify(efforts.get(name)))
    }
    return efforts
  } finally {
    await browser.close()
    await app.close()
    await installation.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Opens every screen once, and makes a PDF file, whose thread has to start. */
async function warmUp(page: Page): Promise<void> {
  for (const path of WARM_UP) {
    await page.goto(`/${path}?customer=${CUSTOMER}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  await page.goto(`/statementv2?customer=${CUSTOMER}`)
  await downloadBy(createHand(page, 'mouse'), button(page, 'Export as PDF'))
}
