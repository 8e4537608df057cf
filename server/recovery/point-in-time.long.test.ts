import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { type Kysely, sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { sendUsage } from '#contract/elastic/usage/send-usage.ts'
import { openDatabase } from '#server/db/database.ts'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import type { DB } from '#server/db/schema.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { examineData } from '#server/doctor/examine.ts'
import { type Cluster, prepareCluster } from '#server/embedded/cluster.ts'
import { launchPostmaster, stopPostmaster } from '#server/embedded/postmaster.ts'
import { giveTo } from '#server/embedded/server-user.ts'
import { answers } from '#server/testing/answers.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { addMeteredAccount, sentTransaction } from '#server/testing/metering.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const DATABASE = 'portal'
const POINT = 'before_the_damage'
const CUSTOMER = 'WAL'
const via = spawnSync('setpriv', ['--version']).status === 0 ? ['setpriv', '--pdeathsig', 'INT'] : []

/** A PostgreSQL that archives its log as docs/operations.md says. */
async function start(cluster: Cluster, overrides: Record<string, string>): Promise<() => Promise<void>> {
  const server = launchPostmaster(cluster, {
    via,
    overrides: { wal_level: 'replica', max_wal_senders: '2', ...overrides },
  })
  const stop = async () => {
    if (server.pid) await stopPostmaster(server.pid, () => {})
  }
  onTestFinished(stop)
  await until(() => answers(cluster.connection), `no server, see ${cluster.logFile}`)
  return stop
}

const connectionOf = ({ connection }: Cluster) => ({ ...connection, database: DATABASE })

function open(cluster: Cluster): TestDatabase {
  const connection = connectionOf(cluster)
  const database = openDatabase({ ...connection, max: 6 })
  return { ...database, connection, portal: { ...database, connection }, close: () => database.db.destroy() }
}

/** Ledgers, balances and sums: everything that must be as it was at the point. */
async function stateOf(db: Kysely<DB>) {
  const digest = async (table: string) => {
    const { rows } = await sql<{ digest: string }>`
      select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${sql.table(table)} t`.execute(
      db,
    )
    return rows[0]?.digest
  }
  const tables = [
    ...['usage_transaction', 'usage_receipt', 'usage_day', 'usage_total', 'fulfillment', 'host_seats'],
    ...['entitlement', 'fsa_contract', 'audit_log', 'mail', 'outbox_message', 'service_key'],
  ]
  return Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await digest(table)] as const)))
}

async function book(portal: Portal, headers: Record<string, string>, count: number): Promise<void> {
  const nobody = await portal.as(null)
  const transactions = Array.from({ length: count }, () => sentTransaction(portal, CUSTOMER))
  const { status, body } = await nobody(sendUsage, { body: { transactions }, headers })
  expect(status).toBe(200)
  expect((body.data as { status: string }[]).filter((line) => line.status !== 'SUCCESS')).toEqual([])
}

/** The steps of docs/operations.md without pg_basebackup, which the embedded binaries lack. */
async function copyBase(cluster: Cluster, db: Kysely<DB>, to: string): Promise<void> {
  await db.connection().execute(async (session) => {
    await sql`select pg_backup_start('base', fast => true)`.execute(session)
    execFileSync('cp', ['-a', cluster.home, to])
    const { rows } = await sql<{ label: string }>`
      select labelfile as label from pg_backup_stop(wait_for_archive => true)`.execute(session)
    fs.writeFileSync(path.join(to, 'backup_label'), rows[0]?.label ?? '')
    giveTo(cluster.user, path.join(to, 'backup_label'))
  })
  for (const name of ['postmaster.pid', 'postmaster.opts']) fs.rmSync(path.join(to, name), { force: true })
  for (const name of fs.readdirSync(path.join(to, 'pg_wal')))
    fs.rmSync(path.join(to, 'pg_wal', name), { recursive: true, force: true })
}

test('a database is recovered to a named point and to a time just before damage was done', async () => {
  const directory = walkableDirectory('pitr')
  onTestFinished(() => fs.rmSync(directory, { recursive: true, force: true }))
  const archive = path.join(directory, 'archive')
  const cluster = await prepareCluster(path.join(directory, 'data'), () => {})
  fs.mkdirSync(archive)
  giveTo(cluster.user, archive)
  const stop = await start(cluster, {
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  })
  await ensureDatabase(cluster.connection, DATABASE)
  await migrate(connectionOf(cluster))
  const database = open(cluster)
  const now = new Date(inject('demoMadeAt'))
  await loadDemo(database.db, { now, usageTransactions: 2000, progress: () => {} })
  await addMeteredAccount(database.db, CUSTOMER, { sold: [{ id: 'WAL-1', units: 1_000_000 }] })
  const portal = await startPortal({}, {}, database)
  const { headers } = await giveServiceKey(portal, 'Usage', { scopes: ['usage'], days: 30 })
  await book(portal, headers, 50)

  const base = path.join(directory, 'base')
  await copyBase(cluster, database.db, base)

  for (let batch = 0; batch < 20; batch++) await book(portal, headers, 50)
  // Jobs write while the portal runs, so it is closed before the state is noted.
  await portal.app.close()
  const expected = await stateOf(database.db)
  const { rows } = await sql<{ at: string }>`
    select clock_timestamp()::text as at, pg_create_restore_point(${POINT})`.execute(database.db)
  const time = rows[0]!.at

  await sql`alter table usage_transaction disable trigger user`.execute(database.db)
  await sql`delete from usage_transaction where customer_number = ${CUSTOMER}`.execute(database.db)
  await sql`drop table fulfillment cascade`.execute(database.db)
  await sql`select pg_switch_wal()`.execute(database.db)
  const lastFile = async () => {
    const state = await sql<{ done: boolean }>`
      select coalesce(last_archived_wal >= (select pg_walfile_name(pg_current_wal_lsn() - 1)), false) as done
        from pg_stat_archiver`.execute(database.db)
    return state.rows[0]?.done === true
  }
  await until(lastFile, 'the log is not archived')
  await database.db.destroy()
  await stop()
  // The disk is gone: only the base and the archive are left.
  fs.rmSync(cluster.home, { recursive: true, force: true })

  for (const [name, target] of [
    ['point', { recovery_target_name: POINT }],
    ['time', { recovery_target_time: time }],
  ] as const) {
    const begun = performance.now()
    const dataDir = path.join(directory, name)
    fs.mkdirSync(dataDir)
    fs.copyFileSync(cluster.passwordFile, path.join(dataDir, 'postgres.password'))
    execFileSync('cp', ['-a', base, path.join(dataDir, 'postgres')])
    fs.writeFileSync(path.join(dataDir, 'postgres', 'recovery.signal'), '')
    const recovered = await prepareCluster(dataDir, () => {})
    giveTo(recovered.user, path.join(recovered.home, 'recovery.signal'))
    const stopRecovered = await start(recovered, {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_action: 'promote',
      ...target,
    })
    const restored = open(recovered)
    const isPromoted = async () => {
      const { rows: found } = await sql<{ recovering: boolean }>`select pg_is_in_recovery() as recovering`.execute(
        restored.db,
      )
      return found[0]?.recovering === false
    }
    await until(isPromoted, `the recovery to ${name} does not end, see ${recovered.logFile}`)
    const recoveryTime = performance.now() - begun
    expect(await stateOf(restored.db), name).toEqual(expected)
    const findings = await examineData(restored.db, { config: portal.config, now, isFull: true })
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
    const again = await startPortal({}, {}, restored)
    const started = performance.now() - begun
    await book(again, headers, 1)
    console.log(
      `recovered to a ${name}: writable after ${Math.round(recoveryTime)} ms, checked and the portal started after ${Math.round(started)} ms`,
    )
    await again.app.close()
    await restored.db.destroy()
    await stopRecovered()
  }
})
