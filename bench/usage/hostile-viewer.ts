import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type ServerUnderTest, startServer } from '#bench/kit/child-server.ts'
import type { OpenedDatabase } from '#bench/kit/database.ts'
import { milliseconds, ratio, table, verdict } from '#bench/kit/figures.ts'
import { percentile } from '#bench/kit/http-load.ts'
import { busyness } from '#bench/kit/machine.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { EVER, LARGEST, MONTH, READER } from '#bench/usage/dataset.ts'
import { ATTRIBUTES, PAGE, within } from '#bench/usage/page-request.ts'
import { VIEWER } from '#domain/access/roles.ts'

const HOSTILE = 'hostile@bench.example'
/** How many calls the hostile viewer has open at all times. */
const AT_ONCE = 16
const ROUNDS = 5
const SECONDS = 6
/** A person's browser sends its calls over a few connections, and people pause between screens. */
const BROWSER = { connections: 2, pause: 5 }
/** The portal counts by address: each side has its own, and the browser's calls are not to run into the rate limit. */
const addressOf = (who: Who, n: number) => (who === 'hostile' ? '192.0.2.66' : `198.51.100.${n % 250}`)

type Who = 'reader' | 'hostile'
type Call = { readonly what: string; readonly path: string; readonly body: string }

const call = (what: string, path: string, body: object): Call => ({
  what,
  path,
  body: JSON.stringify({ customerNumber: LARGEST, ...body }),
})

/** What the screen of usage transactions sends. */
const READERS: readonly Call[] = [
  call('page of 20 by time', '/api/fetchUsage', PAGE),
  call('count', '/api/fetchUsage/count', { filter: within(MONTH) }),
  call('page of 20, product contains', '/api/fetchUsage', {
    attributes: ATTRIBUTES,
    filter: within(MONTH, { name: 'Product', method: 'CONTAINS', value: 'flow' }),
    limit: 20,
  }),
  call('distinct Product', '/api/fetchUsage/distinct', { filter: within(MONTH), key: 'Product' }),
  call('elastic server', '/api/devices/elastic', {}),
]

/** 600 criteria, 20 of them with tostring, none of which any row meets: every row is held against all of them. */
const WORST = {
  condition: 'ANY',
  criteria: [
    ...Array.from({ length: 20 }, (_, n) => ({
      name: 'StartTime',
      method: 'CONTAINS',
      value: `${n}x`,
      tostring: true,
    })),
    ...Array.from({ length: 580 }, (_, n) => ({
      name: ['Product', 'User', 'Host'][n % 3],
      method: 'CONTAINS',
      value: `zq${n}`,
    })),
  ],
}
/** 600 ranges, which take long to read and to plan. */
const RANGES = {
  condition: 'ANY',
  criteria: Array.from({ length: 600 }, (_, n) => ({ name: 'Charge', method: 'RANGE', value: [-n - 1, -n - 0.5] })),
}
const HOSTILES: readonly Call[] = [
  call('page', '/api/fetchUsage', { filter: WORST, limit: 1000, sorting: [{ name: 'Length', direction: 'desc' }] }),
  call('count', '/api/fetchUsage/count', { filter: WORST }),
  call('distinct', '/api/fetchUsage/distinct', { filter: WORST, key: 'Host' }),
  call('export', '/api/fetchUsage/export', { filter: WORST }),
  call('long count', '/api/fetchUsage/count', { filter: RANGES }),
  call('all hosts', '/api/fetchUsage/distinct', { filter: within(EVER), key: 'Host' }),
  call('1,000 rows', '/api/fetchUsage', { limit: 1000, filter: within(EVER) }),
  call('30,000 rows', '/api/fetchUsage/export', { filter: within(MONTH) }),
]

/** One hostile viewer asks for the worst that a viewer may, without end: what does a reader notice of it? All take turns. */
export async function measureHostileViewer(database: OpenedDatabase, say: (line: string) => void): Promise<string> {
  await sql`insert into contact (customer_number, email, role) values (${LARGEST}, ${HOSTILE}, ${VIEWER})
    on conflict do nothing`.execute(database.db)
  const cookies = { reader: await signedIn(database, READER), hostile: await signedIn(database, HOSTILE) }
  const portal = await startServer('portal', 'usage/portal-server.ts', {
    connection: database.connection,
    dataDir: '.data-bench/portal',
    settings: { RATE_LIMIT: '3000', TRUST_PROXY: 'loopback' },
  })
  const send = senderTo(portal, cookies)
  const alone = READERS.map((): number[] => [])
  const attacked = READERS.map((): number[] => [])
  const answers = new Map<number, number>()
  try {
    await read(send, alone, 2)
    for (const taken of alone) taken.length = 0
    for (let round = 0; round < ROUNDS; round++) {
      await read(send, alone, SECONDS)
      const stop = new AbortController()
      const attack = attackUntil(stop.signal, send, answers)
      await read(send, attacked, SECONDS)
      stop.abort()
      await attack
      say(`  p95 ${milliseconds(p95(alone.flat()))} → ${milliseconds(p95(attacked.flat()))}`)
    }
  } finally {
    await portal.stop()
  }
  return report(alone, attacked, answers)
}

type Send = (who: Who, call: Call, signal?: AbortSignal) => Promise<number>

function senderTo({ port }: ServerUnderTest, cookies: Record<Who, string>): Send {
  const agents = { reader: new http.Agent({ keepAlive: true }), hostile: new http.Agent({ keepAlive: true }) }
  let sent = 0
  return (who, { path, body }, signal) =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        cookie: cookies[who],
        'x-forwarded-for': addressOf(who, sent++),
      }
      const target = { port, host: '127.0.0.1', path, method: 'POST', agent: agents[who], headers }
      const request = http.request(signal ? { ...target, signal } : target)
      request.on('error', reject).on('response', (answer) => {
        answer.on('error', reject).on('end', () => resolve(answer.statusCode ?? 0))
        answer.resume()
      })
      request.end(body)
    })
}

/** Adds how long each call took, in milliseconds. */
async function read(send: Send, taken: readonly number[][], seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  const browse = async () => {
    for (let n = 0; performance.now() < deadline; n++) {
      const which = n % READERS.length
      const begun = performance.now()
      const status = await send('reader', READERS[which] as Call)
      if (status !== 200) throw new Error(`the reader was answered ${status}`)
      taken[which]?.push(performance.now() - begun)
      await sleep(BROWSER.pause)
    }
  }
  await Promise.all(Array.from({ length: BROWSER.connections }, browse))
}

async function attackUntil(signal: AbortSignal, send: Send, answers: Map<number, number>): Promise<void> {
  const attack = async (first: number) => {
    for (let n = first; !signal.aborted; n++) {
      const status = await send('hostile', HOSTILES[n % HOSTILES.length] as Call, signal).catch(() => 0)
      if (status > 0) answers.set(status, (answers.get(status) ?? 0) + 1)
      // Who is refused gains nothing by asking again at once, but would keep this machine busy with asking.
      if (status === 429) await sleep(50)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => attack(n)))
}

const p95 = (values: readonly number[]) =>
  percentile(
    values.toSorted((one, other) => one - other),
    0.95,
  )
const p50 = (values: readonly number[]) =>
  percentile(
    values.toSorted((one, other) => one - other),
    0.5,
  )

function report(
  alone: readonly number[][],
  attacked: readonly number[][],
  answers: ReadonlyMap<number, number>,
): string {
  const rowOf = (what: string, usual: readonly number[], attacked: readonly number[]) => [
    what,
    `${milliseconds(p50(usual))} → ${milliseconds(p50(attacked))}`,
    `${milliseconds(p95(usual))} → ${milliseconds(p95(attacked))}`,
    `${ratio(p95(attacked) / p95(usual))}: ${verdict(p95(attacked) < 2 * p95(usual))}`,
  ]
  const rows = [
    ...READERS.map(({ what }, at) => rowOf(what, alone[at] ?? [], attacked[at] ?? [])),
    rowOf('all of them', alone.flat(), attacked.flat()),
  ]
  const counted = [...answers].sort().map(([status, times]) => `${times} × ${status}`)
  return [
    table(['calls of the reader', 'p50, usual → attacked', 'p95, usual → attacked', 'p95 under 2×'], rows),
    '',
    `${AT_ONCE} calls of the hostile viewer at all times: pages, counts, values and exports with filters of 600 criteria, values and pages of all time, exports of a month; answered with ${counted.join(', ')}. ${ROUNDS} interleaved rounds of ${SECONDS} s each, with the product’s own rate limit; load average of the machine at the end ${busyness().toFixed(1)}.`,
  ].join('\n')
}
