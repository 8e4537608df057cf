import { randomBytes } from 'node:crypto'
import { afterAll, expect, inject, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import { getUpkeep } from '#contract/upkeep/upkeep.ts'
import { openDatabase } from '#server/db/database.ts'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { findCurrentKey, insertFirstKey } from '#server/modules/activations/license-files/signing-keys.queries.ts'
import { loadSigner } from '#server/modules/activations/license-files/signing-keys.ts'
import { hostPlansJob } from '#server/modules/activations/plans/carry-out-plan.ts'
import { demoDatabase, type OwnedDatabase, type TestDatabase } from '#server/testing/database.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { type Answer, startPortal } from '#server/testing/portal.ts'
import { dropCitusDatabase } from '#server/testing/scale-out/citus.ts'
import { callEveryOperation } from '#server/testing/scale-out/every-operation.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

const nodes = inject('testNodes')
const isSharded = nodes.length > 1

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

/** On the same server, but without Citus: the same demo data for the same instant, and the key that signs license files. */
async function plainDatabase({ db: sharded }: TestDatabase): Promise<OwnedDatabase> {
  const connection = { ...inject('testServer'), database: `plain_${randomBytes(6).toString('hex')}` }
  await ensureDatabase(connection, connection.database)
  await migrate(connection)
  const { pool, db } = openDatabase({ ...connection, max: 4 })
  await loadSigner(sharded, UNWRAPPED, new Date())
  const { retired_at: _, ...key } = (await findCurrentKey(sharded))!
  const secrets = await sharded.selectFrom('installation_secret').selectAll().execute()
  await db.insertInto('installation_secret').values(secrets).execute()
  await insertFirstKey(db, key)
  await loadDemo(db, { now: new Date(inject('demoMadeAt')), usageTransactions: 2000, progress: () => {} })
  return {
    pool,
    db,
    connection,
    async close() {
      await db.destroy()
      await dropCitusDatabase([inject('testServer')], connection.database)
    },
  }
}

type Given = { readonly operation: string; readonly status: number; readonly text: string }

async function answersOf(database: OwnedDatabase | TestDatabase): Promise<Given[]> {
  // No job begins by itself.
  const portal = await startPortal({}, { background: [hostPlansJob] }, database)
  closing.push(portal.close)
  const answers: Given[] = []
  await callEveryOperation(portal, async ({ name }, make) => {
    // An internal error is no documented answer: the call throws.
    const answer = await make().catch((error): Answer => ({ status: 500, body: { err: String(error) }, headers: {} }))
    answers.push({ operation: name, status: answer.status, text: await textOf(answer) })
    return answer
  })
  return answers
}

/**
 * The instants of records come from the clock of the database. Tokens are signed with a secret of the installation. A task
 * ends, and a license server reports, while other operations are called and move the clock.
 */
const NEVER_THE_SAME = ['changedAt', 'removedAt', 'until', 'next', 'token', 'finishedAt', 'keptUntil', 'reportedAt']

/**
 * Tell of the installation itself: how its partitions are stored, which statements were slow, and the audit log, whose rows have
 * their own ids, times and hashes. `server/audit` tests the log on shards.
 */
const isOfTheInstallation = (operation: string) => operation === getUpkeep.name || /^audit(\/|$)/.test(operation)

/** An answer as one text. Of a PDF file it has the lines that a reader sees. */
async function textOf({ body: { bytes, ...body } }: Answer): Promise<string> {
  const isPdf = String(body.text).startsWith('%PDF')
  const content = isPdf ? (await readPdf(bytes as Uint8Array)).lines : body
  return JSON.stringify(content, (field, value) => (NEVER_THE_SAME.includes(field) ? typeof value : value), 1)
}

/** Ids, the numbers of quotes and orders, the addresses of calendars, and the secrets of webhooks. */
const RANDOM = /whsec_[\w+/]+=*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=Q-|ENT-\d+-)[0-9A-F]{8}|cal_[\w-]{43}/g

/**
 * Takes out what is random, which is what only one of the two has. Rows may be in the order of such ids: then the lines of an
 * answer are compared in any order.
 */
function withoutRandom(answers: readonly Given[], others: readonly Given[]): Given[] {
  const known = new Set(others.flatMap(({ text }) => text.match(RANDOM) ?? []))
  return answers.map((answer) => {
    const text = answer.text.replaceAll(RANDOM, (id) => (known.has(id) ? id : 'random'))
    const lines = text.split(/,?\n|\\r\\n/)
    return { ...answer, text: text === answer.text ? text : lines.sort().join('\n') }
  })
}

/** From the first place where two answers differ. */
function differences(plain: readonly Given[], sharded: readonly Given[]) {
  return plain.flatMap(({ operation, status, text }, at) => {
    const other = sharded[at]!
    if (status === other.status && text === other.text) return []
    const from = [...text].findIndex((letter, place) => letter !== other.text[place])
    const part = (whole: string) => whole.slice(Math.max(0, from - 60), from + 140)

    return [{ operation, one: `${status} ${part(text)}`, shards: `${other.status} ${part(other.text)}` }]
  })
}

test.runIf(isSharded)('every operation answers on shards what it answers on one PostgreSQL', async () => {
  const database = await demoDatabase()
  const [plain, sharded] = [await answersOf(await plainDatabase(database)), await answersOf(database)]
  expect(new Set(plain.map(({ operation }) => operation))).toEqual(new Set(OPERATIONS.map(({ name }) => name)))
  const found = differences(withoutRandom(plain, sharded), withoutRandom(sharded, plain))
  expect(found.filter(({ operation }) => !isOfTheInstallation(operation))).toEqual([])
})
