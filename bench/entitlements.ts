import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import { freePort } from '#bench/kit/free-port.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { activeEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import { leaseFilter, type TypedFilter } from '#contract/entitlements/lease-filter.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { kindsOf } from '#domain/entitlements/kind.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { generateLeases, USUAL_MIX } from '#server/demo/generated-leases.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { systemClock } from '#server/doors/clock.ts'
import { createMailer } from '#server/doors/mailer.ts'
import { rememberCallers } from '#server/identity/remembered-callers.ts'
import { openInstallation } from '#server/installation.ts'
import { fetchPage } from '#server/lists/list-page.ts'
import { claimActivationIds } from '#server/modules/entitlements/activation-ids.queries.ts'
import { entitlementSource } from '#server/modules/entitlements/entitlement.list.ts'

/*
 * An account with 5,000 entitlements: a page of 20 through the whole portal against the same SQL behind a bare Node
 * server, and how long every filter of the screen takes.
 */
const CUSTOMER = '300001'
const ENTITLEMENTS = 5000
const CONNECTIONS = 16
const ROUNDS = 5
const SECONDS = 3
const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })

const portal = await freePort()
const config = readConfig({
  PORT: String(portal),
  DATA_DIR: '.data-bench-entitlements',
  LOG_LEVEL: 'silent',
  RATE_LIMIT: '1000000000',
})
const installation = await openInstallation(config, { log: console.log })
const { db, pool } = installation
const today = dayIn('UTC', systemClock.now())
await fill()
const cookie = await signedIn({ db }, 'bench@vendor.example', ['busops'])

const app = await buildApp({
  ...installation,
  config,
  clock: systemClock,
  people: [],
  mailer: createMailer(config),
  callers: rememberCallers,
})
await app.listen({ port: portal, host: '127.0.0.1' })
const bare = await bareServer()

const body = { customerNumber: CUSTOMER, type: 'SSL', state: 'Deployed', limit: 20 }
const page = () => post(portal, activeEntitlementList.page.path, body)
if (JSON.parse(await page()).data.length !== 20) throw new Error('the page has not 20 rows')

const rounds: { portal: Load[]; bare: Load[] } = { portal: [], bare: [] }
for (let round = 0; round < ROUNDS; round++) {
  rounds.portal.push(await loadOf(page))
  rounds.bare.push(await loadOf(() => post(bare.port, '/', body)))
}
const [ours, theirs] = [median(rounds.portal), median(rounds.bare)]
const told = ({ perSecond, cpu }: Load) =>
  `${perSecond.toFixed(0)}/s (${cpu.toFixed(2)} ms CPU each, the caller's included)`
console.log(`page of 20, ${CONNECTIONS} connections: portal ${told(ours)}, bare ${told(theirs)}`)
console.log(`portal against bare: ${(ours.perSecond / theirs.perSecond).toFixed(2)}`)

const typed: readonly TypedFilter[] = [
  { column: 'ansysproduct', method: 'CONTAINS', text: 'fluid' },
  { column: 'ansyslicensemodel', method: 'CONTAINS', text: 'network' },
  { column: 'ansyslicensemodel', method: 'CONTAINS', text: 'node' },
  { column: 'ansyscount', method: 'EQUALS', text: '25' },
  { column: 'startdate', method: 'CONTAINS', text: '-01-' },
  { column: 'enddate', method: 'CONTAINS', text: 'Maintenance ends on' },
  { column: 'remainingdays', method: 'EQUALS', text: '30' },
  { column: 'remainingdays', method: 'CONTAINS', text: 'PERMANENT' },
]
for (const one of typed) {
  const filter = leaseFilter([one], today)
  const times: number[] = []
  for (let run = 0; run < 25; run++) {
    const from = performance.now()
    await post(portal, activeEntitlementList.page.path, { ...body, filter })
    times.push(performance.now() - from)
  }
  times.sort((a, b) => a - b)
  console.log(
    `${one.column} ${one.method} '${one.text}': median ${times[12]?.toFixed(1)} ms, slowest ${times[24]?.toFixed(1)} ms`,
  )
}

bare.close()
await app.close()
await installation.close()

async function fill(): Promise<void> {
  const found = await db.selectFrom('account').select('name').where('customer_number', '=', CUSTOMER).executeTakeFirst()
  if (found) return
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('account').values({ customer_number: CUSTOMER, name: 'Bench' }).execute()
    const leases = generateLeases({ customerNumber: CUSTOMER, today, count: ENTITLEMENTS, mix: USUAL_MIX })
    await claimActivationIds(tx, leases)
    await insertRows(tx, 'entitlement', leases)
  })
  await pool.query('analyze')
}

/** The SQL of the portal's page, prepared by hand: no sign-in, no validation, no list engine. */
async function bareServer(): Promise<{ port: number; close(): void }> {
  const queries: { sql: string; parameters: readonly unknown[] }[] = []
  const watched = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      queries.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  const scope = { customerNumber: CUSTOMER, kinds: kindsOf('SSL'), isActive: true, today }
  await fetchPage(watched, entitlementSource, scope, { limit: 20 })
  const [query] = queries
  if (!query) throw new Error('no SQL was seen')
  const server = http.createServer((request, response) => {
    request.resume()
    pool.query(query.sql, [...query.parameters]).then(({ rows }) => {
      response.setHeader('content-type', 'application/json')
      response.end(`{"status":"SUCCESS","data":[${rows[0]?.text}],"token":null}`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

type Load = { perSecond: number; cpu: number }

async function loadOf(call: () => Promise<unknown>): Promise<Load> {
  const before = process.cpuUsage()
  const end = Date.now() + SECONDS * 1000
  let done = 0
  const loop = async () => {
    while (Date.now() < end) {
      await call()
      done++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, loop))
  const { user, system } = process.cpuUsage(before)
  return { perSecond: done / SECONDS, cpu: (user + system) / 1000 / done }
}

function post(port: number, path: string, content: unknown): Promise<string> {
  const text = JSON.stringify(content)
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      cookie,
    }
    const request = http.request({ port, path, method: 'POST', host: '127.0.0.1', agent, headers }, (response) => {
      let answer = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        answer += piece
      })
      response.on('end', () => (response.statusCode === 200 ? resolve(answer) : reject(new Error(answer))))
    })
    request.on('error', reject)
    request.end(text)
  })
}

function median(loads: readonly Load[]): Load {
  const sorted = [...loads].sort((one, other) => one.perSecond - other.perSecond)
  return sorted[Math.floor(sorted.length / 2)] ?? { perSecond: 0, cpu: 0 }
}
