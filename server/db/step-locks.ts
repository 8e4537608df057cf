import { wordsOf } from '#server/db/sql-statements.ts'

type Client = { query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> }

/** The modes that statements of steps take, the weaker ones first. */
const MODES = ['share', 'share row exclusive', 'access exclusive'] as const
type Mode = (typeof MODES)[number]
type Lock = { readonly name: string; readonly mode: Mode }

const NOISE = new Set([
  'if',
  'not',
  'exists',
  'only',
  'concurrently',
  'or',
  'replace',
  'constraint',
  'unique',
  'public',
  '.',
])

/** The tables and indexes that a statement locks against writers, and how. */
function locksOf(statement: string): Lock[] {
  const words = wordsOf(statement).filter((word) => !NOISE.has(word))
  const [verb, kind, name] = words
  const on = words[words.indexOf('on') + 1]
  const all = (mode: Mode, ...names: (string | undefined)[]) =>
    names.flatMap((one) => (one === undefined ? [] : [{ name: one, mode }]))
  const referenced = words.filter((_, i) => words[i - 1] === 'references')
  const parents = words.filter((_, i) => words[i - 1] === 'of' && words[i - 2] === 'partition')
  switch (`${verb} ${kind}`) {
    case 'alter table':
    case 'alter index':
      return [...all('access exclusive', name), ...all('share row exclusive', ...referenced)]
    case 'create table':
      return [...all('access exclusive', ...parents), ...all('share row exclusive', ...referenced)]
    case 'drop table':
    case 'drop index':
    case 'truncate table':
      return all('access exclusive', ...words.slice(2))
    case 'create index':
      return all('share', on)
    case 'create trigger':
      return all('share row exclusive', on)
    case 'drop trigger':
      return all('access exclusive', on)
    default:
      return verb === 'truncate' ? all('access exclusive', ...words.slice(1)) : []
  }
}

/** Tables of a name, or the table of an index of that name, and their place in the order: those that others refer to come first. */
const TABLES = `
  with recursive reference as (
    select distinct conrelid as child, confrelid as parent from pg_constraint where contype = 'f' and conrelid <> confrelid
  ),
  depth (oid, above) as (
    select oid, 0 from pg_class
    union
    select child, above + 1 from depth join reference on parent = oid where above < 20
  )
  select n.name, quote_ident(t.relname) as "table", (select max(above) from depth where depth.oid = t.oid) as above
    from unnest($1::text[]) as n (name)
    join pg_class c on c.oid = to_regclass('public.' || quote_ident(n.name))
    left join pg_index i on i.indexrelid = c.oid
    join pg_class t on t.oid = coalesce(i.indrelid, c.oid) and t.relkind in ('r', 'p')
   order by above, "table"`

/**
 * Locks what the statements of a step will lock, in the order in which transactions of a portal go, from a table to those
 * that refer to it. Otherwise a step that has locked one table would wait for a transaction that waits for this table.
 */
export async function lockTables(client: Client, statements: readonly string[]): Promise<void> {
  const locks = statements.flatMap(locksOf)
  const { rows } = await client.query(TABLES, [locks.map(({ name }) => name)])
  const modes = new Map<string, Mode>()
  for (const { name, table } of rows as { name: string; table: string }[]) {
    const wanted = [modes.get(table), ...locks.filter((lock) => lock.name === name).map(({ mode }) => mode)]
    modes.set(table, MODES.findLast((mode) => wanted.includes(mode))!)
  }
  for (const [table, mode] of modes) await client.query(`lock table ${table} in ${mode} mode`)
}
