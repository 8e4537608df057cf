import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let url: string
beforeAll(async () => {
  database = await freshDatabase()
  const { user, password, port, host, database: name } = database.connection
  url = `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
})
afterAll(() => database.close())

function portal(...words: string[]) {
  const env = { PATH: process.env.PATH, DATABASE_URL: url }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/cli/main.ts', ...words], {
    encoding: 'utf8',
    env,
  })
  return { status, stdout, stderr }
}

test('--help lists the commands', () => {
  const { status, stdout } = portal('--help')
  expect(status).toBe(0)
  for (const command of ['migrate', 'users grant <email>', 'users revoke <email>', 'users list', 'demo'])
    expect(stdout).toContain(command)
})

test('an address is kept as at sign-in, whatever its case and the width of its letters', () => {
  expect(portal('users', 'grant', ' \uff2fps@Vendor.example', 'support').stdout).toBe(
    'ops@vendor.example is now support\n',
  )
  expect(portal('users', 'revoke', 'OPS@vendor.example', 'support').stdout).toBe(
    'ops@vendor.example is no longer support\n',
  )
})

test('staff roles are granted, listed and revoked, each in the audit log', async () => {
  expect(portal('users', 'grant', 'New.Person@vendor.example', 'support')).toMatchObject({
    status: 0,
    stdout: 'new.person@vendor.example is now support\n',
  })
  expect(portal('users', 'grant', 'new.person@vendor.example', 'support').stdout).toContain('was support already')
  expect(portal('users', 'list').stdout).toBe('new.person@vendor.example  support\n')
  expect(portal('users', 'revoke', 'new.person@vendor.example', 'support').status).toBe(0)
  expect(portal('users', 'list').stdout).toBe('')
  const log = await database.db
    .selectFrom('audit_log')
    .select(['action', 'email', 'target'])
    .where('target', '=', 'new.person@vendor.example')
    .orderBy('id')
    .execute()
  expect(log).toEqual([
    { action: 'staff.grant', email: 'operator', target: 'new.person@vendor.example' },
    { action: 'staff.revoke', email: 'operator', target: 'new.person@vendor.example' },
  ])
})

test('service keys are shown once, listed without their secret and revoked', async () => {
  const made = portal('keys', 'create', 'ERP system', '--scope', 'usage,catalog')
  expect(made).toMatchObject({ status: 0, stderr: '' })
  const [key = '', note] = made.stdout.split('\n')
  const secret = key.slice(-43)
  expect(key).toMatch(/^lpk_[a-z0-9]{12}_[A-Za-z0-9_-]{43}$/)
  expect(note).toContain('ERP system may use usage, catalog until')
  expect(portal('keys', 'create', 'ERP system', '--scope', 'usage').stderr).toContain('is in use')

  const listed = portal('keys', 'list').stdout
  expect(listed).toMatch(/^ERP system {2}[a-z0-9]{12} {2}usage,catalog {2}valid until \d{4}-\d\d-\d\d {2}never used\n$/)
  expect(listed).not.toContain(secret)
  const stored = await database.db.selectFrom('service_key').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify(stored)).not.toContain(secret)

  expect(portal('keys', 'revoke', 'ERP system')).toMatchObject({ status: 0, stdout: 'ERP system is revoked\n' })
  expect(portal('keys', 'list').stdout).toContain('revoked')
  expect(portal('keys', 'revoke', 'ERP system').stderr).toContain('No key named "ERP system" is in use')
  expect(portal('keys', 'create', 'ERP system', '--scope', 'usage').status).toBe(0)
  const log = await database.db
    .selectFrom('audit_log')
    .select(['action', 'principal'])
    .where('action', 'like', 'service-key.%')
    .orderBy('id')
    .execute()
  expect(log).toEqual([
    { action: 'service-key.create', principal: 'operator' },
    { action: 'service-key.revoke', principal: 'operator' },
    { action: 'service-key.create', principal: 'operator' },
  ])
})

test.each([
  [['users', 'grant', 'x', 'support'], '"x" is not an email address'],
  [['users', 'grant', `${'a'.repeat(65)}@b.example`, 'support'], 'is not an email address'],
  [['users', 'grant', 'a@b.example', 'root'], '"root" is not a staff role: busops, support, sales, admin'],
  [['users'], 'There is no command "users"'],
  [['keys', 'create', 'x'], '--scope must name at least one of accounts, catalog'],
  [['keys', 'create', 'x', '--scope', 'root'], '"root" is not a scope'],
  [['keys', 'create', 'x', '--scope', 'usage', '--days', '0'], '--days must be a whole number from 1 to 1825'],
  [['keys', 'create', 'x', '--color', 'red'], "Unknown option '--color'"],
  [['keys', 'revoke'], '<name> is missing'],
  [['migrate', 'now'], 'Unexpected argument: now'],
])('%j is called wrongly: exit code 2', (words, complaint) => {
  const { status, stderr } = portal(...words)
  expect(status).toBe(2)
  expect(stderr).toContain(complaint)
})

test('migrate finds the database up to date', () => {
  expect(portal('migrate')).toMatchObject({ status: 0, stdout: 'The database is up to date\n' })
})
