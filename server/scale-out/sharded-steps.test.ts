import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { accountList } from '#contract/accounts/account-list.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { prepareDatabase } from '#server/prepare-database.ts'
import { isSharded, listMissingFunctions } from '#server/scale-out/shard.queries.ts'
import { planSharding, shard } from '#server/scale-out/shard.ts'
import { OLIVIA } from '#server/testing/activations.ts'
import { demoDatabase, type TestDatabase } from '#server/testing/database.ts'
import { startPortal } from '#server/testing/portal.ts'
import { filledCitusDatabase } from '#server/testing/scale-out/citus.ts'
import { REFUSED_BY_SHARDS, runTrialSteps } from '#server/testing/trial-steps.ts'

const { CITUS_URL } = process.env
if (!CITUS_URL) console.warn('CITUS_URL is not set: no sharded database was migrated')

/** A table of customers, a partitioned one, one that every node has and one on the coordinator. */
const TABLES = ['account', 'usage_transaction', 'product', 'person']
/** Steps that follow each other. Those of each table leave it as it was. */
const ALTERATIONS = [
  'alter table TABLE add column trial text, add column trial_count int not null default 5',
  'create index trial_by_text on TABLE (lower(trial)) where trial is not null',
  'alter table TABLE add constraint trial_short check (length(trial) < 100) not valid',
  'alter table TABLE validate constraint trial_short',
  'alter table TABLE add check (trial_count > 0)',
  `alter table TABLE alter column trial set default 'new', alter column trial_count drop not null`,
  'alter table TABLE rename column trial to trial_text',
  'alter table TABLE alter column trial_count type bigint',
  'alter table TABLE alter column trial_count set not null',
  'alter table TABLE alter column trial_text drop default',
  'alter index trial_by_text rename to trial_index',
  `comment on column TABLE.trial_text is 'a trial'`,
  `create function note_trial() returns trigger language plpgsql set search_path = public as
   $$ begin new.trial_text := coalesce(new.trial_text, 'noted'); return new; end $$;
   create trigger trial_is_noted before insert on TABLE for each row execute function note_trial()`,
  `create or replace function note_trial() returns trigger language plpgsql set search_path = public as
   $$ begin return new; end $$`,
  'alter table TABLE disable trigger trial_is_noted; alter table TABLE enable trigger trial_is_noted',
  'drop trigger trial_is_noted on TABLE; drop function note_trial()',
  'drop index trial_index; alter table TABLE drop constraint trial_short',
  'do $$ begin alter table TABLE drop column trial_text; end $$',
  'alter table TABLE drop column trial_count',
]
const OTHERS = [
  // Rows of customers, of every node and of the coordinator.
  `update contact c set role = c.role from account a where a.customer_number = c.customer_number`,
  `insert into contact (customer_number, email, role)
   select customer_number, 'trial@vendor.example', 'Licensing Portal Viewer' from account where customer_number <> ''`,
  `delete from contact where email = 'trial@vendor.example'`,
  'update product set name = name; update person set email = email; do $$ begin update account set name = name; end $$',
  `create temporary table trial_kept on commit drop as select customer_number, email from contact;
   alter table contact add column trial text;
   update contact c set trial = k.email from trial_kept k where k.customer_number = c.customer_number and k.email = c.email;
   alter table contact alter column trial set not null`,
  // Keys, also to tables that every node has, after other changes.
  'create unique index trial_once on contact (customer_number, trial); drop index trial_once',
  'alter table contact add unique (customer_number, trial)',
  'alter table contact add constraint trial_self foreign key (customer_number, trial) references contact (customer_number, email)',
  `alter table entitlement add column trial_part text;
   alter table entitlement add constraint trial_part_is_known foreign key (trial_part) references product (part_number)`,
  'alter table contact drop constraint trial_self; alter table contact drop column trial',
  // New tables, which are on the coordinator until they are sharded.
  `create table trial_note (
     customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account (customer_number),
     id bigint generated always as identity, note text not null, primary key (customer_number, id));
   create index on trial_note (customer_number, note)`,
  `create function keep_trial() returns integer language sql set search_path = public as 'select 1'`,
  `alter table usage_transaction rename to trial_usage; alter table trial_usage rename to usage_transaction`,
  `select ensure_usage_partitions(now() + interval '3 years', now() + interval '3 years')`,
  'truncate web_denial; lock table web_denial in access exclusive mode',
  'drop table web_denial',
  'alter table account add column trial text not null default $$new$$; alter table account alter column name drop not null',
  'grant select on trial_note to public; revoke select on trial_note from public',
  'analyze contact; alter table contact set (fillfactor = 90); create statistics trial on email, role from contact',
]

describe.runIf(inject('testNodes').length > 1)('a step on a sharded database', () => {
  let database: TestDatabase
  const ran: Record<string, string> = {}
  const run = (text: string) => {
    const name = `${9001 + Object.keys(ran).length}_trial.sql`
    return { name, ran: runTrialSteps(database.connection, { ...ran, [name]: text }) }
  }

  beforeAll(async () => {
    database = await demoDatabase()
    return () => database.close()
  })

  test.each([...TABLES.flatMap((table) => ALTERATIONS.map((text) => text.replaceAll('TABLE', table))), ...OTHERS])(
    'runs: %s',
    async (text) => {
      const step = run(`${text};`)
      expect(await step.ran).toEqual({ isNew: false, steps: [step.name] })
      ran[step.name] = `${text};`
    },
  )

  test.each(REFUSED_BY_SHARDS)(
    'ends in one line and changes nothing where Citus refuses it: %s',
    async (text, reason) => {
      const step = run(`alter table account add column half text; ${text};`)
      await expect(step.ran).rejects.toThrow(`migration ${step.name} failed: ${reason}`)
      const { rows } =
        await sql`select from pg_attribute where attrelid = 'account'::regclass and attname = 'half'`.execute(
          database.db,
        )
      expect(rows).toEqual([])
    },
  )

  test('is on every shard as it is on the coordinator', async () => {
    for (const table of ['account', 'contact', 'entitlement', 'usage_transaction']) {
      const { rows } = await sql<{ result: string; shell: string }>`
        select distinct result, (${sql.raw(describedAs(`'${table}'`))})::text as shell
          from run_command_on_shards(${table}::regclass, ${describedAs("'%1$s'")})`.execute(database.db)
      expect(rows, table).toEqual([{ result: rows[0]?.shell, shell: expect.stringContaining('customer_number') }])
    }
  })

  test('leaves to "shard" what is new and the copy of the accounts', async () => {
    await database.portal.db.destroy()
    expect(await planSharding(database.db)).toMatchObject({ steps: [{ table: 'trial_note' }], isDone: false })
    await shard(database.db, 4, () => {})
    expect(await planSharding(database.db)).toMatchObject({ steps: [], isDone: true })
    expect(await listMissingFunctions(database.db)).toEqual([])
    // Only the copy differs.
    await runTrialSteps(database.connection, { ...ran, '9900_drop.sql': 'alter table account drop column trial;' })
    expect(await planSharding(database.db)).toMatchObject({ steps: [], isDone: false })
  })
})

/** Columns of a table with their types, and how many checks, indexes and triggers it has. */
const describedAs = (table: string) => `
  select json_build_object(
    'columns', (select string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull), ', ' order by attname)
                  from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped),
    'checks', (select count(*) from pg_constraint where conrelid = ${table}::regclass and contype = 'c'),
    'indexes', (select count(*) from pg_index where indrelid = ${table}::regclass),
    'triggers', (select count(*) from pg_trigger where tgrelid = ${table}::regclass and not tgisinternal))`

/** What a release may bring. */
const RELEASE = {
  '9001_office.sql': `
    alter table contact add column office text not null default 'Here';
    create index contact_by_office on contact (customer_number, office);
    alter table contact add constraint contact_office_is_short check (length(office) < 40);
    alter table product add column family text;
    update product set family = daemon;
    create table office (
      customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account (customer_number),
      name text not null, primary key (customer_number, name));
    insert into office select distinct customer_number, office from contact;
    create function refuse_long_office() returns trigger language plpgsql set search_path = public as
    $$ begin raise exception 'too long'; end $$;
    create trigger office_is_short before insert on office for each row when (length(new.name) > 40)
      execute function refuse_long_office();`,
  '9002_names.sql': 'alter table account rename column name to title; alter table account rename column title to name;',
}

test.runIf(CITUS_URL)(
  'an older installation is sharded, migrated, sharded again and served with its data',
  async () => {
    const database = await filledCitusDatabase(CITUS_URL!)
    const before = await readRows(database)
    await shard(database.db, 4, () => {})
    expect(await readRows(database)).toEqual(before)

    expect(await runTrialSteps(database.connection, RELEASE)).toEqual({ isNew: false, steps: Object.keys(RELEASE) })
    expect(await planSharding(database.db)).toMatchObject({ steps: [{ table: 'office' }], isDone: false })
    await shard(database.db, 4, () => {})
    expect(await planSharding(database.db)).toMatchObject({ isDone: true })
    const after = await readRows(database)
    expect(after.get('office')).toHaveLength(new Set(before.get('contact')!.map(({ customer_number: id }) => id)).size)
    for (const [table, rows] of before)
      if (table !== 'migration') expect(withColumns(after.get(table)!, rows[0]), table).toEqual(rows)

    await prepareDatabase(database.connection, { portalRole: undefined })
    const portal = await startPortal({}, {}, database)
    onTestFinished(() => portal.close())
    const olivia = await portal.as(OLIVIA)
    const done = { status: 200, body: { status: 'SUCCESS' } }
    expect(await olivia(accountList.page, { body: { limit: 100 } })).toMatchObject(done)
    expect(await olivia(usageList.page, { body: { customerNumber: '100001', limit: 20 } })).toMatchObject(done)
    const long = sql`insert into office values ('100001', repeat('x', 41))`.execute(database.db)
    await expect(long).rejects.toThrow('too long')
    expect(await isSharded(database.db)).toBe(true)

    const taking = { ...RELEASE, '9003_office.from_99.0.0.contract.sql': 'alter table contact drop column office;' }
    await runTrialSteps(database.connection, taking)
    await expect(prepareDatabase(database.connection, { portalRole: undefined })).rejects.toThrow(
      'this database needs version 99.0.0 of the portal or a later one',
    )
  },
)

type Row = Readonly<Record<string, unknown>>

/** All rows of all tables, in one order. */
async function readRows({ db }: Pick<TestDatabase, 'db'>): Promise<Map<string, Row[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = pg_class.oid and d.deptype = 'e')
     order by 1`.execute(db)
  const found = new Map<string, Row[]>()
  for (const { name } of tables)
    found.set(name, inOrder((await sql<Row>`select * from ${sql.id(name)}`.execute(db)).rows))
  return found
}

const withColumns = (rows: readonly Row[], like: Row = {}) =>
  inOrder(rows.map((row) => Object.fromEntries(Object.keys(like).map((column) => [column, row[column]]))))

function inOrder(rows: readonly Row[]): Row[] {
  const keyed = rows.map((row) => ({ row, key: JSON.stringify(row) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row)
}
