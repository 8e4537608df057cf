import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { licenseText } from '#domain/activations/license-files/license-text.ts'
import { issue, leased } from '#domain/activations/testing/license-samples.ts'
import { runWords } from '#server/cli/run-words.ts'
import { isRoot } from '#server/embedded/server-user.ts'
import { loadSigner } from '#server/modules/activations/activations.public.ts'
import { CHILD_ENVIRONMENT, databaseUrl } from '#server/testing/child-environment.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let url: string
beforeAll(async () => {
  database = await freshDatabase()
  url = databaseUrl(database.connection)
})
afterAll(() => database.close())

/** Runs the command in a separate process, as an operator does. It takes a second to start. */
function portalProcess(...words: string[]) {
  const env = { ...CHILD_ENVIRONMENT, DATABASE_URL: url }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/cli/main.ts', ...words], {
    encoding: 'utf8',
    env,
  })
  return { status, stdout, stderr }
}

/** Runs a command in this process. */
async function portal(...words: string[]) {
  const said = { stdout: '', stderr: '' }
  const output = (name: keyof typeof said) => ({
    write: (text: string) => {
      said[name] += text
    },
  })
  const caller = { env: { DATABASE_URL: url }, stdout: output('stdout'), stderr: output('stderr') }
  return { status: await runWords(words, caller), ...said }
}

test('a process prints results to stdout and errors to stderr, and ends with the exit code', () => {
  expect(portalProcess('users', 'grant', 'Process@vendor.example', 'sales')).toEqual({
    status: 0,
    stdout: 'process@vendor.example is now sales\n',
    stderr: '',
  })
  expect(portalProcess('users', 'revoke', 'process@vendor.example', 'sales').status).toBe(0)
  expect(portalProcess('users')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'There is no command "users". Try --help.\n',
  })
})

test('--help lists the commands', async () => {
  const { status, stdout } = await portal('--help')
  expect(status).toBe(0)
  for (const command of [
    'migrate',
    'users grant <email>',
    'users revoke <email>',
    'users list',
    'keys create <name>',
    'license verify <file>',
    'demo',
  ])
    expect(stdout).toContain(command)
})

test('email addresses are compared as at sign-in, in any case and without letters that only look alike', async () => {
  const refused = await portal('users', 'grant', '\uff2fps@Vendor.example', 'support')
  expect(refused.status).not.toBe(0)
  expect(refused.stderr).toContain('is not an email address')
  expect((await portal('users', 'grant', ' Ops@Vendor.example', 'support')).stdout).toBe(
    'ops@vendor.example is now support\n',
  )
  expect((await portal('users', 'revoke', 'OPS@vendor.example', 'support')).stdout).toBe(
    'ops@vendor.example is no longer support\n',
  )
})

test('staff roles are granted, listed and revoked, each in the audit log', async () => {
  expect(await portal('users', 'grant', 'New.Person@vendor.example', 'support')).toMatchObject({
    status: 0,
    stdout: 'new.person@vendor.example is now support\n',
  })
  expect((await portal('users', 'grant', 'new.person@vendor.example', 'support')).stdout).toContain(
    'was support already',
  )
  expect((await portal('users', 'list')).stdout).toBe('new.person@vendor.example  support\n')
  expect((await portal('users', 'revoke', 'new.person@vendor.example', 'support')).status).toBe(0)
  expect((await portal('users', 'list')).stdout).toBe('')
  const log = await database.db
    .selectFrom('audit_log')
    .select(['action', 'email', 'principal', 'target'])
    .where('target', '=', 'new.person@vendor.example')
    .orderBy('id')
    .execute()
  const operator = { email: 'operator', principal: 'operator' }
  expect(log).toEqual([
    { ...operator, action: 'staff.grant', target: 'new.person@vendor.example' },
    { ...operator, action: 'staff.revoke', target: 'new.person@vendor.example' },
  ])
})

test('service keys are made and listed', async () => {
  const made = await portal('keys', 'create', 'ERP system', '--scope', 'usage,catalog')
  expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^lpk_/), stderr: '' })
  expect((await portal('keys', 'list')).stdout).toMatch(/^ERP system {2}[0-9a-f]{12} {2}usage,catalog {2}valid until /)
})

test.each([
  [['users', 'grant', 'x', 'support'], '"x" is not an email address'],
  [['users', 'grant', `${'a'.repeat(65)}@b.example`, 'support'], 'is not an email address'],
  [['users', 'grant', 'a@b.example', 'root'], '"root" is not a staff role: busops, support, sales, admin'],
  [['users'], 'There is no command "users"'],
  [['keys', 'create', 'x', '--color', 'red'], "Unknown option '--color'"],
  [['migrate', 'now'], 'Unexpected argument: now'],
])('%j is refused with exit code 2', async (words, complaint) => {
  const { status, stderr } = await portal(...words)
  expect(status).toBe(2)
  expect(stderr).toContain(complaint)
})

test('migrate reports that the database is up to date', async () => {
  expect(await portal('migrate')).toMatchObject({ status: 0, stdout: 'The database is up to date\n' })
})

test('license verify accepts a file before and after its key is rotated', async () => {
  expect((await portal('license', 'keys', 'create')).stdout).toMatch(
    /^License files are signed with portal-[0-9a-f]{12} from now/,
  )
  expect(await portal('license', 'keys', 'create')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('rotate'),
  })
  const signer = await loadSigner(database.db, UNWRAPPED, new Date())
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'license-')), 'license.lic')
  const text = licenseText([leased], { ...issue, keyId: signer.keyId }, signer.sign) ?? ''
  fs.writeFileSync(file, text)
  expect((await portal('license', 'keys', 'rotate')).status).toBe(0)
  expect(await portal('license', 'verify', file)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('no character of it was changed'),
  })
  fs.writeFileSync(file, text.replace(' 1055', ' 1056'))
  expect(await portal('license', 'verify', file)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is not as this portal generated it'),
  })
  fs.writeFileSync(file, text.replace(/(INCREMENT .*) 12 /, '$1 13 '))
  expect(await portal('license', 'verify', file)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('was changed'),
  })
  expect((await portal('license', 'verify', '/no/such/file')).status).toBe(2)
  const listed = (await portal('license', 'keys', 'list')).stdout
  expect(listed.match(/ {2}signs {2}/g)).toHaveLength(1)
  expect(listed).toContain(`${signer.keyId}  verifies only`)
  const log = await database.db
    .selectFrom('audit_log')
    .select(['action', 'email'])
    .where('action', 'like', 'license-key.%')
    .orderBy('id')
    .execute()
  expect(log).toEqual([
    { action: 'license-key.create', email: 'operator' },
    { action: 'license-key.rotate', email: 'operator' },
  ])
  fs.rmSync(path.dirname(file), { recursive: true })
})

test.runIf(isRoot())(
  'a file that the user of the service cannot open is named with that user (needs root)',
  async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-of-root-'))
    onTestFinished(() => fs.rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'debug.log')
    fs.writeFileSync(file, '')
    process.seteuid?.('nobody')
    try {
      const { status, stderr } = await portal('license-use', 'read', file)
      expect(status).toBe(2)
      expect(stderr).toContain(
        `${file} cannot be read: EACCES: permission denied, open '${file}' (as the user nobody)\n`,
      )
    } finally {
      process.seteuid?.(0)
    }
  },
)
