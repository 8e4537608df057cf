import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { namesCustomers } from '#server/db/named-customers.ts'
import type { DB } from '#server/db/schema.ts'
import { ACCESS_TABLES, announceAccess } from '#server/identity/access-changes.queries.ts'

/** A column of a table, and how PostgreSQL calls its type. */
export type Column = {
  readonly column: string
  readonly type: 'text' | 'text[]' | 'boolean' | 'integer' | 'numeric' | 'date' | 'timestamptz'
}

/** A value as it is in records: instants and exact numbers are texts. */
export type Value = string | number | boolean | null | readonly string[]
export type Row = Readonly<Record<string, Value | undefined>>

/** The table that keeps the records of one kind, named by the module that owns it. */
export type RecordTable = {
  readonly table: keyof DB
  /** The fields of a record. */
  readonly fields: Readonly<Record<string, Column>>
  /** The fields by which rows are found and lists are ordered: those of the primary key. */
  readonly key: readonly string[]
  /** Fields that are stored in other tables, and how to join them; `from` is a subquery of the table. */
  readonly joined?: { readonly fields: Readonly<Record<string, Column>>; readonly from: RawBuilder<unknown> }
  /** The lock mode of rows: `update` also blocks transactions that only refer to them. */
  readonly lock?: 'update'
  /** Columns that follow from the record: they are written with it and never read. */
  readonly derived?: Readonly<Record<string, Column & { from(row: Row): Value }>>
  /** Columns that only a new row is given. */
  readonly inserted?: Readonly<Record<string, Column>>
  /** The condition for rows of `t` that are records of this kind; all rows by default. */
  readonly where?: RawBuilder<unknown>
}

const names = (columns: readonly Column[], alias?: string) =>
  sql.join(columns.map(({ column }) => (alias === undefined ? sql.ref(column) : sql.ref(`${alias}.${column}`))))

const keyFields = ({ fields, key }: RecordTable) =>
  Object.fromEntries(key.map((field) => [field, fields[field] as Column]))

const keyColumns = (table: RecordTable): Column[] => Object.values(keyFields(table))

/** The values of one column for many rows as one parameter: an array, or for lists one JSON text per row. */
function recordset(columns: readonly Column[], rows: readonly Row[], alias: string): RawBuilder<unknown> {
  const types = columns.map(({ column, type }) => sql`${sql.ref(column)} ${sql.raw(type)}`)
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as ${sql.raw(alias)} (${sql.join(types)})`
}

/** The columns of rows that are to be written, under the names of the table. */
function written(table: RecordTable, rows: readonly Row[]): Row[] {
  const fields = Object.entries(table.fields)
  const derived = Object.values(table.derived ?? {})
  return rows.map((row) => {
    const values: Record<string, Value | undefined> = {}
    for (const [field, { column }] of fields) values[column] = row[field]
    for (const { column, from } of derived) values[column] = from(row)
    return values
  })
}

const writtenColumns = ({ fields, derived = {} }: RecordTable): Column[] => [
  ...Object.values(fields),
  ...Object.values(derived),
]

/**
 * Adds rows, but for those that exist or stand in the way of a unique value, and answers the keys of the added ones.
 * Sorted by key, so that two batches with the same keys wait for each other and never deadlock.
 */
export async function insertRecords(
  tx: Transaction<DB>,
  table: RecordTable,
  rows: readonly Row[],
  inserted: Row = {},
): Promise<Row[]> {
  if (rows.length === 0) return []
  const columns = [...writtenColumns(table), ...Object.values(table.inserted ?? {})]
  const values = written(table, rows).map((row) => ({ ...row, ...inserted }))
  const { rows: added } = await sql<{ record: Row }>`
    insert into ${sql.table(table.table)} as t (${names(columns)})
    select ${names(columns, 'r')} from ${recordset(columns, values, 'r')} order by ${inKeyOrder(table, 'r')}
    on conflict do nothing returning ${recordOf(keyFields(table))} as record`.execute(tx)
  await announceRecords(tx, table, rows)
  return added.map(({ record }) => record)
}

/** The rows of some keys, locked until the end of the transaction, in the order of the keys. */
export async function lockRecords(tx: Transaction<DB>, table: RecordTable, keys: readonly Row[]): Promise<Row[]> {
  const lock = sql`for ${sql.raw(table.lock ?? 'no key update')} of t`
  const locked: Row[] = []
  for (const [some, where] of onOneNode(table, keys)) locked.push(...(await findRows(tx, table, some, where, lock)))
  return locked
}

/**
 * Rows for which one statement is enough, and what it must say so: those of one customer. Where customers are on several nodes, a
 * statement locks rows of one node only, and one that changes rows of several waits for all others that do.
 */
const onOneNode = (table: RecordTable, rows: readonly Row[]): [readonly Row[], where: RawBuilder<unknown>][] =>
  isOfCustomers(table)
    ? byCustomer(rows).map(([customerNumber, some]) => [some, sql`t.customer_number = ${customerNumber}`])
    : [[rows, sql`true`]]

/** Other tables have records of no account. */
export const isOfCustomers = ({ key }: RecordTable): boolean => key.includes('customerNumber')

/** In the order in which customers are locked. */
export const byCustomer = <R extends Row>(rows: readonly R[]): [string, R[]][] =>
  [...Map.groupBy(rows, ({ customerNumber }) => String(customerNumber))].sort(([a], [b]) => (a < b ? -1 : 1))

export function findRecords(db: Kysely<DB>, table: RecordTable, keys: readonly Row[]): Promise<Row[]> {
  const customers = keys.map(({ customerNumber }) => customerNumber)
  return findRows(db, table, keys, isOfCustomers(table) ? namesCustomers('t', customers) : sql`true`, sql``)
}

async function findRows(
  db: Kysely<DB>,
  table: RecordTable,
  keys: readonly Row[],
  where: RawBuilder<unknown>,
  lock: RawBuilder<unknown>,
): Promise<Row[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<{ record: Row }>`
    select ${selected(table)} from ${keyset(table, keys)} join ${from(table)} t on ${sameKey(table, 't', 'k')}
     where ${table.where ?? sql`true`} and ${where} order by ${inKeyOrder(table, 't')} ${lock}`.execute(db)
  return rows.map(({ record }) => record)
}

const CHANGED_AT: Column = { column: 'changed_at', type: 'timestamptz' }

/** With the time of the last change. */
const selected = ({ fields, joined }: RecordTable) =>
  sql`${recordOf({ ...fields, ...joined?.fields, changedAt: CHANGED_AT })} as record`

/** PostgreSQL builds the records of `t`: doing it in this process would take several times as long. */
const recordOf = (fields: RecordTable['fields']) =>
  sql`json_build_object(${sql.join(Object.entries(fields).flatMap(([field, column]) => [sql.lit(field), inRecord(column)]))})`

function inRecord({ column, type }: Column): RawBuilder<unknown> {
  const value = sql.ref(`t.${column}`)
  if (type === 'numeric') return sql`${value}::text`
  return type === 'timestamptz' ? sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : value
}

const from = ({ table, joined }: RecordTable) => joined?.from ?? sql.table(table)

/** The keys as lists, one for each column: PostgreSQL then looks each of them up in the index. */
function keyset(table: RecordTable, keys: readonly Row[]): RawBuilder<unknown> {
  const columns = keyColumns(table)
  const lists = table.key.map(
    (field, at) => sql`${keys.map((key) => key[field])}::${sql.raw(columns[at]?.type ?? '')}[]`,
  )
  return sql`unnest(${sql.join(lists)}) as k (${names(columns)})`
}

const sameKey = (table: RecordTable, one: string, other: string) =>
  sql.join(
    keyColumns(table).map(({ column }) => sql`${sql.ref(`${one}.${column}`)} = ${sql.ref(`${other}.${column}`)}`),
    sql` and `,
  )

/** Sorts by code points, alike on every server. */
const inKeyOrder = (table: RecordTable, alias: string) =>
  sql.join(keyColumns(table).map((column) => keyValue(column, sql.ref(`${alias}.${column.column}`))))

const keyValue = ({ type }: Column, value: RawBuilder<unknown>) => (type === 'text' ? sql`${value} collate "C"` : value)

/** Writes rows that are locked. */
export async function updateRecords(tx: Transaction<DB>, table: RecordTable, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const columns = writtenColumns(table)
  const isKey = new Set(keyColumns(table).map(({ column }) => column))
  const changes = columns.filter(({ column }) => !isKey.has(column))
  const sets = changes.map(({ column }) => sql`${sql.ref(column)} = ${sql.ref(`r.${column}`)}`)
  for (const [some, where] of onOneNode(table, rows))
    await sql`
      update ${sql.table(table.table)} t set ${sql.join(sets)} from ${recordset(columns, written(table, some), 'r')}
       where ${sameKey(table, 't', 'r')} and ${where}`.execute(tx)
  await announceRecords(tx, table, rows)
}

/** Deletes rows that are locked. */
export async function deleteRecords(tx: Transaction<DB>, table: RecordTable, keys: readonly Row[]): Promise<void> {
  if (keys.length === 0) return
  for (const [some, where] of onOneNode(table, keys))
    await sql`
      delete from ${sql.table(table.table)} t using ${keyset(table, some)}
       where ${sameKey(table, 't', 'k')} and ${where}`.execute(tx)
  await announceRecords(tx, table, keys)
}

async function announceRecords(tx: Transaction<DB>, { table }: RecordTable, rows: readonly Row[]): Promise<void> {
  const subject = ACCESS_TABLES[table]
  if (!subject) return
  const field = subject === 'account' ? 'customerNumber' : 'email'
  await announceAccess(
    tx,
    rows.map((row) => String(row[field])),
    subject,
  )
}

export type Position = { readonly changedAt?: Date; readonly key: Row }

/** The rows after a position, in the order of their keys or of their changes. */
export async function pageOfRecords(
  db: Kysely<DB>,
  table: RecordTable,
  { after, changedSince, limit }: { after: Position | undefined; changedSince: Date | undefined; limit: number },
): Promise<Row[]> {
  const byChange = changedSince !== undefined
  const columns = keyColumns(table)
  const own = [
    ...(byChange ? [sql`t.changed_at`] : []),
    ...columns.map((column) => keyValue(column, sql.ref(`t.${column.column}`))),
  ]
  const last = after && [
    ...(byChange ? [sql`${after.changedAt}::timestamptz`] : []),
    ...table.key.map((field, at) => sql`${after.key[field]}::${sql.raw(columns[at]?.type ?? '')}`),
  ]
  const { rows } = await sql<{ record: Row }>`
    select ${selected(table)} from ${from(table)} t
     where ${table.where ?? sql`true`}
       and ${last ? sql`(${sql.join(own)}) > (${sql.join(last)})` : sql`true`}
       and ${byChange ? sql`t.changed_at >= ${changedSince}` : sql`true`}
     order by ${sql.join(own)} limit ${limit}`.execute(db)
  return rows.map(({ record }) => record)
}
