import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DATA_KINDS } from '#server/data/data-kinds.ts'
import type { Column, RecordTable } from '#server/data/record-table.queries.ts'
import { freshDatabase } from '#server/testing/database.ts'

/*
 * Which records changed since an instant is noted by a trigger of each table (docs/decisions/0077). The trigger has to
 * compare every column that is a field of a record: if it missed one, a change of that column would not move
 * `changed_at`, and no reader would see it.
 */

/** Fields that the trigger does not compare, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'entitlement.business_operations_emails': 'A column of fsa_contract. Its writer notes the change (saveAddresses).',
}

let database: Awaited<ReturnType<typeof freshDatabase>>
let noted: { readonly table: string; readonly definition: string }[]
beforeAll(async () => {
  database = await freshDatabase()
  // Shards are named after their table, with a number.
  const { rows } = await sql<(typeof noted)[number]>`
    select tgrelid::regclass::text as table, pg_get_triggerdef(oid) as definition from pg_trigger
     where tgfoid = 'note_change'::regproc and tgrelid::regclass::text !~ '_[0-9]+$'`.execute(database.db)
  noted = rows
})
afterAll(() => database.close())

const columnsOf = (row: 'old' | 'new', definition: string) =>
  [...definition.matchAll(new RegExp(`\\b${row}\\.(\\w+)`, 'g'))].map(([, column]) => column as string)

const tables = DATA_KINDS.flatMap((data) => data.tables)
const columnsOfRecords = (name: string, part: (table: RecordTable) => Readonly<Record<string, Column>>) =>
  tables
    .filter(({ table }) => table === name)
    .flatMap((table) => Object.values(part(table)).map(({ column }) => column))
const fieldsOf = ({ fields, joined }: RecordTable) => ({ ...fields, ...joined?.fields })
const writtenOf = ({ fields, derived }: RecordTable) => ({ ...fields, ...derived })

test('every table with records has a trigger that notes changes, and no other table has one', () => {
  expect(noted.map(({ table }) => table).sort()).toEqual([...new Set(tables.map(({ table }) => table))].sort())
})

test('a trigger that notes changes compares the same columns of the old and the new row', () => {
  for (const { definition } of noted) expect(columnsOf('new', definition)).toEqual(columnsOf('old', definition))
})

test('a change of any field of a record is noted', () => {
  const missing = noted.flatMap(({ table, definition }) => {
    const compared = new Set(columnsOf('old', definition))
    return [...new Set(columnsOfRecords(table, fieldsOf))]
      .filter((column) => !compared.has(column))
      .map((column) => `${table}.${column}`)
  })
  const advice = 'Add the column to the trigger …_change_is_noted in server/migrations/<module>.sql and in a step.'
  expect(missing.sort(), advice).toEqual(Object.keys(EXCEPTIONS).sort())
})

test('a change of a column that is no field of the record is not noted', () => {
  const extra = noted.flatMap(({ table, definition }) => {
    const written = columnsOfRecords(table, writtenOf)
    return columnsOf('old', definition)
      .filter((column) => !written.includes(column))
      .map((column) => `${table}.${column}`)
  })
  expect(extra).toEqual([])
})
