import { Kysely, PostgresDialect, sql } from 'kysely'
import { type ServerUnderTest, startServer } from '#bench/kit/child-server.ts'
import type { OpenedDatabase } from '#bench/kit/database.ts'
import { median, ratio, table, verdict } from '#bench/kit/figures.ts'
import { load, percentile } from '#bench/kit/http-load.ts'
import { busyness, databaseCpu } from '#bench/kit/machine.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { LARGEST } from '#bench/usage/dataset.ts'
import { PAGE } from '#bench/usage/page-request.ts'
import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { fetchPage } from '#server/lists/list-page.ts'
import { usageSource } from '#server/modules/elastic/usage/usage.list.ts'

const CONNECTIONS = 16
const ROUNDS = 5
const SECONDS = 4
/** What is measured is a server that has run for a while: its code is compiled. */
const WARM_UP = 8
const PATH = '/api/fetchUsage'
const PORTAL = 'portal'
const FLOOR = 'floor: node:http, the portal’s own statement prepared once'
/** Of the floor's pages per second. */
const MIN_SHARE = 0.7

type Round = { perSecond: number; cpu: number; databaseCpu: number; p50: number; p95: number; busy: number }

/** A page of 20 of one month by time, whole requests, in turns with a server that checks nothing. */
export async function measureThroughput(database: OpenedDatabase, say: (line: string) => void): Promise<string> {
  const cookies = await signInReaders(database)
  const settings = { connection: database.connection, dataDir: '.data-bench/portal' }
  const statement = await portalStatement(database, PAGE)
  const servers = [
    await startServer(PORTAL, 'usage/portal-server.ts', settings),
    await startServer(FLOOR, 'usage/floor-server.ts', { ...settings, statement }),
  ]
  const rounds = new Map<string, Round[]>(servers.map(({ name }) => [name, []]))
  try {
    for (const server of servers)
      await load({ port: server.port, path: PATH, body: PAGE, cookies }, { connections: CONNECTIONS, seconds: WARM_UP })
    for (let round = 0; round < ROUNDS; round++)
      for (const server of servers) {
        const measured = await measureOnce(server, database, cookies)
        rounds.get(server.name)?.push(measured)
        say(`  ${server.name}: ${measured.perSecond.toFixed(0)}/s`)
      }
  } finally {
    for (const server of servers) await server.stop()
  }
  return report(rounds)
}

/** One person for each connection, because the calls of one person take turns. */
async function signInReaders(database: OpenedDatabase): Promise<string[]> {
  const readers = Array.from({ length: CONNECTIONS }, (_, at) => `reader-${at}@bench.example`)
  await sql`insert into contact (customer_number, email, role) select ${LARGEST}, r, ${ADMINISTRATOR}
    from unnest(${readers}::text[]) r on conflict do nothing`.execute(database.db)
  return Promise.all(readers.map((reader) => signedIn(database, reader)))
}

async function measureOnce(
  server: ServerUnderTest,
  database: OpenedDatabase,
  cookies: readonly string[],
): Promise<Round> {
  const [before, databaseBefore] = [await server.usage(), await databaseCpu(database)]
  const result = await load(
    { port: server.port, path: PATH, body: PAGE, cookies },
    { connections: CONNECTIONS, seconds: SECONDS },
  )
  const [after, databaseAfter] = [await server.usage(), await databaseCpu(database)]
  return {
    perSecond: result.perSecond,
    cpu: (after.cpuMilliseconds - before.cpuMilliseconds) / result.requests,
    databaseCpu: (databaseAfter - databaseBefore) / result.requests,
    p50: percentile(result.latencies, 0.5),
    p95: percentile(result.latencies, 0.95),
    busy: busyness(),
  }
}

function report(rounds: ReadonlyMap<string, readonly Round[]>): string {
  const of = (name: string, figure: keyof Round) => median((rounds.get(name) ?? []).map((round) => round[figure]))
  const share = of(PORTAL, 'perSecond') / of(FLOOR, 'perSecond')
  const rows = [...rounds.keys()].map((name) => [
    name,
    `${of(name, 'perSecond').toFixed(0)}/s`,
    `${of(name, 'cpu').toFixed(2)} ms`,
    `${of(name, 'databaseCpu').toFixed(2)} ms`,
    `${of(name, 'p50').toFixed(1)} ms`,
    `${of(name, 'p95').toFixed(1)} ms`,
  ])
  const busy = median([...rounds.values()].flat().map((round) => round.busy))
  return [
    table(['server', 'requests', 'its CPU per request', 'PostgreSQL’s CPU per request', 'p50', 'p95'], rows),
    '',
    `${CONNECTIONS} connections of as many people, median of ${ROUNDS} interleaved runs of ${SECONDS} s; load average of the machine meanwhile ${busy.toFixed(1)}.`,
    'The portal checks session and rights and validates with every request; the floor checks nothing.',
    '',
    `- at least ${MIN_SHARE}× the floor: ${ratio(share)}, ${verdict(share >= MIN_SHARE)}`,
  ].join('\n')
}

/** The very statement that the list engine sends for a page, with its values. */
async function portalStatement({ pool }: OpenedDatabase, page: typeof PAGE) {
  const sent: { text: string; values: unknown[] }[] = []
  const watched = new Kysely<never>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push({ text: query.sql, values: [...query.parameters] }),
  })
  await fetchPage(watched, usageSource, { customerNumber: page.customerNumber, serverId: null }, page)
  const [statement] = sent
  if (!statement) throw new Error('the engine has sent no statement')
  return statement
}
