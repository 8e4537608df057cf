import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { ConnectionSettings } from '#server/embedded/cluster.ts'
import { postmasterPid } from '#server/embedded/postmaster.ts'
import { isRunning } from '#server/embedded/process-state.ts'
import { connectOrStartEmbedded, StartupError, startEmbedded } from '#server/embedded/supervisor.ts'
import { WriteLoadProcess } from '#server/testing/crashes/write-load-process.ts'
import { emptyDataDirectory, usedDataDirectory } from '#server/testing/walkable-directory.ts'

const quietly = () => {}
async function query(connection: ConnectionSettings, statement: string): Promise<Record<string, string>[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

test('a first start creates a database that is durable, closed to the network and protected by a password', async () => {
  const dataDir = emptyDataDirectory('first')
  const embedded = await startEmbedded(dataDir, quietly)
  const settings = await query(
    embedded.connection,
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes',
     'listen_addresses', 'unix_socket_permissions', 'data_checksums', 'TimeZone', 'server_encoding')`,
  )

  expect(embedded).toMatchObject({ adopted: false, relocated: false, where: path.join(dataDir, 'postgres') })
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    unix_socket_permissions: '0700',
    data_checksums: 'on',
    TimeZone: 'UTC',
    server_encoding: 'UTF8',
  })
  expect(fs.statSync(path.join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600)
  expect(fs.readFileSync(path.join(dataDir, 'postgres.password'), 'utf8')).toMatch(/^[\w-]{32}$/)
  await expect(query({ ...embedded.connection, password: 'guessed' }, 'select 1')).rejects.toThrow('password')
  await embedded.stop()
})

test('a stop leaves no process, and the next start finds the data', async () => {
  const dataDir = usedDataDirectory('stop')
  const first = await startEmbedded(dataDir, quietly)
  await query(first.connection, 'create table kept as select 1 as one')
  const pid = postmasterPid(first.where)!
  expect(isRunning(pid)).toBe(true)
  await Promise.all([first.stop(), first.stop()])
  expect(isRunning(pid)).toBe(false)
  expect(fs.readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password'])

  const second = await startEmbedded(dataDir, quietly)
  expect(second.adopted).toBe(false)
  expect(await query(second.connection, 'select one from kept')).toEqual([{ one: 1 }])
  await second.stop()
})

test('a second portal on the same data directory, however spelled, is refused in one line that names it', async () => {
  const dataDir = usedDataDirectory('second')
  const first = await startEmbedded(dataDir, quietly)
  const link = path.join(path.dirname(dataDir), 'link')
  fs.symlinkSync(dataDir, link)
  const refusal = await startEmbedded(link, quietly).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartupError)
  expect((refusal as StartupError).message).toBe(`another portal is using ${dataDir}`)
  expect(first.restarts()).toBe(0)
  await first.stop()
})

test('the command line works while the portal runs, and leaves it running', async () => {
  const dataDir = usedDataDirectory('shared')
  const portal = await startEmbedded(dataDir, quietly)
  const command = await connectOrStartEmbedded(dataDir, quietly)
  expect(command.adopted).toBe(true)
  expect(await query(command.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await command.stop()
  expect(await query(portal.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await portal.stop()
})

test('the command line starts the database when no portal runs, and stops it again', async () => {
  const dataDir = usedDataDirectory('alone')
  const command = await connectOrStartEmbedded(dataDir, quietly)
  const pid = postmasterPid(command.where)!
  expect(command.adopted).toBe(false)
  await command.stop()
  expect(isRunning(pid)).toBe(false)
})

test('when two first starts run at once, one succeeds and the other is refused', async () => {
  const dataDir = emptyDataDirectory('race')
  const portals = [new WriteLoadProcess(dataDir, 1), new WriteLoadProcess(dataDir, 1)]
  const outcomes = await Promise.allSettled(portals.map((portal) => portal.isUp()))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(portals.map(({ refused }) => refused)).toContain(`another portal is using ${dataDir}`)

  const winner = portals.find(({ ready }) => ready)!
  await winner.hasWritten(1)
  await winner.end('SIGTERM')
  expect(fs.readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password'])
})
