import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '#bench/kit/child-server.ts'
import { startCluster } from '#bench/kit/database.ts'
import { milliseconds, table, verdict } from '#bench/kit/figures.ts'
import { percentile } from '#bench/kit/http-load.ts'
import { busyness } from '#bench/kit/machine.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { saveResults } from '#bench/kit/results.ts'
import { deleteLogged } from '#bench/usage/hostile-data.ts'
import { getAccountHome } from '#contract/home/account-home.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { sendObservations } from '#contract/license-use/observations.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { systemClock } from '#server/doors/clock.ts'

/*
 * How long others wait while the portal reads texts of license servers that were made to take long: Home of another account and
 * `/healthz`, one after the other. `node bench/foreign-text.ts`; with `trial` it keeps no results.
 */
const HEADING = 'Hostile texts of license servers'
/** In milliseconds, for everybody else while a text is read. */
const MAX_WAIT = 200
const MAX_LINE = 4096
const CUSTOMER = '100001'
const SERVER = '3cecef4b7d10'
const MEGABYTE = 1024 * 1024
/** How long others are measured without an attack. */
const QUIET = 3000
const AGENT = new http.Agent({ keepAlive: true })

const today = new Date()
const day = (date: Date) => `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
const STAMP = `0:00:00 (lmgrd) TIMESTAMP ${day(today)}\n`
const repeat = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('')
const REFUSED = '(Licensed number of users already reached. (-4,342))'
const pumped = (start: string, pump: string) => `${start}${pump.repeat((MAX_LINE - start.length - 1) / pump.length)}\n`
const inYears = (years: number) => new Date(today.getTime() + years * 365 * 86_400_000)

const ATTACKS: readonly (readonly [what: string, texts: readonly string[]])[] = [
  ['a line of 1,570 bytes', [`${STAMP}0:00:01 (sim) DENIED: "f" ann@pc  ${'^'.repeat(1535)}\n`]],
  ['3.9 MB of such lines', [STAMP + pumped('0:00:01 (sim) DENIED: "f" ann@pc  ', '^^^ ').repeat(950)]],
  ['one line of 3.9 MB', [STAMP + '0:00:01 (sim) DENIED: "f" '.padEnd(3.9 * MEGABYTE, 'x')]],
  [
    '12,000 denials of one feature in one second',
    [STAMP + repeat(12_000, (at) => `0:00:01 (sim) DENIED: "f" user${at}@pc  ${REFUSED}\n`)],
  ],
  [
    '12,000 denials of 12,000 features in one second',
    [STAMP + repeat(12_000, (at) => `0:00:01 (sim) DENIED: "f${at}" user@pc  ${REFUSED}\n`)],
  ],
  ['4 MB of line feeds', [STAMP + '\n'.repeat(4 * MEGABYTE - 100)]],
  [
    '4 MB of checkouts that stay open, then a report of one line',
    [
      STAMP + repeat(80_000, (at) => `0:00:01 (sim) OUT: "f${at % 40}" user${at}@pc${at}  \n`),
      '0:00:02 (sim) OUT: "f" ann@pc  \n',
    ],
  ],
  [
    'lines dated ten years ahead, then a report of today',
    [
      `${STAMP}0:00:01 (lmgrd) TIMESTAMP ${day(inYears(10))}\n0:00:02 (sim) OUT: "f" ann@pc  \n`,
      '0:00:03 (sim) IN: "f" ann@pc  \n',
    ],
  ],
]

const cluster = await startCluster(console.log)
const database = await cluster.open('bench_foreign_text')
const { rows: accounts } = await database.pool.query('select from account limit 1')
if (accounts.length === 0)
  await loadDemo(database.db, { now: systemClock.now(), usageTransactions: 20_000, progress: () => {} })
await deleteLogged(database, CUSTOMER, SERVER)
const attacker = await signedIn(database, 'attacker@vendor.example', ['busops'])
const person = await signedIn(database, 'person@vendor.example', ['busops'])
const portal = await startServer('portal', 'usage/portal-server.ts', {
  connection: database.connection,
  dataDir: '.data-bench/portal',
  settings: { LOG_LEVEL: 'silent' },
})
const rows: string[][] = []
try {
  await probeWhile(sleep(QUIET))
  const quiet = await probeWhile(sleep(QUIET))
  rows.push(['nothing', '', milliseconds(quiet.p95), milliseconds(quiet.longest), ''])
  for (const [n, [what, texts]] of ATTACKS.entries()) {
    await portal.usage()
    const took: number[] = []
    const attack = (async () => {
      let position = 0
      for (const text of texts) {
        const begun = performance.now()
        const observations = [{ text, file: `attack-${n}-${today.getTime()}`, position }]
        const body = { customerNumber: CUSTOMER, serverId: SERVER, observations }
        const { status, answer } = await post(attacker, sendObservations, body)
        if (status !== 200) throw new Error(`${what}: ${status} ${answer}`)
        took.push(performance.now() - begun)
        position += Buffer.byteLength(text)
      }
    })()
    const { p95, longest } = await probeWhile(attack)
    const { longestBlock } = await portal.usage()
    const isMet = longest <= MAX_WAIT
    rows.push([
      what,
      took.map(milliseconds).join(', '),
      milliseconds(p95),
      milliseconds(longest),
      `${verdict(isMet)}, ${milliseconds(longestBlock)}`,
    ])
    console.log(rows.at(-1)?.join(' | '))
  }
} finally {
  await portal.stop()
  await cluster.embedded.stop()
}
const section = `${table(['sent to a license server', 'answered after', 'p95 of others', 'longest wait of others', `at most ${MAX_WAIT} ms, longest block`], rows)}

Others open Home of another account and ask \`/healthz\`, one call after the other. “Longest block” is the longest time that the process of the portal answered nobody. Load average ${busyness().toFixed(1)}.`
console.log(section)
if (!process.argv.includes('trial')) saveResults({ sections: [[HEADING, section]] })
process.exit(0)

type Times = { readonly p95: number; readonly longest: number }
async function probeWhile(work: Promise<unknown>): Promise<Times> {
  let isDone = false
  const ended = work.finally(() => {
    isDone = true
  })
  const times: number[] = []
  while (!isDone) {
    for (const call of [() => get('/healthz'), () => post(person, getAccountHome, { customerNumber: '100003' })]) {
      const begun = performance.now()
      const { status, answer } = await call()
      if (status !== 200) throw new Error(`a person was answered ${status} ${answer}`)
      times.push(performance.now() - begun)
    }
  }
  await ended
  times.sort((one, other) => one - other)
  return { p95: percentile(times, 0.95), longest: times.at(-1) ?? 0 }
}

function get(path: string) {
  return answered({ path, method: 'GET', headers: {} })
}
function post(cookie: string, { path }: Operation, body: object) {
  const text = JSON.stringify(body)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    cookie,
    'x-requested-with': 'portal',
  }
  return answered({ path, method: 'POST', headers }, text)
}
function answered(request: http.RequestOptions, body = ''): Promise<{ status: number; answer: string }> {
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', port: portal.port, agent: AGENT, ...request }, async (response) => {
      let answer = ''
      for await (const part of response) answer += part
      resolve({ status: response.statusCode ?? 0, answer: answer.slice(0, 300) })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
