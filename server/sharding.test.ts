import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DB } from '#server/db/schema.ts'
import { LOCAL_TABLES, REFERENCE_TABLES } from '#server/scale-out/placement.ts'
import { freshDatabase, onCitus } from '#server/testing/database.ts'

/** Tables with the keys and references of customers' tables, although every node has all of their rows. */
const JOINS_CUSTOMERS = ['busy_host', 'shared_server_member']

/*
 * The database can be sharded by customer (docs/decisions/0011). A table either serves the whole portal, and then it is
 * named in scale-out/placement.ts, or it belongs to customers, and then it follows the rules below.
 */
const PORTAL_WIDE = [...REFERENCE_TABLES, ...LOCAL_TABLES].filter((table) => !JOINS_CUSTOMERS.includes(table))

/** Rows that concern no account have the empty customer number there; an audit row has what the caller gave. */
const ANY_NUMBER = ['audit_checkpoint', 'audit_head', 'audit_log', 'audit_pending', 'audit_seal', 'removed_record']

let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Kysely<DB>
beforeAll(async () => {
  database = await freshDatabase()
  db = database.db
})
afterAll(() => database.close())

async function read(statement: ReturnType<typeof sql<{ name: string }>>): Promise<string[]> {
  return (await statement.execute(db)).rows.map(({ name }) => name)
}

const allTables = () =>
  read(sql`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)

const customerTables = async () => (await allTables()).filter((table) => !PORTAL_WIDE.includes(table))
const oids = (tables: readonly string[]) => sql`(select oid from unnest(${tables}::regclass[]) oid)`

/** Every row has a customer number, and it is a plain column: shards are chosen by it. */
async function tablesWithoutCustomer(): Promise<string[]> {
  const keyed = await read(sql`
    select attrelid::regclass::text as name from pg_attribute
     where attname = 'customer_number' and attnotnull and attgenerated = ''`)
  return (await customerTables()).filter((table) => !keyed.includes(table))
}

/** On shards, a condition on a domain type finds no rows, and tables with another collation cannot be joined. */
const numbersOfAnotherType = () =>
  read(sql`
    select a.attrelid::regclass::text as name from pg_attribute a
      join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
      left join pg_collation l on l.oid = a.attcollation
     where c.relnamespace = 'public'::regnamespace and a.attname = 'customer_number' and not a.attisdropped
       and (a.atttypid <> 'text'::regtype or l.collname <> 'C')`)

/** The check is one of two forms (customer-number.test.ts). Partitions have it themselves. */
async function tablesWithoutCheck(): Promise<string[]> {
  const unchecked = await read(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'customer_number'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not exists (
       select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey)
          and (pg_get_constraintdef(k.oid) like '%(customer_number ~ ''^[A-Za-z0-9-]{1,20}$''::text)%'
               or pg_get_constraintdef(k.oid) like '%length(customer_number) <= 20%translate(customer_number, %'))`)
  return unchecked.filter((table) => !ANY_NUMBER.includes(table))
}

/** A trigger with TRUNCATE and other events does not reach the shards, and Citus does not report that. */
const triggersMixedWithTruncate = () =>
  read(sql`
    select t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace
       and t.tgtype & 32 <> 0 and t.tgtype & (4 + 8 + 16) <> 0`)

/** Sharded tables have no ON UPDATE CASCADE. */
const referencesThatFollowUpdates = () =>
  read(sql`
    select conname as name from pg_constraint
     where connamespace = 'public'::regnamespace and contype = 'f' and confupdtype not in ('a', 'r')`)

/** No shard can tell whether a value is unique on the others. */
const keysOfManyCustomers = async () =>
  read(sql`
    select i.indexrelid::regclass::text as name
      from pg_index i left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
     where (i.indisunique or i.indisexclusion) and i.indrelid in ${oids(await customerTables())}
       and a.attname is distinct from 'customer_number'`)

/** A reference to a table of customers stays within the customer; portal-wide tables can have none. */
const referencesAcrossCustomers = async () =>
  read(sql`
    select c.conname as name from pg_constraint c
     where c.contype = 'f' and c.confrelid in ${oids(await customerTables())}
       and not (c.conrelid in ${oids(await customerTables())} and exists (
         select from unnest(c.conkey, c.confkey) as pair (here, there)
           join pg_attribute h on h.attrelid = c.conrelid and h.attnum = pair.here and h.attname = 'customer_number'
           join pg_attribute t on t.attrelid = c.confrelid and t.attnum = pair.there and t.attname = 'customer_number'))`)

type Source = { readonly name: string; readonly source: string }

async function sources(): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select p.proname as name, lower(regexp_replace(p.prosrc, '--[^\n]*', '', 'g')) as source
      from pg_proc p join pg_language l on l.oid = p.prolang
     where p.pronamespace = 'public'::regnamespace and l.lanname in ('plpgsql', 'sql')`.execute(db)
  return rows
}

/** A table has other names on its shards, so its row type and the types of its columns are not found there. */
async function functionsWithRowTypes(): Promise<string[]> {
  const signatures = await read(sql`
    select p.proname as name from pg_proc p
      join pg_type t on t.oid = any (p.prorettype || p.proargtypes::oid[] || coalesce(p.proallargtypes, '{}'))
      left join pg_type element on element.oid = t.typelem
     where p.pronamespace = 'public'::regnamespace and (t.typrelid <> 0 or coalesce(element.typrelid, 0) <> 0)`)
  const ofTable = new RegExp(`\\s(${(await allTables()).join('|')})(\\[\\])?\\s*(;|:=|not null|default)`)
  const variables = (await sources()).filter(({ source }) => {
    const declarations = /\bdeclare\b(.*?)\bbegin\b/s.exec(source)?.[1] ?? ''
    return ofTable.test(declarations) || /%(row)?type\b/.test(declarations)
  })
  return [...signatures, ...variables.map(({ name }) => name)]
}

/** The functions that triggers on tables call, directly or through other functions. */
async function triggerFunctions(tables: readonly string[]): Promise<Source[]> {
  const all = await sources()
  const reached = new Set(
    await read(sql`
      select p.proname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
       where not t.tgisinternal and t.tgrelid in ${oids(tables)}`),
  )
  const of = (name: string) => all.find((one) => one.name === name)?.source ?? ''
  for (const name of reached) for (const other of all) if (of(name).includes(`${other.name}(`)) reached.add(other.name)
  return [...reached].map((name) => ({ name, source: of(name) }))
}

/** A notification from a shard makes a two-phase commit fail. */
const notifyingTriggers = async () =>
  (await triggerFunctions(await customerTables())).filter(({ source }) => /notify/.test(source)).map(({ name }) => name)

/** What triggers on tables write: `function: table`. */
async function triggerWrites(tables: readonly string[]): Promise<string[]> {
  const writes =
    /(?:insert\s+into|merge\s+into|delete\s+from|truncate|(?<!\b(?:do|key|for)\s)update)\s+(\w+)|\bexecute\b/g
  return (await triggerFunctions(tables)).flatMap(({ name, source }) =>
    [...source.matchAll(writes)].map(([, table = 'dynamic SQL']) => `${name}: ${table}`),
  )
}

const writtenTable = (write: string) => write.split(': ')[1] ?? ''

async function writesElsewhere(): Promise<string[]> {
  const ofCustomers = await customerTables()
  const portalWide = (await allTables()).filter((table) => !ofCustomers.includes(table))
  return [
    ...(await triggerWrites(ofCustomers)).filter((write) => !ofCustomers.includes(writtenTable(write))),
    ...(await triggerWrites(portalWide)).filter((write) => ofCustomers.includes(writtenTable(write))),
  ]
}

test('the list of portal-wide tables names only tables that exist', async () => {
  const existing = await allTables()
  const gone = PORTAL_WIDE.filter((table) => !existing.includes(table))
  expect(gone, 'Remove the table from server/scale-out/placement.ts.').toEqual([])
})

test('every row of a table of customers has a customer number', async () => {
  const advice =
    'Give the table a column customer_number (text, not null) and begin its primary key with it, or name it in server/scale-out/placement.ts if it belongs to no customer.'
  expect(await tablesWithoutCustomer(), advice).toEqual([])
})

test('every customer number is plain text in the order of code points', async () => {
  expect(await numbersOfAnotherType(), 'Use text collate "C".').toEqual([])
})

test('every table of customers checks its customer numbers', async () => {
  await sql`select ensure_usage_partitions(now(), now())`.execute(db)
  const advice = "Add check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') to the column."
  expect(await tablesWithoutCheck(), advice).toEqual([])
})

test('no trigger combines TRUNCATE with other events', async () => {
  expect(await triggersMixedWithTruncate(), 'Make a second trigger for TRUNCATE.').toEqual([])
})

test('no trigger on a table of customers notifies', async () => {
  const advice = 'Let the writers announce it, in the same transaction (server/identity/access-changes.queries.ts).'
  expect(await notifyingTriggers(), advice).toEqual([])
})

test('no foreign key has ON UPDATE CASCADE', async () => {
  const advice =
    'Leave out ON UPDATE CASCADE. Let the writer change both rows, and make the reference deferrable initially deferred (fsa_draft has an example).'
  expect(await referencesThatFollowUpdates(), advice).toEqual([])
})

test('every unique key of a table of customers begins with the customer number', async () => {
  const advice =
    'Begin the key with customer_number. What must be unique among all customers is claimed in a portal-wide table, as activation_owner does for activation ids.'
  expect(await keysOfManyCustomers(), advice).toEqual([])
})

test('references between tables of customers stay within one customer', async () => {
  const advice =
    'Refer with (customer_number, …) to the same customer number. A portal-wide table cannot refer to a table of customers: leave the reference out.'
  expect(await referencesAcrossCustomers(), advice).toEqual([])
})

test('no function uses the row type of a table', async () => {
  const advice = 'Declare variables and arguments as record, or with the plain type of each column (text, numeric).'
  expect(await functionsWithRowTypes(), advice).toEqual([])
})

test('triggers on tables of customers write only tables of customers, and those on portal-wide tables write none', async () => {
  const advice =
    'Let the writer change the other table in the same transaction, and name the tables that a trigger writes, without dynamic SQL.'
  expect(await writesElsewhere(), advice).toEqual([])
  expect(await triggerWrites(await customerTables())).toContain('add_to_usage_days: usage_day')
})

test.skipIf(onCitus())('the checks find a migration that breaks a rule', async () => {
  await sql`
    create table nobodys (id int primary key);
    create domain number as text collate "C";
    create table planted (customer_number text collate "C" primary key, name text unique, id int references nobodys);
    create table planted_number (customer_number number primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'));
    create table planted_order (customer_number text primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$')
      references planted on update cascade);
    alter table alert add customer_number text collate "C" references account;
    create function planted_variable() returns trigger language plpgsql as $$
      declare kept planted; begin update alert set status = 'RESOLVED'; return null; end $$;
    create function planted_type() returns void language plpgsql as $$
      declare kept planted.name%type; begin end $$;
    create function planted_argument(one planted) returns void language sql as $$ select $$;
    create function planted_dynamic() returns trigger language plpgsql as $$
      begin execute 'select 1'; perform planted_called(); return null; end $$;
    create function planted_called() returns void language plpgsql as $$
      begin delete from person; perform pg_notify('any', ''); end $$;
    create trigger first after insert on planted for each row execute function planted_variable();
    create trigger second after insert or truncate on planted for each statement execute function planted_dynamic();
    create function planted_below() returns trigger language plpgsql as $$ begin delete from account; return null; end $$;
    create trigger third after insert on alert for each row execute function planted_below();`.execute(db)
  expect((await numbersOfAnotherType()).sort()).toEqual(['planted_number', 'planted_order'])
  expect((await tablesWithoutCheck()).sort()).toEqual(['alert', 'planted', 'planted_number'])
  expect(await triggersMixedWithTruncate()).toEqual(['second'])
  expect(await notifyingTriggers()).toEqual(['planted_called'])
  expect(await referencesThatFollowUpdates()).toEqual(['planted_order_customer_number_fkey'])
  expect(await tablesWithoutCustomer()).toEqual(['nobodys'])
  expect((await keysOfManyCustomers()).sort()).toEqual(['nobodys_pkey', 'planted_name_key'])
  expect((await referencesAcrossCustomers()).sort()).toEqual(['alert_customer_number_fkey', 'planted_id_fkey'])
  expect((await functionsWithRowTypes()).sort()).toEqual(['planted_argument', 'planted_type', 'planted_variable'])
  expect((await writesElsewhere()).sort()).toEqual([
    'planted_below: account',
    'planted_called: person',
    'planted_dynamic: dynamic SQL',
    'planted_variable: alert',
  ])
})
