import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { DB } from '#server/db/schema.ts'
import type { Tables } from '#server/db/tables.ts'
import { MODULES } from '#server/modules/modules.ts'

/*
 * A table has one owner. The SQL of a folder names only the tables that the folder owns, and those of others that it
 * declares to read; for anything else, the owner offers functions in its public.ts.
 */
const declared = fs.globSync('server/**/*.tables.ts').map(async (file) => {
  const [tables] = Object.values(
    (await import(new URL(`../${file}`, import.meta.url).href)) as Record<string, Tables<DB>>,
  )
  return [path.dirname(file).replaceAll('\\', '/'), tables as Tables<DB>] as const
})
const FOLDERS: Readonly<Record<string, Tables<DB>>> = {
  ...Object.fromEntries(await Promise.all(declared)),
  'server/modules/audit': {
    owns: [],
    reads: {
      audit_seal: 'The list shows the place of a row in its chain.',
    },
  },
  'server/scale-out': {
    owns: [],
    reads: {
      usage_transaction: 'Sums are compared before and after rows are moved.',
      usage_day: 'Sums are compared before and after rows are moved.',
      usage_total: 'Sums are compared before and after rows are moved.',
      account: 'The coordinator has a copy of accounts and contacts.',
      contact: 'See account.',
      account_grant: 'See account.',
      removed_record: 'See account.',
    },
  },
  'server/doctor': {
    owns: [],
    reads: {
      fulfillment: 'The doctor compares what modules keep with what it follows from.',
      host_seats: 'See fulfillment.',
      entitlement: 'See fulfillment.',
      fsa_contract: 'See fulfillment.',
      outbox_message: 'Counts what is late.',
      elastic_pin: 'Finds PINs to try.',
    },
  },
}
/** Demo data and tests fill any table. */
const ANY_TABLE = /^server\/(demo|testing|migrations|embedded)\/|[.]samples[.]ts$/

const tablesOf = (file: string) =>
  [...fs.readFileSync(file, 'utf8').matchAll(/^create table (\w+)/gm)].map(([, table]) => table as string)
const tables: ReadonlySet<string> = new Set(fs.globSync('server/migrations/*.sql').flatMap(tablesOf))

type Use = { readonly table: string; readonly isWritten: boolean }

const READ =
  /\b(?:selectFrom|(?:inner|left|right|full|cross)Join|from|using|join)\b(?:\(\s*['"`]|\s+(?:only\s+|lateral\s+)?)(\w+)/gi
const WRITTEN =
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto|insert into|update|delete from|truncate|merge into|copy)\b(?:\(\s*['"`]|\s+(?:only\s+)?)(\w+)/gi

function usesIn(text: string): Use[] {
  const found = (pattern: RegExp, isWritten: boolean) =>
    [...text.matchAll(pattern)].map(([, table]) => ({ table: table as string, isWritten }))
  return [...found(WRITTEN, true), ...found(READ, false)].filter(({ table }) => tables.has(table))
}

const sources = fs
  .globSync('server/**/*.ts')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.ts') && !ANY_TABLE.test(file))

const folderOf = (file: string) => Object.keys(FOLDERS).find((folder) => file.startsWith(`${folder}/`))

test.each(sources.filter((file) => usesIn(fs.readFileSync(file, 'utf8')).length > 0))(
  '%s names only tables that its folder owns, or says that it reads',
  (file) => {
    const { owns = [], reads = {} } = FOLDERS[folderOf(file) ?? ''] ?? {}
    const foreign = usesIn(fs.readFileSync(file, 'utf8')).filter(
      ({ table, isWritten }) => !(owns as string[]).includes(table) && (isWritten || !Object.hasOwn(reads, table)),
    )
    const advice =
      'Ask the owner of the table for it through its <module>.public.ts. To read it here, say why in `reads` of <module>.tables.ts; a new table is named in `owns`.'
    expect(foreign, advice).toEqual([])
  },
)

test('every table has exactly one owner', () => {
  const owned = Object.values(FOLDERS).flatMap(({ owns }) => owns as readonly string[])
  const advice =
    'Name a new table in `owns` of the <module>.tables.ts of one folder, and remove one that is gone. A new folder is listed in FOLDERS above.'
  expect(owned.toSorted(), advice).toEqual([...tables].sort())
})

test.each(Object.entries(FOLDERS).filter(([, { owns }]) => owns.length > 0))(
  'the tables of %s are in one file of the schema',
  (folder, { owns }) => {
    const name = folder === 'server/db' ? 'installation' : folder.split('/').at(-1)
    const made = tablesOf(`server/migrations/${name}.sql`)
    const advice = `Create the tables that ${folder} owns in server/migrations/${name}.sql, and no others.`
    expect(made.sort(), advice).toEqual([...owns].sort())
  },
)

/** Modules that read a table of a module above in one statement: before every call, and under a lock of the catalog. */
const UPWARDS = ['accounts reads entitlement', 'catalog reads entitlement']

const SHARED = MODULES.filter(({ isShared }) => isShared).map(({ name }) => name)

test('a module reads only tables of its own and of modules below it', () => {
  const ownerOf = (table: string) =>
    Object.keys(FOLDERS).find((folder) => FOLDERS[folder]?.owns.includes(table as never))
  const upwards = MODULES.flatMap(({ name: module, mayUse }) => {
    const reachable = [...mayUse, ...SHARED].map((other) => `server/modules/${other}`)
    const isAbove = (owner = '') => owner.startsWith('server/modules/') && !reachable.includes(owner)
    return Object.keys(FOLDERS[`server/modules/${module}`]?.reads ?? {})
      .filter((table) => isAbove(ownerOf(table)))
      .map((table) => `${module} reads ${table}`)
  })
  expect(upwards, 'Let the upper module pass in what this one needs (entitlement-records.ts has an example).').toEqual(
    UPWARDS,
  )
})

test('a folder reads every foreign table that it declares', () => {
  const unused = Object.entries(FOLDERS).flatMap(([folder, { reads = {} }]) => {
    const used = new Set(
      sources
        .filter((file) => folderOf(file) === folder)
        .flatMap((file) => usesIn(fs.readFileSync(file, 'utf8')).map(({ table }) => table)),
    )
    return Object.keys(reads)
      .filter((table) => !used.has(table))
      .map((table) => `${folder} does not read ${table}`)
  })
  expect(unused, 'Remove the table from `reads` of <module>.tables.ts.').toEqual([])
})
