import fs from 'node:fs'
import { expect, test } from 'vitest'
import { auditTables } from '#server/audit/audit.tables.ts'
import { dataTables } from '#server/data/data.tables.ts'
import { installationTables } from '#server/db/installation.tables.ts'
import type { DB } from '#server/db/schema.ts'
import type { Tables } from '#server/db/tables.ts'
import { identityTables } from '#server/identity/identity.tables.ts'
import { accountsTables } from '#server/modules/accounts/accounts.tables.ts'
import { activationsTables } from '#server/modules/activations/activations.tables.ts'
import { catalogTables } from '#server/modules/catalog/catalog.tables.ts'
import { elasticTables } from '#server/modules/elastic/elastic.tables.ts'
import { entitlementsTables } from '#server/modules/entitlements/entitlements.tables.ts'
import { fsaTables } from '#server/modules/fsa/fsa.tables.ts'
import { homeTables } from '#server/modules/home/home.tables.ts'
import { licenseUseTables } from '#server/modules/license-use/license-use.tables.ts'
import { messagesTables } from '#server/modules/messages/messages.tables.ts'
import { plannerTables } from '#server/modules/planner/planner.tables.ts'
import { remindersTables } from '#server/modules/reminders/reminders.tables.ts'
import { requestsTables } from '#server/modules/requests/requests.tables.ts'
import { settingsTables } from '#server/modules/settings/settings.tables.ts'
import { staffTables } from '#server/modules/staff/staff.tables.ts'
import { upkeepTables } from '#server/modules/upkeep/upkeep.tables.ts'
import { webLicensesTables } from '#server/modules/web-licenses/web-licenses.tables.ts'
import { webhooksTables } from '#server/modules/webhooks/webhooks.tables.ts'
import { operationsTables } from '#server/operations/operations.tables.ts'
import { outboxTables } from '#server/outbox/outbox.tables.ts'
import { recoveryTables } from '#server/recovery/recovery.tables.ts'
import { tasksTables } from '#server/tasks/tasks.tables.ts'

/*
 * A table has one owner. The SQL of a folder names only the tables that the folder owns, and those of others that it
 * declares to read; for anything else, the owner offers functions in its public.ts.
 */
const FOLDERS: Readonly<Record<string, Tables<DB>>> = {
  'server/modules/accounts': accountsTables,
  'server/modules/activations': activationsTables,
  'server/modules/catalog': catalogTables,
  'server/modules/elastic': elasticTables,
  'server/modules/entitlements': entitlementsTables,
  'server/modules/fsa': fsaTables,
  'server/modules/home': homeTables,
  'server/modules/license-use': licenseUseTables,
  'server/modules/messages': messagesTables,
  'server/modules/planner': plannerTables,
  'server/modules/reminders': remindersTables,
  'server/modules/requests': requestsTables,
  'server/modules/settings': settingsTables,
  'server/modules/staff': staffTables,
  'server/modules/upkeep': upkeepTables,
  'server/modules/web-licenses': webLicensesTables,
  'server/modules/webhooks': webhooksTables,
  'server/data': dataTables,
  'server/audit': auditTables,
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
  'server/db': installationTables,
  'server/outbox': outboxTables,
  'server/tasks': tasksTables,
  'server/recovery': recoveryTables,
  'server/operations': operationsTables,
  'server/identity': identityTables,
}
/** Demo data and tests fill any table. */
const ANY_TABLE = /^server\/(demo|testing|migrations|embedded)\//

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

test('a module reads only tables of its own and of modules below it', async () => {
  const rules = new URL('../dependency-cruiser.mjs', import.meta.url).href
  const { BELOW, SHARED_MODULES }: { BELOW: Record<string, string[]>; SHARED_MODULES: string[] } = await import(rules)
  const ownerOf = (table: string) =>
    Object.keys(FOLDERS).find((folder) => FOLDERS[folder]?.owns.includes(table as never))
  const upwards = Object.entries(BELOW).flatMap(([module, below]) => {
    const reachable = [...below, ...SHARED_MODULES].map((other) => `server/modules/${other}`)
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
