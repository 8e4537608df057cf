import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { postmasterPid } from '#server/embedded/postmaster.ts'
import { isRunning } from '#server/embedded/process-state.ts'
import { refuseUnusable } from '#server/installation.ts'
import { CHILD_ENVIRONMENT, databaseUrl } from '#server/testing/child-environment.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { until } from '#server/testing/until.ts'
import { emptyDataDirectory, usedDataDirectory } from '#server/testing/walkable-directory.ts'

function start(settings: Record<string, string>) {
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...CHILD_ENVIRONMENT, ...settings },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said.text += text
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, said, ended }
}

async function takenPort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return String((server.address() as AddressInfo).port)
}

test('a setting that the machine cannot follow stops the start with one line that names it', async () => {
  const dataDir = emptyDataDirectory('settings')
  const port = await takenPort()
  for (const [settings, line] of [
    [{ PORT: port }, `PORT ${port} is in use by another program`],
    [
      { DATABASE_URL: 'postgres://portal:secret@127.0.0.1:1/portal' },
      'DATABASE_URL cannot be used: connect ECONNREFUSED',
    ],
  ] as const) {
    const { said, ended } = start({ DATA_DIR: dataDir, PORT: '18311', ...settings })
    expect(await ended).toBe(1)
    expect(said.text).toContain(`The portal did not start: ${line}`)
    expect(said.text.trim().split('\n')).toHaveLength(1)
  }
})

test.each([
  [{ HOST: '192.0.2.1', DEMO: '1' }, 'HOST 192.0.2.1 is not an address of this machine'],
  [{ BACKUP_DIR: '/dev/null', BACKUP_AT: '02:15' }, 'BACKUP_DIR /dev/null is not a folder to which the user'],
  [{ DATA_DIR: '/dev/null/data' }, 'DATA_DIR cannot be used: /dev/null is not a directory'],
])('the settings %j are refused before anything is made', async (settings, line) => {
  const config = readConfig({ DATA_DIR: emptyDataDirectory('settings'), PORT: '18311', ...settings })
  await expect(refuseUnusable(config)).rejects.toThrow(line)
})

test('a database that needs a later version of the portal stops the start with one line', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.close())
  await database.pool.query(`insert into migration (name, sha256) values ('9999_later.from_9.0.0.contract.sql', '')`)
  const { said, ended } = start({
    DATA_DIR: emptyDataDirectory('newer'),
    DATABASE_URL: databaseUrl(database.connection),
    PORT: '18313',
  })
  expect(await ended).toBe(1)
  expect(said.text).toBe(
    'The portal did not start: this database needs version 9.0.0 of the portal or a later one, and this is version 1.0.0: a newer portal has migrated it\n',
  )
})

test('the start and the end in prod say everything in lines of JSON', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.close())
  const settings = {
    DATA_DIR: emptyDataDirectory('prod'),
    DATABASE_URL: databaseUrl(database.connection),
    PORTAL_ENV: 'prod',
    PORT: '18314',
    PUBLIC_URL: 'https://portal.vendor.example',
    OIDC_ISSUER: 'https://id.vendor.example',
    OIDC_CLIENT_ID: 'portal',
    OIDC_CLIENT_SECRET: 'secret',
  }
  const { child, said, ended } = start(settings)
  await until(() => said.text.includes('The portal is ready at https://portal'), 'the portal did not start')
  child.kill('SIGTERM')
  expect(await ended, said.text).toBe(0)
  const lines = said.text
    .trim()
    .split('\n')
    .map((line): { level: number; msg: string } => JSON.parse(line))
  expect(lines.every(({ level, msg }) => level === 30 && msg.trim() !== '')).toBe(true)
  expect(lines.at(-1)?.msg).toBe('The portal has stopped')

  const refused = start({ ...settings, PORT: 'none' })
  expect(await refused.ended).toBe(1)
  expect(JSON.parse(refused.said.text)).toMatchObject({ level: 60, msg: expect.stringContaining('PORT must be') })
})

test('a signal in the middle of the start ends it cleanly, the database with it', async () => {
  const dataDir = usedDataDirectory('signal')
  const { child, said, ended } = start({ DATA_DIR: dataDir, PORT: '18312' })
  await until(() => / [1-9]\d*\/\d+/.test(said.text), 'the demo data was never loaded')
  const postmaster = postmasterPid(path.join(dataDir, 'postgres'))
  expect(postmaster).toBeDefined()
  child.kill('SIGTERM')
  expect(await ended, said.text).toBe(0)
  expect(said.text).toContain('The portal has stopped')
  expect(said.text).not.toContain('did not start')
  expect(isRunning(postmaster!)).toBe(false)
})
