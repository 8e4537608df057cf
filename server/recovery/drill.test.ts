import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { checkBackup } from '#server/backup/backup-reader.ts'
import { runWords } from '#server/cli/run-words.ts'
import { openDatabase } from '#server/db/database.ts'
import { isRoot } from '#server/embedded/server-user.ts'
import { deleteOldBackups, listBackups } from '#server/recovery/backup-folder.ts'
import { recoveryJobs } from '#server/recovery/recovery.jobs.ts'
import { listRuns } from '#server/recovery/recovery-runs.queries.ts'
import type { Services } from '#server/services.ts'
import type { Job } from '#server/tasks/job.ts'
import { CHILD_ENVIRONMENT, databaseUrl } from '#server/testing/child-environment.ts'
import { demoDatabase, freshDatabase, onCitus, type TestDatabase } from '#server/testing/database.ts'
import { startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'
import { usedDataDirectory, walkableDirectory } from '#server/testing/walkable-directory.ts'

let directory: string
let administration: ReturnType<typeof openDatabase>
beforeAll(() => {
  directory = walkableDirectory('drill')
  administration = openDatabase({ ...inject('testServer'), max: 1 })
})
afterAll(async () => {
  await administration.db.destroy()
  fs.rmSync(directory, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = path.join(directory, randomBytes(4).toString('hex'))
  fs.mkdirSync(folder)
  return folder
}

async function using(open: () => Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await open()
  onTestFinished(() => database.close())
  return database
}

async function portal(env: NodeJS.ProcessEnv, ...words: string[]) {
  const said = { stdout: '', stderr: '' }
  const output = (name: keyof typeof said) => ({
    write: (text: string) => {
      said[name] += text
    },
  })
  const caller = { env, stdout: output('stdout'), stderr: output('stderr') }
  return { status: await runWords(words, caller), ...said }
}
const at = ({ connection }: TestDatabase, folder: string) => ({
  DATABASE_URL: databaseUrl(connection),
  BACKUP_DIR: folder,
})

async function scratches({ connection }: TestDatabase): Promise<string[]> {
  const { rows } = await administration.pool.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [`${connection.database}_drill_`],
  )
  return rows.map(({ datname }) => datname)
}

describe('a drill', () => {
  test('restores the newest backup, checks it, prints RPO and RTO, and keeps the result', async () => {
    const database = await using(demoDatabase)
    const folder = newFolder()
    const env = at(database, folder)
    expect(await portal(env, 'backup')).toMatchObject({ status: 0 })
    const [older] = await listBackups(folder)
    fs.utimesSync(older!.file, 1, 1)
    expect(await portal(env, 'backup', path.join(folder, 'by-hand'))).toMatchObject({ status: 0 })
    fs.writeFileSync(path.join(folder, 'notes.txt'), 'no backup')
    fs.writeFileSync(path.join(folder, 'unfinished.backup.part'), fs.readFileSync(older!.file))
    const drilled = await portal(env, 'drill')
    expect(drilled).toMatchObject({ status: 0 })
    expect(drilled.stdout).toMatch(
      /^Restored .*\/by-hand: [\d,]+ rows, everything as of \S+Z\nok {7}migrations: .*\nok {7}usage sums: .*\nok {7}seats: .*\nok {7}FSA contracts: .*\nok {7}audit log: .*\nok {7}license signing: .*\nok {7}PINs: .*\nRPO \d+\.\d s: .*\nRTO \d+\.\d s: .*\n$/,
    )
    const [run, ...others] = await listRuns(database.db, 'drill', 10)
    expect(others).toEqual([])
    expect(run).toMatchObject({
      state: 'done',
      begun_by: 'operator',
      file: path.join(folder, 'by-hand'),
      failure: null,
    })
    expect(Number(run?.recovery_time)).toBeGreaterThan(0)
    const age = run!.begun_at.getTime() - run!.as_of!.getTime()
    expect(Number(run?.recovery_point)).toBeGreaterThanOrEqual(age)
    expect(run?.findings.map(({ level }) => level)).toEqual(Array(7).fill('ok'))
    expect(await listRuns(database.db, 'backup', 10)).toMatchObject([
      { state: 'done', file: path.join(folder, 'by-hand') },
      { state: 'done', file: older!.file },
    ])
    expect(await scratches(database)).toEqual([])
    const entries = await database.db.selectFrom('audit_log').select('after').where('action', '=', 'drill').execute()
    expect(entries).toMatchObject([{ after: { isSound: true, file: path.join(folder, 'by-hand') } }])
  })

  test.skipIf(onCitus())('works on an embedded database', async () => {
    const folder = newFolder()
    const env = { DATA_DIR: usedDataDirectory('drill'), BACKUP_DIR: folder, BACKUP_PASSPHRASE: 'correct horse battery' }
    expect(await portal(env, 'migrate')).toMatchObject({ status: 0 })
    expect(await portal(env, 'backup')).toMatchObject({ status: 0 })
    expect(await portal(env, 'drill')).toMatchObject({ status: 0, stdout: expect.stringContaining('\nRTO ') })
    const without = await portal({ DATA_DIR: env.DATA_DIR }, 'drill', folder)
    expect(without).toMatchObject({ status: 1, stderr: expect.stringContaining('This backup is encrypted') })
  })

  test('fails on a damaged file, an empty folder and a missing one, and keeps why', async () => {
    const database = await using(freshDatabase)
    const folder = newFolder()
    const env = at(database, folder)
    expect(await portal(env, 'drill')).toMatchObject({ status: 1, stderr: `There is no backup in ${folder}\n` })
    expect(await portal(env, 'drill', `${folder}-not`)).toMatchObject({
      status: 1,
      stderr: `The backup folder ${folder}-not cannot be read: ENOENT\n`,
    })
    expect(await portal(env, 'backup', path.join(folder, 'one'))).toMatchObject({ status: 0 })
    const bytes = fs.readFileSync(path.join(folder, 'one'))
    bytes[200]! ^= 1
    fs.writeFileSync(path.join(folder, 'one'), bytes)
    expect(await portal(env, 'drill')).toMatchObject({ status: 1, stderr: expect.stringContaining('file is damaged') })
    expect(await listRuns(database.db, 'drill', 10)).toMatchObject([
      { state: 'failed', file: path.join(folder, 'one'), failure: expect.stringContaining('file is damaged') },
      { state: 'failed', file: null },
      { state: 'failed', file: null },
    ])
    expect(await scratches(database)).toEqual([])
  })

  test('names the role that may not create databases', async () => {
    const database = await using(freshDatabase)
    const folder = newFolder()
    const role = `portal_${randomBytes(4).toString('hex')}`
    await administration.pool.query(`create role ${role} login password 'role'`)
    onTestFinished(async () => void (await administration.pool.query(`drop role ${role}`)))
    expect(await portal(at(database, folder), 'backup')).toMatchObject({ status: 0 })
    const DRILL_DATABASE_URL = databaseUrl({ ...database.connection, user: role, password: 'role' })
    expect(await portal({ ...at(database, folder), DRILL_DATABASE_URL }, 'drill')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`Run "alter role ${role} createdb" as a superuser`),
    })
  })

  test.runIf(isRoot())('names the backup and the user who cannot read it (needs root)', async () => {
    const database = await using(freshDatabase)
    const folder = newFolder()
    fs.chmodSync(folder, 0o755)
    expect(await portal(at(database, folder), 'backup')).toMatchObject({ status: 0 })
    const [{ file } = { file: '' }] = await listBackups(folder)
    process.seteuid?.('nobody')
    try {
      expect((await listBackups(folder)).map((found) => found.file)).toEqual([file])
      await expect(checkBackup(file, undefined)).rejects.toThrow(`${file} cannot be read by the user nobody`)
    } finally {
      process.seteuid?.(0)
    }
  })

  test('is called wrongly without a folder', async () => {
    const database = await using(freshDatabase)
    const { DATABASE_URL } = at(database, '')
    expect(await portal({ DATABASE_URL }, 'drill')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('<folder> is missing, and BACKUP_DIR is not set'),
    })
    expect(await portal({ DATABASE_URL }, 'drill', 'a', 'b')).toMatchObject({ status: 2 })
    expect(await listRuns(database.db, 'drill', 10)).toEqual([])
  })

  test('fails if what was restored does not add up', async () => {
    const database = await using(demoDatabase)
    const folder = newFolder()
    await sql`alter table fsa_contract disable trigger user`.execute(database.db)
    await sql`update fsa_contract set ordered = ordered - 1 where ordered > 1`.execute(database.db)
    await portal(at(database, folder), 'backup')
    const drilled = await portal(at(database, folder), 'drill')
    expect(drilled.status).toBe(1)
    expect(drilled.stdout).toMatch(/\nfailed {3}FSA contracts: the ordered amount of .* differs.*\n[\s\S]*\nRTO /)
    expect(drilled.stderr).toContain('The restored database failed: FSA contracts')
    const [run] = await listRuns(database.db, 'drill', 1)
    expect(run).toMatchObject({ state: 'failed', failure: expect.stringContaining('FSA contracts') })
    expect(run?.findings.filter(({ level }) => level === 'failed')).toMatchObject([{ check: 'FSA contracts' }])
  })

  test('that is interrupted drops its scratch database, and the next one drops that of a killed drill', async () => {
    const database = await using(demoDatabase)
    const folder = newFolder()
    const env = at(database, folder)
    await portal(env, 'backup')
    const start = async () => {
      const child = spawn(process.execPath, ['server/cli/main.ts', 'drill'], {
        env: { ...CHILD_ENVIRONMENT, ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      let stderr = ''
      child.stderr.on('data', (bytes) => {
        stderr += bytes
      })
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
      await until(async () => (await scratches(database)).length > 0, 'no scratch database')
      return { child, ended, said: () => stderr }
    }
    const interrupted = await start()
    interrupted.child.kill('SIGTERM')
    expect(await interrupted.ended).toBe(1)
    expect(interrupted.said()).toContain('The drill was interrupted. Its scratch database is gone.')
    expect(await scratches(database)).toEqual([])
    const killed = await start()
    killed.child.kill('SIGKILL')
    await killed.ended
    const [left] = await scratches(database)
    expect(left).toBeDefined()
    expect(await portal(env, 'drill')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^Another drill is running on .* since .*Z\. If it was killed, try again in a minute/,
      ),
    })
    await sql`update recovery_run set seen_at = now() - interval '2 minutes' where state = 'running'`.execute(
      database.db,
    )
    await until(async () => (await portal(env, 'drill')).status === 0, 'the drill does not succeed')
    expect(await scratches(database)).toEqual([])
    const states = (await listRuns(database.db, 'drill', 10)).map(({ failure }) => failure)
    expect(states).toContain('It was interrupted: its process ended.')
    expect(states).toContain('The drill was interrupted. Its scratch database is gone.')
  })

  // On a cluster the role would have to be made on every node.
  test.skipIf(onCitus())('needs a role that may create databases, here or elsewhere', async () => {
    const database = await using(freshDatabase)
    const folder = newFolder()
    const role = `plain_${randomBytes(6).toString('hex')}`
    await portal(at(database, folder), 'backup')
    await administration.pool.query(`create role ${role} login password 'secret'`)
    await administration.pool.query(`grant ${database.connection.user} to ${role}`)
    await administration.pool.query(`alter role ${role} noinherit`)
    onTestFinished(async () => {
      await administration.pool.query(`drop owned by ${role}`).catch(() => {})
      await administration.pool.query(`drop role ${role}`)
    })
    const { db } = database
    await sql`grant all on all tables in schema public to ${sql.id(role)}`.execute(db)
    await sql`grant all on schema public to ${sql.id(role)}`.execute(db)
    await sql`grant create on database ${sql.id(database.connection.database!)} to ${sql.id(role)}`.execute(db)
    const plain = {
      ...at(database, folder),
      DATABASE_URL: databaseUrl({ ...database.connection, user: role, password: 'secret' }),
    }
    const refused = await portal(plain, 'drill')
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('set DRILL_DATABASE_URL') })
    const elsewhere = databaseUrl({ ...inject('testServer'), database: 'postgres' })
    expect(await portal({ ...plain, DRILL_DATABASE_URL: elsewhere }, 'drill')).toMatchObject({ status: 0 })
    await sql`drop owned by ${sql.id(role)}`.execute(db)
  })
})

test('a restored database does not hold the backup that it was made from as running', async () => {
  const database = await using(freshDatabase)
  const folder = newFolder()
  await portal(at(database, folder), 'backup', path.join(folder, 'one'))
  const target = await using(freshDatabase)
  const name = String(target.connection.database)
  await target.db.destroy()
  expect(await portal(at(target, folder), 'restore', path.join(folder, 'one'), '--replace', name)).toMatchObject({
    status: 0,
  })
  const { db } = openDatabase({ ...target.connection, max: 1 })
  onTestFinished(() => db.destroy())
  expect(await listRuns(db, 'backup', 10)).toEqual([])
})

test('old backups of the portal are deleted, others and the newest are kept', async () => {
  const folder = newFolder()
  const day = 24 * 60 * 60
  const now = new Date('2030-03-01T00:00:00Z')
  const write = (name: string, age: number) => {
    fs.writeFileSync(path.join(folder, name), 'LICENSING-PORTAL-BACKUP 2\n')
    fs.utimesSync(path.join(folder, name), now.getTime() / 1000 - age * day, now.getTime() / 1000 - age * day)
  }
  write('portal-20300101T000000Z.backup', 59)
  write('portal-20300102T000000Z.backup.part', 58)
  write('portal-20300128T000000Z.backup', 31)
  write('kept-by-hand.backup', 60)
  expect(await deleteOldBackups(folder, 30, now)).toBe(1)
  expect(fs.readdirSync(folder).sort()).toEqual(['kept-by-hand.backup', 'portal-20300128T000000Z.backup'])
})

describe('schedules', () => {
  type Scheduled = { name: string; cron: string }
  const scheduled = async ({ db }: TestDatabase) =>
    (await sql<Scheduled>`select name, cron from jobs.schedule where name like 'recovery-%' order by name`.execute(db))
      .rows

  test('of the settings are known to the job queue, and end with the settings', async () => {
    const database = await using(freshDatabase)
    const close = { close: async () => {} }
    const folder = newFolder()
    const settings = { BACKUP_DIR: folder, BACKUP_AT: '02:15', DRILL_AT: 'Sun 04:15' }
    const first = await startPortal(settings, {}, { ...database, ...close })
    expect(await scheduled(database)).toEqual([
      { name: 'recovery-backup', cron: '15 2 * * *' },
      { name: 'recovery-drill', cron: '15 4 * * 0' },
    ])
    const [backup, drill] = recoveryJobs(first.config) as unknown as Job[]
    const services = { ...database, clock: first.clock, config: first.config } as unknown as Services
    const attempt = { signal: new AbortController().signal, isLast: false }
    await backup!.run({}, services, attempt)
    await drill!.run({}, services, attempt)
    const [made] = await listRuns(database.db, 'backup', 1)
    expect(made).toMatchObject({ state: 'done', begun_by: 'operator' })
    expect(fs.readdirSync(folder)).toEqual([path.basename(made!.file!)])
    expect(await listRuns(database.db, 'drill', 1)).toMatchObject([{ state: 'done', file: made!.file }])
    const stopped = { ...attempt, signal: AbortSignal.abort(new Error('stopping')) }
    first.clock.forward(1000)
    await expect(backup!.run({}, services, stopped)).rejects.toThrow('stopping')
    expect(fs.readdirSync(folder)).toHaveLength(1)
    await first.close()
    const second = await startPortal({}, {}, { ...database, ...close })
    expect(await scheduled(database)).toEqual([])
    await second.close()
  })
})
