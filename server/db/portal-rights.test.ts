import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { grantPortalRights, listMissingRights } from '#server/db/portal-rights.ts'
import { PORTAL_ROLE } from '#server/embedded/cluster.ts'
import { startPortal } from '#server/testing/portal.ts'

let portal: Awaited<ReturnType<typeof startPortal>>
beforeAll(async () => {
  portal = await startPortal()
  await portal.pool.query(`select ensure_usage_partitions('2031-01-01', '2031-01-31')`)
})
afterAll(() => portal.close())

const query = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
  (await portal.pool.query<R>(text, values)).rows
/** As the role that the portal runs as. */
const asPortal = (text: string) => portal.portal.pool.query(text)

/** Tables whose rows are added and never changed or deleted. */
const APPEND_ONLY = [
  'access_review_file',
  'audit_checkpoint',
  'audit_log',
  'audit_seal',
  'fulfillment',
  'license_file',
  'mailed_record',
  'mailed_statement',
  'options_file_version',
  'usage_transaction_2031_01',
]

// The role may create databases: drills restore a backup into a new one.
test("the portal's role owns nothing and is a member of no other role", async () => {
  const owned = await query(
    `select relname as name from pg_class where relowner = $1::text::regrole
     union all select proname from pg_proc where proowner = $1::text::regrole
     union all select nspname from pg_namespace where nspowner = $1::text::regrole
     union all select typname from pg_type where typowner = $1::text::regrole
     union all select datname from pg_database where datdba = $1::text::regrole`,
    [PORTAL_ROLE],
  )
  expect(owned).toEqual([])
  expect(await query('select from pg_auth_members where member = $1::text::regrole', [PORTAL_ROLE])).toEqual([])
  expect(
    await query(
      `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = $1`,
      [PORTAL_ROLE],
    ),
  ).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: true, rolreplication: false, rolbypassrls: false }])
})

test('the portal runs as that role, with its jobs started', async () => {
  const users = await query(
    `select distinct usename as name from pg_stat_activity where datname = current_database() and application_name = 'portal'
      and pid <> pg_backend_pid() and usename <> current_user`,
  )
  expect(users).toEqual([{ name: PORTAL_ROLE }])
  const { rows } = await asPortal('select count(*)::int as queues from jobs.queue')
  expect(rows[0].queues).toBeGreaterThan(5)
})

test.each(APPEND_ONLY)('may add to %s, and not update, delete or truncate it', async (table) => {
  const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']
  const [found] = await query<{ has: string[] }>(
    'select array(select r from unnest($3::text[]) r where has_table_privilege($1, $2, r)) as has',
    [PORTAL_ROLE, table, rights],
  )
  expect(found?.has).toEqual(['SELECT', 'INSERT'])
  await expect(asPortal(`delete from ${table}`)).rejects.toMatchObject({ code: '42501' })
})

test('may truncate no table, and add triggers to none', async () => {
  expect(
    await query(
      `select oid::regclass::text from pg_class where relkind in ('r', 'p') and relnamespace in ('public'::regnamespace, 'jobs'::regnamespace)
        and (has_table_privilege($1, oid, 'TRUNCATE') or has_table_privilege($1, oid, 'TRIGGER'))`,
      [PORTAL_ROLE],
    ),
  ).toEqual([])
})

test('every table that refuses changes with a trigger is among those without the right', async () => {
  const guarded = await query<{ name: string }>(
    `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where t.tgfoid in ('refuse_change'::regproc, 'refuse_audit_removal'::regproc) and t.tgtype & 1 = 0
        and t.tgqual is null and t.tgattr::text = '' and c.relname !~ '_\\d{4}_\\d{2}$'
      group by 1 having bit_or(t.tgtype::int) & 24 = 24 order by 1`,
  )
  expect(guarded.map(({ name }) => name)).toEqual(APPEND_ONLY.filter((name) => !/\d{4}/.test(name)))
})

test.each([
  ['disable the triggers of the audit log', 'alter table audit_log disable trigger user'],
  ['drop a table', 'drop table audit_log'],
  ['create a table', 'create table made_here (id int)'],
  [
    'replace a function of a trigger',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
  ],
  ['switch triggers off for its session', 'set session_replication_role = replica'],
  ['become the owner', 'set role portal'],
  ['change the list of migrations', 'delete from migration'],
  ['change how long the audit log is kept', 'insert into audit_retention (days) values (1)'],
  ['change a secret', `update installation_secret set secret = ''`],
])('may not %s', async (_, statement) => {
  await expect(asPortal(statement)).rejects.toMatchObject({ code: '42501' })
})

test('makes months of usage with the rights of their owner, and adds to them', async () => {
  await asPortal(`select ensure_usage_partitions('2032-05-01', '2032-05-31')`)
  await asPortal('select analyze_usage()')
  expect(
    await query(
      `select pg_get_userbyid(relowner) = current_user as owned, has_table_privilege($1, oid, 'INSERT') as adds,
              has_table_privilege($1, oid, 'UPDATE') as changes from pg_class where relname = 'usage_transaction_2032_05'`,
      [PORTAL_ROLE],
    ),
  ).toEqual([{ owned: true, adds: true, changes: false }])
})

test('others may not call the functions that work as the owner', async () => {
  const open = await query(
    `select p.oid::regprocedure::text from pg_proc p cross join aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where p.prosecdef and p.pronamespace = 'public'::regnamespace and a.grantee = 0`,
  )
  expect(open).toEqual([])
  const unsafe = await query(
    `select p.oid::regprocedure::text from pg_proc p
      where p.prosecdef and p.pronamespace = 'public'::regnamespace and not coalesce(p.proconfig::text, '') like '%search_path=public, pg_temp%'`,
  )
  expect(unsafe).toEqual([])
})

test('rights are complete after a migration, and what is granted by hand is taken back', async () => {
  expect(await listMissingRights(portal.pool, PORTAL_ROLE)).toEqual([])
  await query(`grant update, truncate on audit_log to ${PORTAL_ROLE}`)
  await query(`revoke insert on alert from ${PORTAL_ROLE}`)
  const missing = await listMissingRights(portal.pool, PORTAL_ROLE)
  expect(missing).toHaveLength(2)
  expect(missing[0]).toMatch(/^revoke (update, truncate|truncate, update) on audit_log from /)
  expect(missing[1]).toBe(`grant insert on alert to ${PORTAL_ROLE}`)
  await grantPortalRights(portal.pool, PORTAL_ROLE)
  expect(await listMissingRights(portal.pool, PORTAL_ROLE)).toEqual([])
})

test('a role with an unusual name gets the same rights', async () => {
  const role = `Portal "${randomBytes(4).toString('hex')}"`
  const name = pg.escapeIdentifier(role)
  await query(`create role ${name} login password 'secret'`)
  onTestFinished(async () => {
    await query(`drop owned by ${name}`)
    await query(`drop role ${name}`)
  })
  await grantPortalRights(portal.pool, role)
  expect(await listMissingRights(portal.pool, role)).toEqual([])
  await query(`select ensure_usage_partitions('2033-05-01', '2033-05-31')`)
  const client = new pg.Client({
    ...inject('testServer'),
    database: portal.connection.database,
    user: role,
    password: 'secret',
  })
  await client.connect()
  onTestFinished(() => client.end())
  expect((await client.query('select from usage_transaction_2033_05')).rows).toEqual([])
})
