import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postmasterPid } from '#server/embedded/postmaster.ts'
import { isRoot, postgresUser } from '#server/embedded/server-user.ts'
import { StartupError, startEmbedded } from '#server/embedded/supervisor.ts'
import { answers } from '#server/testing/answers.ts'
import { crashRounds, VICTIMS } from '#server/testing/crashes/crash-rounds.ts'
import { WriteLoadProcess } from '#server/testing/crashes/write-load-process.ts'
import { until } from '#server/testing/until.ts'
import { emptyDataDirectory, usedDataDirectory } from '#server/testing/walkable-directory.ts'

const quietly = () => {}
test('adopts the database that a killed portal left running, with every acknowledged write', async () => {
  const dataDir = usedDataDirectory('orphan')
  const killed = new WriteLoadProcess(dataDir, 4)
  const { where, connection } = await killed.isUp()
  const pid = postmasterPid(where)
  await killed.hasWritten(100)
  await killed.end('SIGKILL')

  const next = await startEmbedded(dataDir, quietly)
  expect(next.adopted).toBe(true)
  expect(postmasterPid(where)).toBe(pid)
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from entry')
  await client.end()
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(killed.acknowledged))
  await next.stop()
})

test('the database restarts after kill -9 under writers, and the same portal continues to write', async () => {
  const portal = new WriteLoadProcess(usedDataDirectory('killed'), 6)
  const { where } = await portal.isUp()
  await portal.hasWritten(100)
  const before = postmasterPid(where)!
  process.kill(before, 'SIGKILL')
  await portal.databaseIsBack(1)
  await portal.hasWritten(100)

  expect(postmasterPid(where)).not.toBe(before)
  expect(portal.log).toContain('PostgreSQL went away: bringing it back (1)')
  await portal.end('SIGTERM')
})

test('an adopted database that dies is restarted too', async () => {
  const dataDir = usedDataDirectory('twice')
  const killed = new WriteLoadProcess(dataDir, 0)
  const { where } = await killed.isUp()
  await killed.end('SIGKILL')
  const next = await startEmbedded(dataDir, quietly)
  process.kill(postmasterPid(where)!, 'SIGKILL')
  await until(() => next.restarts() === 1, 'the loss was not noticed')
  await until(() => answers(next.connection), 'PostgreSQL did not come back')
  await next.stop()
})

test('starts although the pid file names another process of the same user', async () => {
  const dataDir = usedDataDirectory('stale')
  const first = await startEmbedded(dataDir, quietly)
  const pidFile = path.join(first.where, 'postmaster.pid')
  const content = fs.readFileSync(pidFile, 'utf8')
  await first.stop()
  const stranger = spawn('sleep', ['60'], { ...(isRoot() ? postgresUser() : {}), cwd: '/', stdio: 'ignore' })
  onTestFinished(() => void stranger.kill())
  fs.writeFileSync(pidFile, content.replace(/^\d+/, String(stranger.pid)), { mode: 0o600 })

  const lines: string[] = []
  const second = await startEmbedded(dataDir, (line) => lines.push(line))
  expect(lines).toContain(`Removing ${pidFile}: process ${stranger.pid} is not this database`)
  expect(stranger.exitCode).toBeNull()
  await second.stop()
})

test('removes what a killed first start left behind, and never uses it', async () => {
  const dataDir = emptyDataDirectory('half')
  const half = path.join(dataDir, 'postgres.new-4194304')
  fs.mkdirSync(half, { recursive: true })
  fs.writeFileSync(path.join(half, 'PG_VERSION'), '18\n')
  const embedded = await startEmbedded(dataDir, quietly)
  expect(fs.existsSync(half)).toBe(false)
  await embedded.stop()
})

test.each([
  ['wrong', (file: string) => fs.writeFileSync(file, 'not-the-password'), 'does not open the database'],
  ['missing', (file: string) => fs.rmSync(file), 'cannot be read (ENOENT)'],
])('a password file that is %s is refused by name, and nothing is left running', async (_, spoil, complaint) => {
  const dataDir = usedDataDirectory('password')
  spoil(path.join(dataDir, 'postgres.password'))
  const refusal = await startEmbedded(dataDir, quietly).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartupError)
  expect((refusal as StartupError).message).toContain(`${dataDir}/postgres.password`)
  expect((refusal as StartupError).message).toContain(complaint)
  expect(postmasterPid(path.join(dataDir, 'postgres'))).toBeUndefined()
})

test('a database made by another major version of PostgreSQL is refused by name', async () => {
  const dataDir = usedDataDirectory('version')
  fs.writeFileSync(path.join(dataDir, 'postgres/PG_VERSION'), '17\n')
  await expect(startEmbedded(dataDir, quietly)).rejects.toThrow('was made by PostgreSQL 17')
})

// A sample of crash.long.test.ts.
test.each(VICTIMS)('keeps every acknowledged write after kill -9 of %s under a write load', async (victim) => {
  const { acknowledged, missing } = await crashRounds(victim, 2, 20_261_115)
  expect(missing).toEqual([])
  expect(acknowledged).toBeGreaterThan(40)
})
