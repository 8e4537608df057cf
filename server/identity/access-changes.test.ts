import fs from 'node:fs'
import { expect, test } from 'vitest'
import { ACCESS_TABLES } from '#server/identity/access-changes.queries.ts'

/*
 * Every function that writes a table of access rights, or an alert, must announce the change. A statement whose table is
 * a parameter may write one of them. Exceptions with their reasons.
 */
const SILENT: Readonly<Record<string, string>> = {
  'server/modules/entitlements/sold-records.queries.ts noteChanges': 'Only the time of the last change.',
  'server/identity/claim-roles.queries.ts takeDueSignInSession': 'Only until when this process asks for roles.',
  'server/identity/claim-roles.queries.ts postponeRenewal': 'Only when roles are asked for again.',
  'server/identity/api-tokens.queries.ts insertApiToken': 'No process has cached a new token.',
  'server/identity/api-tokens.queries.ts saveApiTokenUse': 'Only the last use.',
  'server/identity/api-tokens.queries.ts noteApiTokenWarning': 'Only the last warning.',
  'server/identity/service-keys.queries.ts insertServiceKey': 'No process has cached a new key.',
  'server/identity/service-keys.queries.ts saveServiceKeyUse': 'Only the time of the last use.',
  'server/identity/sign-in-session.queries.ts touchSignInSession': 'Only the time of the last use.',
  'server/demo/parts/accounts.demo.ts contacts': 'Demo data is loaded before the portal answers.',
  'server/demo/parts/alerts.demo.ts alerts': 'Demo data is loaded before the portal answers.',
  'server/backup/copy-statement.ts copyStatement': 'A restore runs while no portal does.',
  'server/backup/schema.queries.ts emptyTables': 'A restore runs while no portal does.',
  'server/demo/load-usage.ts insertBatch': 'The table is a month of usage.',
  'server/modules/elastic/usage/usage-booking.queries.ts insertUsage': 'The table is a month of usage.',
  'server/modules/license-use/settings.queries.ts renameStoredUsers': 'The tables are those of license use.',
  'server/scale-out/account-copy.queries.ts refreshAccountCopy': 'The table is the time of the last copy.',
  'server/scale-out/account-copy.queries.ts copyAccounts': 'The tables are copies, from which no right follows.',
  'server/scale-out/shard.queries.ts suspendKeys': 'The table is a list of foreign keys.',
}

/** Tests, samples and benchmarks need not announce anything, and migration steps run before the portal starts. */
const sources = fs
  .globSync('server/**/*.ts')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/[.](test|samples)[.]ts$/.test(file) && !file.startsWith('server/testing/'))

const VERB =
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto|insert\s+into|(?<!for )(?<!no key )(?<!do )update|delete\s+from|truncate|merge\s+into|copy)/
const NAMED = new RegExp(
  `${VERB.source}(?:\\(\\s*['"\`]|\\s+(?:only\\s+)?)(?:${[...Object.keys(ACCESS_TABLES), 'alert'].join('|')})\\b`,
  'gi',
)
/** The table is a variable of TypeScript. */
const PASSED = new RegExp(
  `\\b(?:insertInto|updateTable|deleteFrom|mergeInto)\\(\\s*[a-z]|${VERB.source}\\s+(?:only\\s+)?\\$\\{`,
  'gi',
)

type Writer = { readonly name: string; readonly text: string }

/** The functions of a file that write such tables, each from its first line to its closing brace. */
function writersIn(file: string, text: string): Writer[] {
  const code = text.replaceAll(/^\s*(?:\*|\/\/|\/\*).*$/gm, '')
  const starts = [...code.matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)]
  const at = [...code.matchAll(NAMED), ...code.matchAll(PASSED)].map(({ index }) => index)
  const writers = new Map<string, string>()
  for (const index of at) {
    const place = starts.findLastIndex((start) => start.index <= index)
    const name = `${file} ${starts[place]?.[1] ?? ''}`
    writers.set(name, code.slice(starts[place]?.index ?? 0, starts[place + 1]?.index))
  }
  return [...writers].map(([name, body]) => ({ name, text: body }))
}

const ANNOUNCES = /\bannounce(?:Access|Alerts|Ends|Records)\(/
const silentIn = (file: string, text: string) =>
  writersIn(file, text)
    .filter((writer) => !ANNOUNCES.test(writer.text))
    .map(({ name }) => name)

const read = (file: string) => fs.readFileSync(file, 'utf8')

test('every statement that writes a table of access rights or an alert is announced', () => {
  const advice =
    'Call announceAccess (server/identity/access-changes.queries.ts) in the function, or say in SILENT why not.'
  expect(sources.flatMap((file) => silentIn(file, read(file))).sort(), advice).toEqual(Object.keys(SILENT).sort())
})

test('the writers that are known are among those that are found', () => {
  const found = sources.flatMap((file) => writersIn(file, read(file))).map(({ name }) => name.split(' ')[1])
  expect(found).toEqual(
    expect.arrayContaining([
      'saveContacts',
      'disableAccess',
      'grantTo',
      'insertEntitlements',
      'insertRows',
      'deleteStaffRole',
    ]),
  )
  expect(found).toEqual(expect.arrayContaining(['insertRecords', 'updateRecords', 'deleteRecords']))
})

test('a writer that announces nothing is found', () => {
  const planted = `
export async function first(tx) {
  await tx.updateTable('contact').set({ role }).execute()
}
async function second(tx) {
  await sql\`delete from account_grant where email = 'a'\`.execute(tx)
  await announceAccess(tx, ['1'])
}
const third = (tx) => sql\`insert into
  entitlement (activation_id) values (1)\`.execute(tx)
const fourth = (tx, table) => tx.deleteFrom(table).execute()
const fifth = (tx) => tx.insertInto('account_note').values({}).execute()
const sixth = (tx, table) => sql\`update \${sql.table(table)} set a = 1\`.execute(tx)
const seventh = (tx) => sql\`select 1 from account for no key update of account\`.execute(tx)
`
  expect(silentIn('x', planted)).toEqual(['x first', 'x third', 'x fourth', 'x sixth'])
})
