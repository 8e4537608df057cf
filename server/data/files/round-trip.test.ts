import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { FILE_KINDS } from '#server/data/data-kinds.ts'
import { exportRows } from '#server/data/files/export-rows.ts'
import { type FileFormat, readRows } from '#server/data/files/file-rows.ts'
import { type ImportResult, importRows, type RefusedRow } from '#server/data/files/import-rows.ts'
import { columnsOf } from '#server/data/files/row-columns.ts'
import type { Database } from '#server/db/database.ts'
import { auditContextOf, OPERATOR } from '#server/identity/principal.ts'
import { demoDatabase, freshDatabase } from '#server/testing/database.ts'
import { columnsSection, orderSection } from '#server/testing/import-guide.ts'
import { driftedDays } from '#server/testing/usage.ts'

const opened: Awaited<ReturnType<typeof freshDatabase>>[] = []
const open = async (database: ReturnType<typeof freshDatabase>) => {
  opened.push(await database)
  return await database
}
afterAll(() => Promise.all(opened.map((one) => one.close())))

const SAMPLES = 'docs/import'
const now = new Date()

type Files = Map<string, string>

async function exportAll({ db }: Database, format: FileFormat): Promise<Files> {
  const files: Files = new Map()
  for (const data of FILE_KINDS) {
    let text = ''
    const write = async (more: string) => {
      text += more
    }
    await exportRows(db, data, format, write, new AbortController().signal)
    files.set(data.kind.name, text)
  }
  return files
}

async function importAll({ db }: Database, files: Files, format: FileFormat) {
  const results = new Map<string, ImportResult>()
  const refused: (RefusedRow & { kind: string })[] = []
  for (const data of FILE_KINDS) {
    const rows = readRows(
      Readable.from([Buffer.from(files.get(data.kind.name) ?? '')]),
      format,
      columnsOf(data.kind.schema),
    )
    const result = await importRows(db, data, rows, {
      now,
      audit: auditContextOf(OPERATOR, { at: now, address: 'command line', requestId: '' }),
      isDryRun: false,
      isAllOrNothing: false,
      interrupted: new AbortController().signal,
      refuse: (row) => refused.push({ kind: data.kind.name, ...row }),
      advance: () => {},
    })
    results.set(data.kind.name, result)
  }
  return { results, refused }
}

const samplesOf = (format: FileFormat): Files =>
  new Map(
    FILE_KINDS.map(({ kind: { name } }) => [name, fs.readFileSync(path.join(SAMPLES, `${name}.${format}`), 'utf8')]),
  )

test('the documented samples fill an empty installation alike from both formats', async () => {
  const database = await open(freshDatabase())
  const created = await importAll(database, samplesOf('csv'), 'csv')
  expect(created.refused).toEqual([])
  for (const [kind, { read, created: count }] of created.results)
    expect([kind, read > 0, count]).toEqual([kind, true, read])
  const again = await importAll(database, samplesOf('jsonl'), 'jsonl')
  expect(again.refused).toEqual([])
  for (const [kind, { read, unchanged }] of again.results) expect([kind, unchanged]).toEqual([kind, read])
  expect(await driftedDays(database.db)).toEqual([])
  // The example of the service API is for the samples.
  const [, body = ''] = /curl -X PUT [^']+'([^']+)'/.exec(fs.readFileSync('docs/service-api.md', 'utf8')) ?? []
  const [record] = JSON.parse(body).records
  const example = await importAll(database, new Map([['entitlements', JSON.stringify(record)]]), 'jsonl')
  expect(example.refused).toEqual([])
  expect(example.results.get('entitlements')).toMatchObject({ read: 1, created: 1 })
})

test('docs/import describes every kind and column as it is', () => {
  const guide = fs.readFileSync(path.join(SAMPLES, 'README.md'), 'utf8')
  expect(guide).toContain(orderSection(FILE_KINDS))
  expect(guide).toContain(columnsSection(FILE_KINDS))
})

/** Columns that files do not carry: when a row was written here, and numbers that are assigned here. */
const NOT_IN_FILES: Readonly<Record<string, readonly string[]>> = {
  account: ['created_at', 'changed_at'],
  contact: ['added_at', 'added_by', 'changed_at'],
  account_grant: ['granted_at', 'granted_by', 'changed_at'],
  staff_role: ['granted_at', 'granted_by', 'changed_at'],
  product: ['changed_at'],
  elastic_rate: ['changed_at'],
  fsa_price: ['changed_at'],
  activation_owner: [],
  device_owner: [],
  elastic_server: ['usage_arrived_at', 'changed_at'],
  entitlement: ['changed_at'],
  fsa_contract: ['changed_at'],
  host: ['changed_at'],
  fulfillment: [],
  host_seats: [],
  usage_transaction: ['transaction_number', 'corrects', 'arrived_at'],
  usage_day: [],
  usage_user_day: [],
  usage_project_day: [],
  usage_host_day: [],
  usage_total: [],
}

/** The rows of a table in any order, without the columns that files do not carry. */
async function contentOf({ db }: Database, table: string): Promise<string[]> {
  const left = NOT_IN_FILES[table] ?? []
  const finished = table === 'usage_transaction' ? sql`where ends_at < 'infinity'` : sql``
  const { rows } = await sql<{ row: string }>`
    select (to_jsonb(t) - ${[...left]}::text[])::text as row from ${sql.table(table)} t ${finished} order by 1`.execute(
    db,
  )
  return rows.map(({ row }) => row)
}

test('export, wipe and import gives the same database', async () => {
  const before = await open(demoDatabase())
  const files = await exportAll(before, 'csv')
  const after = await open(freshDatabase())
  const { results, refused } = await importAll(after, files, 'csv')
  expect(refused).toEqual([])
  for (const [kind, { read, created }] of results) expect([kind, created]).toEqual([kind, read])
  expect(await exportAll(after, 'csv')).toEqual(files)
  for (const table of Object.keys(NOT_IN_FILES)) {
    const expected = await contentOf(before, table)
    expect([table, expected.length > 0]).toEqual([table, true])
    expect([table, await contentOf(after, table)]).toEqual([table, expected])
  }
  expect(await driftedDays(after.db)).toEqual([])
})

test("importing a portal's own export changes nothing", async () => {
  const portal = await open(demoDatabase())
  const files = await exportAll(portal, 'csv')
  const { results, refused } = await importAll(portal, files, 'csv')
  expect(refused).toEqual([])
  for (const [kind, { read, unchanged }] of results) expect([kind, unchanged]).toEqual([kind, read])
  expect(await exportAll(portal, 'csv')).toEqual(files)
})
