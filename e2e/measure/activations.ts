import { chromium, type Page } from '@playwright/test'
import { CUSTOMER, DATA_DIR, fillAccount, hostId, PRODUCT } from '#bench/activations-account.ts'
import { median, milliseconds, ratio, table, verdict } from '#bench/kit/figures.ts'
import { freePort } from '#bench/kit/free-port.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { assignedRows } from '#domain/activations/seats/activation-lists.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { CHROMIUM_ARGUMENTS, chromiumPath } from '#e2e/support/chromium.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { systemClock } from '#server/doors/clock.ts'
import { openInstallation } from '#server/installation.ts'

/*
 * What a person waits for on the activations screen of an account with 2,000 hosts and 5,000 entitlements, in Chromium:
 * opening it from the menu, another host, and a save of 500 activations. The floor of a figure is the same calls sent by
 * a script in the same page, in turns, with nothing drawn. Portal, database and browser share one machine.
 * Build the web app first: `node scripts/ready.mjs web`.
 */
const ROUNDS = 7
const NEW_HOST = 'lic-bench-browser'
const CELL = '[role=grid][aria-label="Assigned Entitlements"] [role=row][data-index] [role=gridcell]'

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const config = readConfig({ PORT: String(port), DATA_DIR, LOG_LEVEL: 'silent', RATE_LIMIT: '1000000000' })
const installation = await openInstallation(config, { log: console.log })
const { db, pool } = installation
const today = dayIn('UTC', systemClock.now())
await fillAccount(db, pool, today)
await returnSeats()
const cookie = await signedIn({ db }, 'bench@vendor.example', ['busops'])
const app = await buildApp({ ...installation, config, clock: systemClock, people: [], web: 'dist/web' })
await app.listen({ port, host: '127.0.0.1' })
const hosts = await hostsWithRows()
const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGUMENTS })
try {
  await measure()
} finally {
  await browser.close()
  await app.close()
  await installation.close()
}
process.exit(0)

async function measure(): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: origin }])
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await openFromMenu(page)
  const open = await inTurns(
    () => openFromMenu(page),
    () => sendCalls(page, ['servers', 'allentitlements', 'entitlements']),
  )
  console.log(`opened ${open.map(milliseconds).join(', ')}`)
  let turn = 0
  const other = await inTurns(
    () => switchHost(page, hosts[turn++ % hosts.length]?.name ?? ''),
    () => sendCalls(page, ['entitlements']),
  )
  const rows = [
    ['opened from the menu', ...open, 1000],
    ['another host', ...other, 300],
  ] as const
  const lines = rows.map(([what, taken, slowest, floor, target]) => [
    what,
    milliseconds(taken),
    milliseconds(slowest),
    milliseconds(floor),
    ratio(taken / floor),
    `${target} ms: ${verdict(taken < target)}`,
  ])
  console.log(table(['screen', 'median', 'slowest', 'its calls alone', 'ratio', 'target'], lines))
  const newHostId = hostId(2_000_000 + Date.now()).slice(-12)
  const { count, seconds } = await saveProduct(page, newHostId)
  await returnSeats()
  console.log(
    `${count} activations from Ok to the license file: ${seconds.toFixed(1)} s, target 5 s for 500: ${verdict(seconds < 5)}`,
  )
}

/** Hosts to switch between. One whose licenses have all expired shows no rows, so it is left out. */
async function hostsWithRows(): Promise<{ name: string; id: string }[]> {
  const found: { name: string; id: string }[] = []
  for (let at = 1000; at < 2000 && found.length < 8; at++) {
    const id = hostId(at + 1)
    const answer = await fetch(`${origin}/api/fulfillments/entitlements`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, 'x-requested-with': 'portal' },
      body: JSON.stringify({ customerNumber: CUSTOMER, serverId: id, activeOnly: true }),
    })
    const { data } = await answer.json()
    if (assignedRows(data, today).length > 0) found.push({ name: `lic-${at}`, id })
  }
  return found
}

/** Returns everything that the browser has activated, also from interrupted runs, so that it is available for the next run. */
async function returnSeats(): Promise<void> {
  await pool.query(
    `insert into fulfillment (customer_number, activation_id, host_id_type, host_id, fulfill_count, fulfilled_at)
     select customer_number, f.activation_id, host_id_type, host_id, -sum(f.fulfill_count), now()
       from fulfillment f join host h using (customer_number, host_id_type, host_id)
      where customer_number = $1 and h.host_name = $2 group by 1, 2, 3, 4 having sum(f.fulfill_count) > 0`,
    [CUSTOMER, NEW_HOST],
  )
}

async function inTurns(ours: () => Promise<number>, floor: () => Promise<number>): Promise<[number, number, number]> {
  const [taken, floors]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    taken.push(await ours())
    floors.push(await floor())
  }
  return [median(taken), Math.max(...taken), median(floors)]
}

/** Milliseconds from the click in the menu to the frame that shows the first rows. */
async function openFromMenu(page: Page): Promise<number> {
  await page.goto(`${origin}/home?customer=${CUSTOMER}`)
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activate Entitlements' })
  await entry.hover()
  return timedUntilDrawn(page, () => entry.click(), '')
}

async function switchHost(page: Page, name: string): Promise<number> {
  const before = (await page.locator(CELL).first().textContent()) ?? ''
  await page.getByRole('combobox', { name: 'Server' }).fill(name)
  const option = page.getByRole('option', { name }).first()
  await option.hover()
  return timedUntilDrawn(page, () => option.click(), before)
}

/** Milliseconds from an event to the frame that shows another first row. */
async function timedUntilDrawn(page: Page, act: () => Promise<unknown>, before: string): Promise<number> {
  const measured = page.evaluate(
    ([cell, old]) =>
      new Promise<number>((resolve, reject) => {
        setTimeout(() => reject(new Error(`After 20 s the first row is still "${old}"`)), 20_000)
        const begin = () => {
          const begun = performance.now()
          const look = () => {
            const text = document.querySelector(cell)?.textContent ?? ''
            if (text && text !== old) resolve(performance.now() - begun)
            else requestAnimationFrame(look)
          }
          look()
        }
        document.addEventListener('click', begin, { capture: true, once: true })
      }),
    [CELL, before] as const,
  )
  const [taken] = await Promise.all([measured, act()])
  return taken
}

/** The calls that the screen makes, one after the other as they depend on each other: the servers first. */
async function sendCalls(page: Page, calls: readonly string[]): Promise<number> {
  return page.evaluate(
    async ([number, serverId, names]) => {
      const post = async (name: string) => {
        const extra = name === 'entitlements' ? { serverId, activeOnly: true } : {}
        const answer = await fetch(`/api/fulfillments/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-requested-with': 'portal' },
          body: JSON.stringify({ customerNumber: number, ...extra }),
        })
        return answer.json()
      }
      const begun = performance.now()
      if (names.includes('servers')) await post('servers')
      await Promise.all(names.filter((name) => name !== 'servers').map(post))
      return performance.now() - begun
    },
    [CUSTOMER, hosts[0]?.id ?? '', [...calls]] as const,
  )
}

/** Activates everything of one product on a new host, as a person does. */
async function saveProduct(page: Page, newHostId: string): Promise<{ count: number; seconds: number }> {
  await page.getByRole('button', { name: 'Add server', exact: true }).click()
  const adding = page.getByRole('dialog', { name: 'Add New Host' })
  await adding.getByLabel('Host Name').fill(NEW_HOST)
  await adding.getByLabel('Host ID', { exact: true }).fill(newHostId)
  await adding.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('combobox', { name: 'Products' }).fill(PRODUCT)
  await page.getByRole('listbox', { name: 'Products' }).getByRole('option', { name: PRODUCT, exact: true }).click()
  await page.keyboard.press('Escape')
  const total = await page.getByText(/of [\d,]+ entitlements added/).textContent()
  const count = Number(/of ([\d,]+)/.exec(total ?? '')?.[1]?.replaceAll(',', ''))
  await page.getByRole('button', { name: 'Save & Generate', exact: true }).click()
  const confirming = page.getByRole('dialog', { name: /^Confirm changes/ })
  await confirming.getByText('Signatures are added').waitFor()
  const begun = performance.now()
  await confirming.getByRole('button', { name: /^Activate [\d,]+ seats?$/ }).click()
  await page.getByText('What to do next').waitFor()
  return { count, seconds: (performance.now() - begun) / 1000 }
}
