import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runWords } from '#server/cli/run-words.ts'
import { readConfig } from '#server/config.ts'
import { openSecret, parseInstallationKey, wrapSecret } from '#server/db/installation-key.ts'
import { InstallationSecrets, listWrappings } from '#server/db/secrets.queries.ts'
import { loadSigner } from '#server/modules/activations/activations.public.ts'
import { CHILD_ENVIRONMENT, databaseUrl } from '#server/testing/child-environment.ts'
import { demoDatabase, freshDatabase, type TestDatabase } from '#server/testing/database.ts'
import { startPortal } from '#server/testing/portal.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const files = walkableDirectory('keys')
let database: TestDatabase
beforeAll(async () => {
  database = await demoDatabase()
  await loadSigner(database.db, UNWRAPPED, new Date())
  await UNWRAPPED.load(database.db, 'list tokens')
})
afterAll(async () => {
  await database.close()
  fs.rmSync(files, { recursive: true, force: true })
})

const newKey = () => randomBytes(32).toString('base64')
const keyFile = (...keys: string[]) => {
  const file = path.join(files, randomBytes(6).toString('hex'))
  fs.writeFileSync(file, `${keys.join('\n')}\n`, { mode: 0o600 })
  return file
}
async function portal(INSTALLATION_KEY_FILE: string | undefined, ...words: string[]) {
  let text = ''
  const output = {
    write: (more: string) => {
      text += more
    },
  }
  const env = { DATABASE_URL: databaseUrl(database.connection), INSTALLATION_KEY_FILE }
  return { status: await runWords(words, { env, stdout: output, stderr: output }), text }
}
const stored = async () => {
  const rows = await database.db.selectFrom('installation_secret').selectAll().orderBy('name').execute()
  return Object.fromEntries(rows.map(({ name, secret }) => [name, secret.toString('hex')]))
}
/** A provider that is never called: with it, no demo data is loaded. */
const PROVIDER = { OIDC_ISSUER: 'http://127.0.0.1:9/', OIDC_CLIENT_ID: 'portal', OIDC_CLIENT_SECRET: 'secret' }
const run = (words: string[], env: Record<string, string | undefined>) =>
  spawnSync(process.execPath, words, { encoding: 'utf8', env: env as NodeJS.ProcessEnv })
/** In a process of its own, which has no other keys. */
const inProcess = (words: string[], settings: Record<string, string | undefined>) =>
  run(words, {
    ...CHILD_ENVIRONMENT,
    ...PROVIDER,
    DATABASE_URL: databaseUrl(database.connection),
    DATA_DIR: files,
    PORT: '18355',
    ...settings,
  })
const idOf = (key: string) => parseInstallationKey(key)!.id

test.each([
  ['base64', randomBytes(32).toString('base64'), true],
  ['base64url', randomBytes(32).toString('base64url'), true],
  ['hex', randomBytes(32).toString('hex'), true],
  ['16 bytes', randomBytes(16).toString('base64'), false],
  ['a passphrase', 'correct horse battery staple', false],
])('a key in %s is recognized or refused', (_, text, isKey) => {
  expect(parseInstallationKey(text) !== undefined).toBe(isKey)
})

test('a line that is no key is refused with its number, and a file that everybody can read is refused in prod', () => {
  const file = keyFile(newKey(), 'short')
  expect(() => readConfig({ INSTALLATION_KEY_FILE: file })).toThrow('entry 2 is not')
  const open = keyFile(newKey())
  fs.chmodSync(open, 0o644)
  expect(() => readConfig({ PORTAL_ENV: 'prod', INSTALLATION_KEY_FILE: open })).toThrow(
    `INSTALLATION_KEY_FILE ${open} can be read by every user of this machine`,
  )
})

test('a wrapped secret opens only with its key, for its purpose, and unchanged', () => {
  const key = parseInstallationKey(newKey())!
  const wrapped = wrapSecret(key, 'PINs', Buffer.from('secret'))
  expect(() => openSecret([], 'PINs', wrapped)).toThrow(
    `wrapped with the key ${key.id}, which INSTALLATION_KEY_FILE does not`,
  )
  expect(openSecret([key], 'PINs', wrapped).toString()).toBe('secret')
  const changed = Buffer.from(wrapped)
  changed[changed.length - 1]! ^= 1
  expect(() => openSecret([key], 'PINs', changed)).toThrow('is damaged')
  expect(() => openSecret([key], 'list tokens', wrapped)).toThrow('is damaged')
})

test('wrap, rotate and unwrap keep PINs and signing keys readable; each can be run again', async () => {
  const before = await stored()
  const [first, second] = [newKey(), newKey()]
  expect(await portal(undefined, 'installation-key', 'wrap')).toMatchObject({ status: 2 })
  expect((await portal(keyFile(first), 'installation-key', 'rotate')).text).toContain('No secret is wrapped yet')

  const count = Object.keys(before).length
  const { text } = await portal(keyFile(first), 'installation-key', 'wrap')
  expect(text).toContain(`${count} secrets are wrapped with the key ${idOf(first)} now`)
  expect(text).toContain('Backups from before do not need this key')
  expect((await portal(keyFile(first), 'installation-key', 'wrap')).text).toBe(
    `All secrets are wrapped with the key ${idOf(first)} already\n`,
  )
  for (const [name, secret] of Object.entries(await stored())) {
    expect(secret, name).not.toContain(before[name])
    expect(secret.length).toBeGreaterThan(120)
  }
  expect((await portal(keyFile(first), 'doctor', '--full')).text).toMatch(/ok +PINs: [1-9]/)
  expect((await portal(keyFile(first), 'doctor')).text).toMatch(/ok +license signing/)

  const file = keyFile(second, first)
  expect((await portal(file, 'doctor')).text).toContain(
    'warning  installation key: secrets are wrapped with an earlier key',
  )
  expect((await portal(file, 'installation-key', 'wrap')).text).toContain('run "installation-key rotate"')
  expect((await portal(file, 'installation-key', 'rotate')).text).toContain(`wrapped with the key ${idOf(second)} now`)
  expect((await portal(keyFile(second), 'doctor', '--full')).text).toMatch(/ok +PINs: [1-9]/)

  expect((await portal(file, 'installation-key', 'unwrap')).text).toContain(
    `${count} secrets are stored without a key now`,
  )
  expect(await stored()).toEqual(before)
  const log = await sql<{ action: string }>`
    select action from audit_log where action like 'installation-key%' order by id`.execute(database.db)
  expect(log.rows.map(({ action }) => action.split('.')[1])).toEqual(['wrap', 'rotate', 'unwrap'])
})

test('a change that is interrupted has changed nothing', async () => {
  const before = await stored()
  const key = parseInstallationKey(newKey())!
  const interrupted = database.db.transaction().execute(async (tx) => {
    expect((await UNWRAPPED.wrapAll(tx, key)).length).toBeGreaterThan(1)
    throw new Error('killed')
  })
  await expect(interrupted).rejects.toThrow('killed')
  expect(await stored()).toEqual(before)
})

test('a portal starts with the right key only, and says what is missing', async () => {
  const key = newKey()
  await portal(keyFile(key), 'installation-key', 'wrap')
  try {
    const { status, stderr } = inProcess(['server/main.ts'], { INSTALLATION_KEY: newKey() })
    expect(stderr).toBe(
      `The portal did not start: the secrets of this installation are wrapped with the key ${idOf(key)}, which INSTALLATION_KEY_FILE does not have\n`,
    )
    expect(status).toBe(1)
    expect((await portal(undefined, 'doctor')).text).toContain(
      `failed   installation key: the secrets are wrapped with the key ${idOf(key)}, which is not there.`,
    )
  } finally {
    await portal(keyFile(key), 'installation-key', 'unwrap')
  }
})

test('a portal with the key stores new secrets wrapped, and people work as before', async () => {
  const own = await demoDatabase()
  await sql`delete from installation_secret where name = 'list tokens'`.execute(own.db)
  const key = newKey()
  const env = { DATABASE_URL: databaseUrl(own.connection), INSTALLATION_KEY: key }
  const nowhere = { write: () => {} }
  expect(await runWords(['installation-key', 'wrap'], { env, stdout: nowhere, stderr: nowhere })).toBe(0)
  const started = await startPortal({ INSTALLATION_KEY: key }, {}, own)
  try {
    const wrappings = await listWrappings(own.db)
    expect(wrappings.map(({ name }) => name)).toContain('list tokens')
    expect(new Set(wrappings.map(({ keyId }) => keyId))).toEqual(new Set([idOf(key)]))
    await started.as('ada.admin@aerodyne.example')
  } finally {
    await started.close()
  }
})

test('wrap on a new installation makes its first secret, so that all that follow are wrapped', async () => {
  const own = await freshDatabase()
  try {
    await sql`delete from installation_secret`.execute(own.db)
    const key = newKey()
    const env = { DATABASE_URL: databaseUrl(own.connection), INSTALLATION_KEY: key }
    const nowhere = { write: () => {} }
    expect(await runWords(['installation-key', 'wrap'], { env, stdout: nowhere, stderr: nowhere })).toBe(0)
    await new InstallationSecrets([parseInstallationKey(key)!]).load(own.db, 'session tokens')
    expect((await listWrappings(own.db)).map(({ keyId }) => keyId)).toEqual([idOf(key), idOf(key)])
  } finally {
    await own.close()
  }
})

test('backup and restore keep the secrets wrapped', async () => {
  const key = newKey()
  const file = path.join(files, 'backup')
  await portal(keyFile(key), 'installation-key', 'wrap')
  const wrapped = await stored()
  const { text } = await portal(keyFile(key), 'backup', file)
  expect(text).toContain(`open only with the installation key ${idOf(key)}, which is not in the backup`)
  await portal(keyFile(key), 'installation-key', 'unwrap')
  await Promise.all([database.db, database.portal.db].map((db) => db.destroy()))
  const restored = await portal(undefined, 'restore', file, '--replace', database.connection.database)
  expect(restored.status, restored.text).toBe(0)
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows } = await client.query('select name, secret from installation_secret order by name')
  await client.end()
  expect(Object.fromEntries(rows.map(({ name, secret }) => [name, secret.toString('hex')]))).toEqual(wrapped)
})

test('doctor warns in prod while nothing is wrapped', async () => {
  const own = await startPortal()
  try {
    await UNWRAPPED.load(own.db, 'list tokens')
    const env = { ...CHILD_ENVIRONMENT, DATABASE_URL: databaseUrl(own.connection), PORTAL_ENV: 'prod', ...PROVIDER }
    const { stdout } = run(['server/cli/main.ts', 'doctor'], env)
    expect(stdout).toContain('warning  installation key: ')
  } finally {
    await own.close()
  }
})
