import { expect, inject, onTestFinished, test } from 'vitest'
import { getUsers, saveUsers } from '#contract/elastic/credentials/credentials.ts'
import { openDatabase } from '#server/db/database.ts'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { databaseUrl } from '#server/testing/child-environment.ts'
import { type Server, startPrimary, startStandby } from '#server/testing/crashes/standby.ts'
import { callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'
import { endServerIn } from '#server/testing/walkable-directory.ts'

const ADA = 'ada.admin@aerodyne.example'
const CORA = 'cora.coordinator@aerodyne.example'
const server = { customerNumber: '100001', clsId: elasticServerId('100001') }
const DATABASE = 'portal'

test('a replica answers people who have not just written, while it is not behind', async () => {
  const primary = await startDemoPrimary()
  const standby = await startStandby(primary)
  const onStandby = open(standby)
  const portal = await startPortalOn(primary, standby, 3600)
  const impatient = await startPortalOn(primary, standby, 1)

  const first = await save(portal, ['anna'])
  await until(async () => (await read(portal, CORA)).includes('anna'), 'the replica did not get the first save')

  // The replica stands still: its answers are old, and that shows who has answered.
  await onStandby.query('select pg_wal_replay_pause()')
  const second = await save(portal, ['anna', 'ben'])
  expect(await read(portal, ADA, second.cookie)).toEqual(['anna', 'ben'])
  expect(await read(portal, CORA)).toEqual(['anna'])
  expect(await read(portal, CORA, first.cookie)).toEqual(['anna'])
  await until(
    async () => (await read(impatient, CORA)).length === 2,
    'a replica that is 1 second behind was still read',
  )

  await onStandby.query('select pg_wal_replay_resume()')
  await until(async () => (await read(portal, CORA)).includes('ben'), 'the replica did not go on')

  const log = await portal.db.selectFrom('audit_log').select('action').where('action', '=', 'saveUsers').execute()
  expect(log).toHaveLength(2)

  // A standby that has become a primary of its own has other data from now on.
  await onStandby.query('select pg_promote()')
  await save(portal, ['carl'])
  await until(async () => (await read(portal, CORA))[0] === 'carl', 'a promoted replica was still read')

  await endServerIn(standby.cluster.home)
  expect(await read(portal, CORA)).toEqual(['carl'])
})

test('reads go on without an error when the replica is killed', async () => {
  const primary = await startDemoPrimary()
  const standby = await startStandby(primary)
  const portal = await startPortalOn(primary, standby, 3600)
  await save(portal, ['anna'])
  await until(async () => (await read(portal, CORA)).includes('anna'), 'the replica did not get the save')
  const ended = endServerIn(standby.cluster.home)
  for (let reading = 0; reading < 50; reading++) expect(await read(portal, CORA)).toEqual(['anna'])
  await ended
  expect(await read(portal, CORA)).toEqual(['anna'])
})

async function startDemoPrimary(): Promise<Server> {
  const { cluster, connection } = await startPrimary({ fsync: 'off' })
  await ensureDatabase(connection, DATABASE)
  const primary = { cluster, connection: { ...connection, database: DATABASE } }
  await migrate(primary.connection)
  await loadDemo(open(primary).db, {
    now: new Date(inject('demoMadeAt')),
    usageTransactions: 2_000,
    progress: () => {},
  })
  return primary
}

function open({ connection }: Server) {
  const { db, pool } = openDatabase({ ...connection, database: DATABASE, max: 4 })
  onTestFinished(() => pool.end())
  return { db, pool, query: (statement: string) => pool.query(statement) }
}

async function startPortalOn(primary: Server, standby: Server, maxLag: number): Promise<Portal> {
  const { db, pool } = open(primary)
  const settings = {
    DATABASE_URL: databaseUrl(primary.connection),
    DATABASE_REPLICA_URL: databaseUrl({ ...standby.connection, database: DATABASE }),
    REPLICA_MAX_LAG_SECONDS: String(maxLag),
  }
  const given = { db, pool, connection: primary.connection, close: async () => {} }
  const portal = await startPortal(settings, {}, given)
  onTestFinished(() => portal.close())
  return portal
}

async function save(portal: Portal, users: string[]): Promise<{ cookie: string }> {
  const { status, headers } = await (await portal.as(ADA))(saveUsers, { body: { ...server, users } })
  expect(status).toBe(200)
  const [cookie = ''] = String(headers['set-cookie']).split(';')
  expect(cookie).toMatch(/^written=[0-9A-F%]+/)
  return { cookie }
}

/** `written` is the cookie of an earlier write. */
async function read(portal: Portal, email: string, written?: string): Promise<string[]> {
  const cookies = [await signIn(portal.app, email), ...(written ? [written] : [])].join('; ')
  const { status, body } = await callOperation(portal.app, getUsers, cookies, { body: server })
  expect(status).toBe(200)
  return (body as { data: { users: string[] } }).data.users
}
