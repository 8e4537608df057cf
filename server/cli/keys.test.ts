import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { type Command, type Context, UsageError } from '#server/cli/command.ts'
import { keysCreate, keysList, keysRevoke } from '#server/cli/keys.ts'
import { readConfig } from '#server/config.ts'
import { auditContextOf, OPERATOR } from '#server/identity/principal.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

const now = new Date('2030-02-27T08:00:00Z')

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
beforeEach(() => database.db.deleteFrom('service_key').execute())
afterAll(() => database.close())

/** The output of the command. */
async function portal(command: Command, ...words: string[]): Promise<string[]> {
  const lines: string[] = []
  const context: Context = {
    config: readConfig({}),
    installation: { ...database, embedded: undefined, migrated: { isNew: false, steps: [] }, complete: async () => {} },
    now,
    secrets: UNWRAPPED,
    audit: auditContextOf(OPERATOR, { at: now, address: 'command line', requestId: '' }),
    say: (line) => lines.push(line),
    progress: () => {},
  }
  await command.run(words, context)
  return lines
}

test('keys create shows the key once and keeps only the hash of its secret', async () => {
  const [key = '', note] = await portal(keysCreate, 'ERP system', '--scope', 'usage,catalog')
  expect(key).toMatch(/^lpk_[a-z0-9]{12}_[A-Za-z0-9_-]{43}$/)
  expect(note).toBe('Keep it now: it cannot be shown again. ERP system may use usage, catalog until 2031-02-27.')
  const secret = key.slice(-43)
  expect((await portal(keysList)).join()).not.toContain(secret)
  const stored = await database.db.selectFrom('service_key').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify(stored)).not.toContain(secret)
  const log = await database.db.selectFrom('audit_log').selectAll().execute()
  expect(JSON.stringify(log)).not.toContain(secret)
})

test('--days sets the last day of a key', async () => {
  const [, note] = await portal(keysCreate, 'ERP system', '--scope', 'usage', '--days', '30')
  expect(note).toContain(`until ${addDays('2030-02-27', 30)}`)
  const { expires_at } = await database.db.selectFrom('service_key').select('expires_at').executeTakeFirstOrThrow()
  expect(expires_at.toISOString()).toBe('2030-03-29T23:59:59.999Z')
})

test('keys list shows name, id, scopes, state and last use', async () => {
  for (const name of ['in use', 'old', 'revoked']) await portal(keysCreate, name, '--scope', 'usage,web')
  const save = (name: string, values: object) =>
    database.db.updateTable('service_key').set(values).where('name', '=', name).execute()
  await save('in use', { last_used_at: new Date('2030-02-27T07:59:00Z') })
  await save('old', { created_at: new Date('2029-01-01T00:00:00Z'), expires_at: new Date('2030-01-31T00:00:00Z') })
  await portal(keysRevoke, 'revoked')
  const lines = (await portal(keysList)).map((line) => line.replace(/ [0-9a-f]{12} /, ' id '))
  expect(lines).toEqual([
    'in use  id  usage,web  valid until 2031-02-27  last used 2030-02-27T07:59:00.000Z',
    'old  id  usage,web  expired 2030-01-31  never used',
    'revoked  id  usage,web  revoked 2030-02-27  never used',
  ])
})

test('a name is taken while its key is in use, and free again after keys revoke', async () => {
  await portal(keysCreate, 'ERP system', '--scope', 'usage')
  await expect(portal(keysCreate, 'ERP system', '--scope', 'web')).rejects.toThrow('is in use')
  expect(await portal(keysRevoke, 'ERP system')).toEqual(['ERP system is revoked'])
  await expect(portal(keysRevoke, 'ERP system')).rejects.toThrow('No key named "ERP system" is in use')
  await portal(keysCreate, 'ERP system', '--scope', 'web')
})

test('creating and revoking a key is in the audit log as done by an operator', async () => {
  await portal(keysCreate, 'Audited', '--scope', 'usage')
  await portal(keysRevoke, 'Audited')
  const rows = await database.db
    .selectFrom('audit_log')
    .select(['action', 'principal', 'email', 'before', 'after'])
    .where((row) => row.or([row('after', '@>', '{"name":"Audited"}'), row('before', '@>', '{"name":"Audited"}')]))
    .orderBy('id')
    .execute()
  const operator = { principal: 'operator', email: 'operator' }
  const after = { name: 'Audited', scopes: ['usage'], expiresAt: '2031-02-27T23:59:59.999Z' }
  expect(rows).toEqual([
    { ...operator, action: 'service-key.create', before: null, after },
    { ...operator, action: 'service-key.revoke', before: { name: 'Audited' }, after: null },
  ])
})

test.each([
  [keysCreate, ['x'], '--scope must name at least one of accounts, catalog'],
  [keysCreate, ['x', '--scope', ' , '], '--scope must name at least one of'],
  [keysCreate, ['x', '--scope', 'root'], '"root" is not a scope'],
  [keysCreate, ['x', '--scope', 'usage', '--days', '0'], '--days must be a whole number from 1 to 1825'],
  [keysCreate, ['x', '--scope', 'usage', '--days', 'soon'], '--days must be a whole number from 1 to 1825'],
  [keysCreate, ['x', '--color', 'red'], "Unknown option '--color'"],
  [keysCreate, ['ops@vendor.example', '--scope', 'usage'], 'The name must be 1 to 100 letters'],
  [keysCreate, ['--scope', 'usage'], '<name> is missing'],
  [keysRevoke, [], '<name> is missing'],
  [keysList, ['all'], 'Unexpected argument: all'],
] as const)('$0.name refuses %j', async (command, words, complaint) => {
  const refused = portal(command, ...words)
  await expect(refused).rejects.toThrow(complaint)
  await expect(refused).rejects.toBeInstanceOf(UsageError)
})
