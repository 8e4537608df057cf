import { fileURLToPath } from 'node:url'
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
const FLOOR = 'bare, the portal’s own statement prepared once'

type Round = { perSecond: number; cpu: number; databaseCpu: number; p50: number; p95: number; busy: number }

/** A page of 20 of one month by time, whole requests, against servers that check nothing. All take turns. */
export async function measureThroughput(database: OpenedDatabase, say: (line: string) => void): Promise<string> {
  const cookies = await signInReaders(database)
  const settings = { connection: database.connection, dataDir: '.data-bench/portal' }
  const servers = [
    await startServer('portal', 'usage/portal-server.ts', settings),
    await startServer('bare node:http + pg', 'usage/bare-server.ts', settings),
    await startServer(FLOOR, 'usage/bare-server.ts', {
      ...settings,
      ready: await portalStatement(database, PAGE),
    }),
    ...(await expressIfInstalled(settings, say)),
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

async function expressIfInstalled(settings: object, say: (line: string) => void): Promise<ServerUnderTest[]> {
  const isInstalled = ['express', 'knex'].every((name) => {
    try {
      return Boolean(fileURLToPath(import.meta.resolve(name)))
    } catch {
      return false
    }
  })
  if (isInstalled) return [await startServer('Express + Knex', 'usage/express-server.ts', settings)]
  say('  express and knex are not installed: left out')
  return []
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
  const names = [...rounds.keys()]
  const [portal = '', bare = ''] = names
  const rows = names.map((name) => [
    name,
    `${of(name, 'perSecond').toFixed(0)}/s`,
    `${of(name, 'cpu').toFixed(2)} ms`,
    `${of(name, 'databaseCpu').toFixed(2)} ms`,
    `${of(name, 'p50').toFixed(1)} ms`,
    `${of(name, 'p95').toFixed(1)} ms`,
    name === portal ? '' : ratio(of(portal, 'perSecond') / of(name, 'perSecond')),
  ])
  const faster = (name: string) => of(portal, 'perSecond') / of(name, 'perSecond')
  const targets = [
    `- at least 0.7× the floor, the bare server that sends the portal’s own prepared statement: ${ratio(faster(FLOOR))}, ${verdict(faster(FLOOR) >= 0.7)}`,
    `- at least 0.8× the bare server that makes its rows into JSON: ${ratio(faster(bare))}, ${verdict(faster(bare) >= 0.8)}`,
    ...(rounds.has('Express + Knex')
      ? [
          `- at least 1.8× Express + Knex: ${ratio(faster('Express + Knex'))}, ${verdict(faster('Express + Knex') >= 1.8)}`,
        ]
      : ['- Express + Knex: not installed, not measured']),
  ]
  const busy = median([...rounds.values()].flat().map((round) => round.busy))
  return [
    table(
      ['server', 'requests', 'its CPU per request', 'PostgreSQL’s CPU per request', 'p50', 'p95', 'portal is'],
      rows,
    ),
    '',
    `${CONNECTIONS} connections of as many people, median of ${ROUNDS} interleaved runs of ${SECONDS} s; load average of the machine meanwhile ${busy.toFixed(1)}.`,
    'The portal checks session and rights and validates with every request; the others check nothing.',
    '',
    ...targets,
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
