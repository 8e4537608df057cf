import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerUnderTest, startServer } from '#bench/kit/child-server.ts'
import type { OpenedDatabase } from '#bench/kit/database.ts'
import { debugLog } from '#bench/kit/debug-log.ts'
import { milliseconds, ratio, table, verdict } from '#bench/kit/figures.ts'
import { percentile } from '#bench/kit/http-load.ts'
import { busyness } from '#bench/kit/machine.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { CHECKOUTS } from '#bench/usage/checkouts.ts'
import { EVER, LARGEST, MONTH, READER } from '#bench/usage/dataset.ts'
import {
  ATTACKED_SERVER,
  ENTITLEMENTS,
  ensureHostileData,
  LOG_MEGABYTES,
  LOGGED,
  LOGGED_MONTH,
  REQUESTS,
  SERVER,
  sendLog,
} from '#bench/usage/hostile-data.ts'
import { ATTRIBUTES, PAGE, within } from '#bench/usage/page-request.ts'
import { allEntitlements } from '#contract/activations/seats/activations.ts'
import { auditList, exportAuditLines } from '#contract/audit/audit.ts'
import { getRunOutForecast } from '#contract/elastic/balances/run-out-forecast.ts'
import { getChargeback } from '#contract/elastic/statements/chargeback.ts'
import { getStatement, getStatementPdf } from '#contract/elastic/statements/statements.ts'
import { getAccountHome } from '#contract/home/account-home.ts'
import { getAccountsHome } from '#contract/home/accounts-home.ts'
import { licenseDenialList } from '#contract/license-use/denials.ts'
import { getFeatureUse, getLicenseUse, getLicenseUsePdf } from '#contract/license-use/license-use.ts'
import { sendObservations } from '#contract/license-use/observations.ts'
import { startLogUpload, uploadLogPart } from '#contract/license-use/uploads.ts'
import { getOptimization, getOptimizationPdf } from '#contract/optimization/optimization.ts'
import { getPlanner, getWhatIf } from '#contract/planner/planner.ts'
import { requestList } from '#contract/requests/requests.ts'
import { search } from '#contract/search/search.ts'
import { getWebReport, getWebReportPdf } from '#contract/web-licenses/web-report.ts'
import { deliveryList } from '#contract/webhooks/webhooks.ts'
import { SERVICE_SCOPES } from '#domain/access/roles.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { insertServiceKey } from '#server/identity/service-keys.queries.ts'
import { createServiceKey } from '#server/identity/service-keys.ts'

/** A member of the vendor's staff, so that every read is allowed. */
const HOSTILE = 'hostile@bench.example'
/** How many calls the hostile caller has open at all times. */
const AT_ONCE = 16
const BATCH = 5_000
/** Length of a log that the hostile caller sends. */
const LOG = 1024 * 1024
/** Duration of one kind of attack. Before each, a reader is measured alone. */
const SECONDS = { alone: 1.5, attacked: 3 }
/** A person's browser sends its calls over a few connections, and people pause between screens. */
const BROWSER = { connections: 2, pause: 5 }
/** The portal counts by address: each side has its own, and the browser's calls are not to run into the rate limit. */
const addressOf = (who: Who, n: number) => (who === 'reader' ? `198.51.100.${n % 250}` : '192.0.2.66')

type Who = 'reader' | 'hostile' | 'service'
type Call = {
  readonly method: string
  readonly path: string
  /** Bodies to send in turn, where they must differ from call to call. */
  readonly bodies?: readonly (string | Buffer)[]
  readonly type?: string
}

const call = (path: string, body: object): Call => ({
  method: 'POST',
  path,
  bodies: [JSON.stringify({ customerNumber: LARGEST, ...body })],
})

/** What the screen of usage transactions sends. */
const READERS: readonly Call[] = [
  call('/api/fetchUsage', PAGE),
  call('/api/fetchUsage/count', { filter: within(MONTH) }),
  call('/api/fetchUsage', {
    attributes: ATTRIBUTES,
    filter: within(MONTH, { name: 'Product', method: 'CONTAINS', value: 'flow' }),
    limit: 20,
  }),
  call('/api/fetchUsage/distinct', { filter: within(MONTH), key: 'Product' }),
  call('/api/devices/elastic', {}),
]

/** 600 criteria, 20 of them with tostring, none of which any row meets: every row is held against all of them. */
const worst = (time: string, texts: readonly string[]) => ({
  condition: 'ANY',
  criteria: [
    ...Array.from({ length: 20 }, (_, n) => ({ name: time, method: 'CONTAINS', value: `${n}x`, tostring: true })),
    ...Array.from({ length: 580 }, (_, n) => ({
      name: texts[n % texts.length],
      method: 'CONTAINS',
      value: `zq${n}`,
    })),
  ],
})
const WORST = worst('StartTime', ['Product', 'User', 'Host'])
/** 600 ranges, which take long to read and to plan. */
const RANGES = {
  condition: 'ANY',
  criteria: Array.from({ length: 600 }, (_, n) => ({ name: 'Charge', method: 'RANGE', value: [-n - 1, -n - 0.5] })),
}
const LISTS: readonly Call[] = [
  call('/api/fetchUsage', { filter: WORST, limit: 1000, sorting: [{ name: 'Length', direction: 'desc' }] }),
  call('/api/fetchUsage/count', { filter: WORST }),
  call('/api/fetchUsage/distinct', { filter: WORST, key: 'Host' }),
  call('/api/fetchUsage/export', { filter: WORST }),
  call('/api/fetchUsage/count', { filter: RANGES }),
  call('/api/fetchUsage/distinct', { filter: within(EVER), key: 'Host' }),
  call('/api/fetchUsage', { limit: 1000, filter: within(EVER) }),
  call('/api/fetchUsage/export', { filter: within(MONTH) }),
]

/** Everything that can be asked of a list. */
const listCalls = (
  { page, count, distinct, exportCsv, operations }: List,
  filter: object,
  key: string,
  more: object = {},
) => [
  call(page.path, { ...more, filter, limit: 1000 }),
  call(count.path, { ...more, filter }),
  call(distinct.path, { ...more, filter, key }),
  call(page.path, { ...more, limit: 1000 }),
  ...(operations.includes(exportCsv) ? [call(exportCsv.path, more)] : []),
]
type Path = { readonly path: string }
type List = Record<'page' | 'count' | 'distinct' | 'exportCsv', Path> & { readonly operations: readonly Path[] }

const TWO_YEARS = { from: '2024-11-01', to: '2026-10-31' }
/** Each batch has new ids, so that it is booked. */
const usageBatch = (n: number) => ({
  transactions: Array.from({ length: BATCH }, (_, at) => ({
    id: `hostile-${Date.now()}-${n}-${at}`,
    serverId: `cls-bench-${300_001 + (at % 200)}`,
    product: 'Fluid Flow Pro',
    productCount: 1,
    username: `user-${at % 40}`,
    host: `ws-${at % 80}`,
    startTime: new Date(Date.now() - 7_200_000).toISOString(),
    endTime: new Date(Date.now() - 3_600_000).toISOString(),
    activationId: `bench-${300_001 + (at % 200)}`,
    charge: '0.01',
  })),
})
/** Every record changes each time. */
const productBatch = (n: number) => ({
  records: Array.from({ length: 1_000 }, (_, at) => ({
    partNumber: `BENCH-${at}`,
    name: `Bench product ${at}, ${Date.now()}-${n}`,
    itemNumber: `bench-${at}`,
    daemon: 'ansyslmd',
    featureNames: ['bench'],
  })),
})

/** Prepared before the measurement, because this process measures too. */
const batches = (make: (n: number) => object, count = 40) =>
  Array.from({ length: count }, (_, n) => Buffer.from(JSON.stringify(make(n))))

/** A log of a week, of which each is about another one. */
const logOf = (n: number) => {
  const [log] = debugLog(LOG, { from: addDays('2025-01-01', n * 7), days: 7, part: LOG })
  return Buffer.from(log ?? [])
}
const observed = (n: number) => ({
  customerNumber: LARGEST,
  serverId: ATTACKED_SERVER,
  observations: [{ text: logOf(n).toString(), file: `observed-${n}.log` }],
})
const BOUNDARY = 'bench-boundary'
const uploadIds = Array.from({ length: 12 }, () => randomUUID())
const parts = () =>
  uploadIds.map((uploadId, n) => {
    const fields = { customerNumber: LARGEST, uploadId, position: '0' }
    const lines = Object.entries(fields).map(
      ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const file = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="file"\r\n\r\n`
    return Buffer.concat([Buffer.from(lines.join('') + file), logOf(20 + n), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  })
const uploads = (): readonly Call[] => [
  { method: 'POST', path: uploadLogPart.path, bodies: parts(), type: `multipart/form-data; boundary=${BOUNDARY}` },
  {
    method: 'POST',
    path: startLogUpload.path,
    bodies: uploadIds.map((uploadId, n) =>
      JSON.stringify({ customerNumber: LARGEST, serverId: ATTACKED_SERVER, uploadId, fileName: `log-${n}`, size: LOG }),
    ),
  },
]

type Kind = { readonly what: string; readonly who: 'hostile' | 'service'; readonly calls: readonly Call[] }
const reads = (what: string, ...calls: readonly Call[]): Kind => ({ what, who: 'hostile', calls })
const kinds = (): readonly Kind[] => [
  reads('lists, filters of 600 criteria', ...LISTS),
  reads('web report', call(getWebReport.path, TWO_YEARS)),
  reads('web report, PDF', call(getWebReportPdf.path, TWO_YEARS)),
  reads('optimization', call(getOptimization.path, TWO_YEARS)),
  reads('optimization, PDF', call(getOptimizationPdf.path, TWO_YEARS)),
  reads('chargeback by user', call(getChargeback.path, { ...TWO_YEARS, by: 'user' })),
  reads('statement', call(getStatement.path, TWO_YEARS)),
  reads('statement, PDF', call(getStatementPdf.path, TWO_YEARS)),
  reads('run-out forecast', call(getRunOutForecast.path, {})),
  reads('Home of an account', call(getAccountHome.path, {})),
  reads('Home of staff', { method: 'GET', path: getAccountsHome.path }),
  reads('search', call(search.path, { text: 'bench' }), call(search.path, { text: 'an' })),
  reads('entitlements to activate', call(allEntitlements.path, {})),
  reads('license use', call(getLicenseUse.path, TWO_YEARS), call(getLicenseUsePdf.path, TWO_YEARS)),
  reads('license use, one feature', call(getFeatureUse.path, { ...TWO_YEARS, serverId: SERVER, feature: 'feature_7' })),
  reads(
    'license use, denials',
    ...listCalls(licenseDenialList, worst('time', ['feature', 'user', 'host']), 'causeText', TWO_YEARS),
  ),
  reads('planner', call(getPlanner.path, TWO_YEARS)),
  reads(
    'planner, what-if',
    call(getWhatIf.path, {
      ...LOGGED_MONTH,
      product: 'Network product 7',
      seats: Array.from({ length: 20 }, (_, n) => n * 10),
    }),
  ),
  reads('requests', ...listCalls(requestList, worst('requestedAt', ['product', 'reason', 'targetName']), 'state')),
  reads('audit log', ...listCalls(auditList, worst('time', ['text', 'actor', 'target']), 'actor'), {
    method: 'GET',
    path: `${exportAuditLines.path}?customerNumber=${LARGEST}`,
  }),
  reads('webhook deliveries', ...listCalls(deliveryList, worst('time', ['url', 'event', 'trouble']), 'event')),
  {
    what: 'observations of license servers, 1 MB',
    who: 'hostile',
    calls: [{ method: 'POST', path: sendObservations.path, bodies: batches(observed, 12) }],
  },
  { what: 'uploaded logs of 1 MB', who: 'hostile', calls: uploads() },
  {
    what: 'service lists, pages of 1,000',
    who: 'service',
    calls: ['entitlements', 'accounts', 'products'].map((name) => ({
      method: 'GET',
      path: `/service/v1/${name}?limit=1000`,
    })),
  },
  {
    what: 'records in batches of 1,000',
    who: 'service',
    calls: [{ method: 'PUT', path: '/service/v1/products', bodies: batches(productBatch) }],
  },
  // This kind comes last: PostgreSQL goes on vacuuming after it.
  {
    what: 'usage in batches of 5,000',
    who: 'service',
    calls: [{ method: 'POST', path: '/service/v1/usage', bodies: batches(usageBatch) }],
  },
]

/**
 * One hostile caller has 16 calls open at all times, of one kind after the other: what does a reader on the screen of usage
 * transactions notice of it?
 */
export async function measureHostileViewer(database: OpenedDatabase, say: (line: string) => void): Promise<string> {
  await ensureHostileData(database)
  const credentials = {
    reader: { cookie: await signedIn(database, READER) },
    hostile: { cookie: await signedIn(database, HOSTILE, ['busops']) },
    service: { authorization: `Bearer ${await insertKey(database)}` },
  }
  const portal = await startServer('portal', 'usage/portal-server.ts', {
    connection: database.connection,
    dataDir: '.data-bench/portal',
    settings: { RATE_LIMIT: '3000', TRUST_PROXY: 'loopback', LOG_LEVEL: 'silent' },
  })
  const send = senderTo(portal, credentials)
  const rows: string[][] = []
  try {
    await sendLog(async (path, body) => {
      const status = await send('hostile', { method: 'POST', path, bodies: [JSON.stringify(body)] })
      if (status !== 200) throw new Error(`the log was answered ${status}`)
    })
    await read(send, 3)
    for (const { what, who, calls } of kinds()) {
      await portal.usage()
      const alone = await read(send, SECONDS.alone)
      const answers = new Map<number, number>()
      const stop = new AbortController()
      const attack = attackUntil(stop.signal, send, who, calls, answers)
      await sleep(500)
      await portal.usage()
      const attacked = await read(send, SECONDS.attacked)
      const { longestBlock } = await portal.usage()
      stop.abort()
      await attack
      await idle(database, send)
      const row = rowOf(what, alone, attacked, longestBlock, answers)
      say(`  ${row.join(' | ')}`)
      rows.push(row)
    }
  } finally {
    await portal.stop()
  }
  return `${table(['16 calls at once', 'p50, usual → attacked', 'p95, usual → attacked', 'p95 at most 2×', 'longest block', 'answers to the hostile caller'], rows)}

What a reader on the screen of usage transactions notices (pages, a count, values and the elastic server in turns, over ${BROWSER.connections} connections) while another caller, a person of the staff or a service key, has ${AT_ONCE} calls of one kind open at all times: ${SECONDS.attacked} s of each kind, and ${SECONDS.alone} s without before it, with the product’s own rate limit. “Longest block” is the longest time that the process of the portal answered nobody meanwhile. 1,000,000 usage transactions; the account that both read has 100,000 of them, ${CHECKOUTS.toLocaleString('en')} web checkouts, ${ENTITLEMENTS.toLocaleString('en')} entitlements, a license server’s log of ${LOG_MEGABYTES} MB, ${LOGGED.toLocaleString('en')} entries of the audit log and as many deliveries of webhooks, and ${REQUESTS.toLocaleString('en')} requests. Load average of the machine at the end ${busyness().toFixed(1)}.`
}

async function insertKey({ db }: OpenedDatabase): Promise<string> {
  const key = createServiceKey()
  const now = new Date()
  const about = { name: `bench ${now.getTime()}`, scopes: SERVICE_SCOPES, createdBy: 'bench', createdAt: now }
  await db
    .transaction()
    .execute((tx) => insertServiceKey(tx, { ...key, ...about, expiresAt: new Date(now.getTime() + 3_600_000) }))
  return key.key
}

type Send = (who: Who, call: Call, signal?: AbortSignal) => Promise<number>

function senderTo({ port }: ServerUnderTest, credentials: Record<Who, Record<string, string>>): Send {
  const newAgent = () => new http.Agent({ keepAlive: true })
  const agents: Record<Who, http.Agent> = { reader: newAgent(), hostile: newAgent(), service: newAgent() }
  let sent = 0
  return (who, { method, path, bodies, type = 'application/json' }, signal) =>
    new Promise((resolve, reject) => {
      sent++
      const body = bodies?.[sent % bodies.length]
      const headers = {
        ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
        ...credentials[who],
        'x-requested-with': 'portal',
        'x-forwarded-for': addressOf(who, sent),
      }
      const target = { port, host: '127.0.0.1', path, method, agent: agents[who], headers }
      const request = http.request(signal ? { ...target, signal } : target)
      request.on('error', reject).on('response', (answer) => {
        answer.on('error', reject).on('end', () => resolve(answer.statusCode ?? 0))
        answer.resume()
      })
      request.end(body)
    })
}

/** How long each call took, in milliseconds, sorted. */
async function read(send: Send, seconds: number): Promise<number[]> {
  const taken: number[] = []
  const deadline = performance.now() + seconds * 1000
  const browse = async () => {
    for (let n = 0; performance.now() < deadline; n++) {
      const begun = performance.now()
      const status = await send('reader', READERS[n % READERS.length] as Call)
      if (status !== 200) throw new Error(`the reader was answered ${status}`)
      taken.push(performance.now() - begun)
      await sleep(BROWSER.pause)
    }
  }
  await Promise.all(Array.from({ length: BROWSER.connections }, browse))
  return taken.sort((one, other) => one - other)
}

async function attackUntil(
  signal: AbortSignal,
  send: Send,
  who: Who,
  calls: readonly Call[],
  answers: Map<number, number>,
): Promise<void> {
  const attack = async (first: number) => {
    for (let n = first; !signal.aborted; n++) {
      const status = await send(who, calls[n % calls.length] as Call, signal).catch(() => 0)
      if (status > 0) answers.set(status, (answers.get(status) ?? 0) + 1)
      // A refused caller gains nothing by an immediate retry, but would keep this machine busy.
      if (status >= 400) await sleep(50)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => attack(n)))
}

/** Waits until an attack has ended completely: started work may go on in the database and in the portal. */
async function idle({ pool }: OpenedDatabase, send: Send): Promise<void> {
  for (let quiet = 0, tries = 0; quiet < 3 && tries < 100; tries++) {
    const begun = performance.now()
    await send('reader', READERS[0] as Call)
    const isQuick = performance.now() - begun < 30
    const { rows } = await pool.query(
      `select count(*)::int as n from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    quiet = isQuick && rows[0].n === 0 ? quiet + 1 : 0
    await sleep(50)
  }
}

function rowOf(
  what: string,
  alone: readonly number[],
  attacked: readonly number[],
  longestBlock: number,
  answers: ReadonlyMap<number, number>,
): string[] {
  const fromTo = (part: number) =>
    `${milliseconds(percentile(alone, part))} → ${milliseconds(percentile(attacked, part))}`
  const factor = percentile(attacked, 0.95) / percentile(alone, 0.95)
  const counted = [...answers].sort().map(([status, times]) => `${times} × ${status}`)
  return [
    what,
    fromTo(0.5),
    fromTo(0.95),
    `${ratio(factor)}: ${verdict(factor <= 2)}`,
    milliseconds(longestBlock),
    counted.join(', '),
  ]
}
