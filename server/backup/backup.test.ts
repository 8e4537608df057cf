import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import type { BackupHeader } from '#server/backup/backup-format.ts'
import { readBackup } from '#server/backup/backup-reader.ts'
import { runWords } from '#server/cli/run-words.ts'
import { removalsKnownSince } from '#server/data/removals.queries.ts'
import { openDatabase } from '#server/db/database.ts'
import type { ConnectionSettings } from '#server/embedded/cluster.ts'
import { findPin } from '#server/modules/elastic/credentials/credentials.queries.ts'
import { deleteStaffRole } from '#server/modules/staff/staff-roles.queries.ts'
import { databaseUrl } from '#server/testing/child-environment.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { addMeteredAccount, PIN, sentTransaction, startMeteredPortal } from '#server/testing/metering.ts'
import { until } from '#server/testing/until.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'
import { driftedDays } from '#server/testing/usage.ts'
import { usedDataDirectory, walkableDirectory } from '#server/testing/walkable-directory.ts'

const WRITERS = 4
const OWNER = `owner_${randomBytes(6).toString('hex')}`

let directory: string
let administration: ReturnType<typeof openDatabase>
beforeAll(async () => {
  directory = walkableDirectory('backup')
  administration = openDatabase({ ...inject('testServer'), max: 1 })
  await administration.pool.query(`create role ${OWNER} login password 'secret'`)
})
afterAll(async () => {
  await administration.pool.query(`drop role ${OWNER}`)
  await administration.db.destroy()
  fs.rmSync(directory, { recursive: true, force: true })
})

const inDirectory = (name: string) => path.join(directory, `${name}-${randomBytes(4).toString('hex')}`)

/** A database without tables, owned by a role with no other rights. */
async function bareDatabase(): Promise<ConnectionSettings> {
  const database = `bare_${randomBytes(6).toString('hex')}`
  await administration.pool.query(`create database ${database} owner ${OWNER}`)
  onTestFinished(async () => {
    await administration.pool.query(`drop database ${database} with (force)`)
  })
  return { ...inject('testServer'), database, user: OWNER, password: 'secret' }
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
const at = (connection: ConnectionSettings) => ({ DATABASE_URL: databaseUrl(connection) })

async function contentOf(file: string) {
  const parts: Record<string, string> = {}
  let header: BackupHeader | undefined
  const rows: Record<string, string> = {}
  await readBackup(file, undefined, {
    async header(found) {
      header = found
    },
    async table(name, bytes) {
      let text = ''
      for await (const chunk of bytes) text += chunk.toString()
      // Row order is not preserved.
      parts[name] = text.split('\n').sort().join('\n')
      return undefined
    },
    async sequences(found) {
      for (const { name, value } of found) rows[name] = value
    },
  })
  return { header: header!, parts, sequences: rows }
}

async function on<T>(connection: ConnectionSettings, act: (db: ReturnType<typeof openDatabase>['db']) => Promise<T>) {
  const { db } = openDatabase({ ...connection, max: 1 })
  try {
    return await act(db)
  } finally {
    await db.destroy()
  }
}

test('a backup under write load holds everything acknowledged before it, and restores to the same data', async () => {
  const metered = await startMeteredPortal('usage')
  onTestFinished(() => metered.close())
  await addMeteredAccount(metered.db, 'LOAD', { sold: [{ id: 'LOAD-1', units: 1_000_000 }] })
  await addStaff(metered.db, 'gone@b.example')
  await metered.db.transaction().execute((tx) => deleteStaffRole(tx, { email: 'gone@b.example', role: 'busops' }))
  const acknowledged: string[] = []
  let open = true
  const writers = Array.from({ length: WRITERS }, async () => {
    while (open) {
      const sent = [sentTransaction(metered, 'LOAD'), sentTransaction(metered, 'LOAD')]
      const { lines } = await metered.sendUsage(sent)
      for (const line of lines) if (line.status === 'SUCCESS') acknowledged.push(line.id)
    }
  })
  onTestFinished(async () => {
    open = false
    await Promise.all(writers)
  })
  await until(() => acknowledged.length > 50, 'nothing was booked')
  const before = [...acknowledged]
  const file = inDirectory('load')
  const backed = await portal(at(metered.connection), 'backup', file)
  const during = acknowledged.length - before.length
  open = false
  await Promise.all(writers)
  expect(backed.stderr).toMatch(/(\d+)\/\1 ready/)
  expect(backed).toMatchObject({ status: 0, stdout: expect.stringContaining('Keep it as safe as the database') })
  expect(during).toBeGreaterThan(0)
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  expect(fs.readdirSync(directory)).not.toContain(`${path.basename(file)}.part`)

  // The owner of this database is no superuser.
  const bare = await bareDatabase()
  const startedAt = new Date()
  const restored = await portal(at(bare), 'restore', file)
  expect(restored.stderr).toContain('checking what belongs together')
  expect(restored).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Restored \d+ tables, [\d,]+ rows/) })
  const again = inDirectory('again')
  expect((await portal(at(bare), 'backup', again)).status).toBe(0)
  const [first, second] = [await contentOf(file), await contentOf(again)]
  expect(Object.keys(first.parts)).toContain('usage_transaction_running')
  expect(Object.keys(first.parts)).not.toContain('session')
  expect(first.parts.removed_record).toContain('busops::gone@b.example')
  // Each backup holds itself, as a run that is going on.
  const { recovery_run: _run, ...parts } = first.parts
  for (const [name, rows] of Object.entries(parts))
    if (['audit_log', 'audit_pending'].includes(name)) expect(second.parts[name]).toContain(rows.trim())
    else expect(second.parts[name] === rows, name).toBe(true)
  const { audit_log_id_seq: _, recovery_run_id_seq: _id, ...sequences } = second.sequences
  expect(first.sequences).toMatchObject(sequences)

  await on(bare, async (db) => {
    const receipts = await db.selectFrom('usage_receipt').select('id').where('customer_number', '=', 'LOAD').execute()
    const kept = new Set(receipts.map(({ id }) => id))
    expect(before.filter((id) => !kept.has(id))).toEqual([])
    expect(await driftedDays(db)).toEqual([])
    // The key of the PINs came along, triggers and foreign keys are back, and the next number is free.
    expect(await findPin(db, UNWRAPPED, { customerNumber: 'LOAD', deviceId: 'server-LOAD' })).toBe(PIN)
    await expect(sql`delete from audit_log`.execute(db)).rejects.toThrow('append-only')
    const { rows } = await sql`select from pg_trigger where tgenabled = 'D'`.execute(db)
    expect(rows).toEqual([])
    expect(await constraintsOf(db)).toEqual(await constraintsOf(metered.db))
    // Records that were removed after the backup exist again: readers must compare.
    expect((await removalsKnownSince(db)).getTime()).toBeGreaterThan(startedAt.getTime())
  })
})

const constraintsOf = async (db: ReturnType<typeof openDatabase>['db']) =>
  (
    await sql`select conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('f', 'p', 'c', 'u') order by 1, 2`.execute(db)
  ).rows

async function freshConnection() {
  const { connection, close } = await freshDatabase()
  onTestFinished(close)
  return connection
}

const addStaff = (db: ReturnType<typeof openDatabase>['db'], email: string) =>
  db.insertInto('staff_role').values({ email, role: 'busops', granted_by: 'a test', granted_at: new Date() }).execute()

/** A backup of a small database, whose bytes the tests damage. */
async function smallBackup(...words: string[]) {
  const connection = await freshConnection()
  await on(connection, (db) => addStaff(db, 'a@b.example'))
  const file = inDirectory('small')
  expect(await portal(at(connection), 'backup', file, ...words)).toMatchObject({ status: 0 })
  return { file, connection }
}

function passphraseFile(text: string): string {
  const file = inDirectory('passphrase')
  fs.writeFileSync(file, `${text}\n`)
  return file
}

test('an embedded database takes a backup of another one, and gives it back', async () => {
  const { file } = await smallBackup()
  const env = { DATA_DIR: usedDataDirectory('restore') }
  expect(await portal(env, 'restore', file)).toMatchObject({ status: 0 })
  expect((await portal(env, 'users', 'list')).stdout).toBe('a@b.example  busops\n')
  expect(await portal(env, 'backup', `${file}-again`)).toMatchObject({ status: 0 })
  expect((await contentOf(`${file}-again`)).parts.staff_role).toBe((await contentOf(file)).parts.staff_role)
})

test('a damaged, truncated, longer or foreign file changes nothing and says what is wrong', async () => {
  const { file } = await smallBackup()
  const bytes = fs.readFileSync(file)
  const bare = await bareDatabase()
  const flipped = (at: number) => {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 0x01
    return changed
  }
  const format = bytes.indexOf(' ') + 1
  const body = bytes.indexOf('\n', format + 2) + 1
  for (const [broken, complaint] of [
    [bytes.subarray(0, bytes.length - 1), 'The backup file is damaged: it does not end as it was written'],
    [bytes.subarray(0, Math.floor(bytes.length / 2)), 'The backup file is damaged: it does not end as it was written'],
    [bytes.subarray(0, body), 'The backup file is damaged: it does not end as it was written'],
    [Buffer.concat([bytes, Buffer.from('\n')]), 'The backup file is damaged: it does not end as it was written'],
    [Buffer.concat([bytes, bytes]), 'The backup file is damaged: its checksum is not that of its content'],
    ...[format, format + 4, body, Math.floor(bytes.length / 2), bytes.length - 100].map(
      (at) => [flipped(at), 'The backup file is damaged: its checksum is not that of its content'] as const,
    ),
    [flipped(bytes.length - 10), 'The backup file is damaged'],
    [flipped(bytes.length - 80), 'The backup file is damaged: it does not end as it was written'],
    [Buffer.from('anything else\n'), 'is not a backup of this portal'],
    [Buffer.from('LICENSING-PORTAL-BACKUP 3\n{}\n'), 'A newer portal made this backup (format 3)'],
  ] as const) {
    const name = inDirectory('broken')
    fs.writeFileSync(name, broken)
    const { status, stderr } = await portal(at(bare), 'restore', name)
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(complaint) })
    expect((await portal(at(bare), 'restore', name, '--check')).stderr).toContain(complaint)
  }
  const tables = await on(bare, (db) =>
    sql`select from pg_class where relnamespace = 'public'::regnamespace`.execute(db),
  )
  expect(tables.rows).toEqual([])
  expect((await portal(at(bare), 'restore', file, '--check')).stdout).toMatch(/ is complete: \d+ tables, /)
})

test('a file of the first format, without a checksum of the whole file, is read, and its damage is detected', async () => {
  const { file } = await smallBackup()
  const bytes = fs.readFileSync(file)
  const first = bytes.subarray(0, bytes.lastIndexOf('\n', bytes.length - 2))
  first[first.indexOf(' ') + 1] = '1'.charCodeAt(0)
  const bare = await bareDatabase()
  const flipped = Buffer.from(first)
  flipped[Math.floor(first.length / 2)]! ^= 0x10
  for (const [broken, complaint] of [
    [first.subarray(0, first.length - 20), 'The backup file is incomplete'],
    [flipped, 'The backup file is damaged'],
    [Buffer.concat([first, Buffer.from('more bytes')]), 'The backup file is damaged'],
  ] as const) {
    const name = inDirectory('broken')
    fs.writeFileSync(name, broken)
    const { status, stderr } = await portal(at(bare), 'restore', name)
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(complaint) })
    expect(stderr).not.toContain('Nothing was changed')
  }
  const name = inDirectory('first')
  fs.writeFileSync(name, first)
  expect(await portal(at(bare), 'restore', name)).toMatchObject({ status: 0 })
})

test('rows that do not belong together are refused as a whole', async () => {
  const connection = await freshConnection()
  await on(connection, async (db) => {
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint where conrelid = 'web_user'::regclass and contype = 'f'`.execute(db)
    for (const { name } of rows) await sql`alter table web_user drop constraint ${sql.id(name)}`.execute(db)
    const row = { customer_number: 'NOBODY', email: 'a@b.example', added_at: new Date(), added_by: 'a@b.example' }
    await db.insertInto('web_user').values(row).execute()
  })
  const file = inDirectory('orphans')
  expect((await portal(at(connection), 'backup', file)).status).toBe(0)
  const { stderr } = await portal(at(await bareDatabase()), 'restore', file)
  expect(stderr).toMatch(/Nothing was changed: .*violates foreign key/)
})

test('an encrypted backup opens with its passphrase only', async () => {
  const right = passphraseFile('correct horse battery staple')
  const { file } = await smallBackup('--passphrase-file', right)
  const bare = await bareDatabase()
  const restore = (...words: string[]) => portal(at(bare), 'restore', file, ...words)
  expect((await restore()).stderr).toContain('This backup is encrypted')
  const wrong = passphraseFile('another long passphrase')
  expect((await restore('--passphrase-file', wrong)).stderr).toContain('The passphrase does not open this backup')
  const bytes = fs.readFileSync(file)
  bytes[bytes.length - 1]! ^= 1
  fs.writeFileSync(`${file}-changed`, bytes)
  const changed = await portal(at(bare), 'restore', `${file}-changed`, '--passphrase-file', right)
  expect(changed).toMatchObject({ status: 1, stderr: expect.stringContaining('The backup file is damaged') })
  expect(await restore('--passphrase-file', right)).toMatchObject({ status: 0 })
  const short = passphraseFile('short')
  expect(await portal(at(bare), 'backup', inDirectory('x'), '--passphrase-file', short)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('12 characters or more'),
  })
})

test('a database with data is replaced only by name, and never while somebody uses it', async () => {
  const { file } = await smallBackup()
  const { connection } = await smallBackup()
  await on(connection, (db) => addStaff(db, 'c@d.example'))
  const env = at(connection)
  const staff = () => on(connection, (db) => db.selectFrom('staff_role').select('email').orderBy('email').execute())
  const refused = await portal(env, 'restore', file)
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is not empty: it has rows in audit_log'),
  })
  expect(refused.stderr).toContain(`add --replace ${connection.database}`)
  expect((await portal(env, 'restore', file, '--replace', 'other')).stderr).toContain(`not "other"`)
  await on({ ...connection, ...{ application_name: 'a portal' } }, async (db) => {
    await sql`select 1`.execute(db)
    const { stderr } = await portal(env, 'restore', file, '--replace', connection.database)
    expect(stderr).toContain('Stop the portal first: the database is in use by a portal')
  })
  expect(await staff()).toHaveLength(2)
  expect(await portal(env, 'restore', file, '--replace', connection.database)).toMatchObject({ status: 0 })
  expect(await staff()).toEqual([{ email: 'a@b.example' }])
  const acts = await on(connection, (db) => db.selectFrom('audit_log').select(['action', 'principal']).execute())
  expect(acts).toEqual([{ action: 'restore', principal: 'operator' }])
})

test('a backup of version 0.x is refused with what to do', async () => {
  const connection = await freshConnection()
  await on(connection, async (db) => {
    await sql`delete from migration`.execute(db)
    await sql`insert into migration (name, sha256) values ('0001_accounts.sql', '')`.execute(db)
  })
  const file = inDirectory('of-0.x')
  expect((await portal(at(connection), 'backup', file)).status).toBe(0)
  const { status, stderr } = await portal(at(await bareDatabase()), 'restore', file)
  expect(status).toBe(1)
  expect(stderr).toContain('This backup is of version 0.x, which this version does not read: begin with a new database')
})

test('a backup of a later version is refused', async () => {
  const connection = await freshConnection()
  await on(connection, (db) => sql`insert into migration (name, sha256) values ('9998_later.sql', '')`.execute(db))
  const file = inDirectory('later')
  expect((await portal(at(connection), 'backup', file)).status).toBe(0)
  const { stderr } = await portal(at(await bareDatabase()), 'restore', file)
  expect(stderr).toMatch(/A newer portal made this backup .*9998_later.sql/)
})

test('backup refuses a file that exists, and a database without a portal', async () => {
  const { file, connection } = await smallBackup()
  expect(await portal(at(connection), 'backup', file)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('exists already'),
  })
  const none = inDirectory('none')
  expect(await portal(at(await bareDatabase()), 'backup', none)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('There is no portal in this database'),
  })
  expect(fs.existsSync(none) || fs.existsSync(`${none}.part`)).toBe(false)
  expect((await portal(at(connection), 'restore', none)).status).toBe(2)
})
