import { type Kysely, sql } from 'kysely'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { InstallationSecrets } from '#server/db/secrets.queries.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import type { DemoPart, World } from '#server/demo/demo-part.ts'
import { midnightOf } from '#server/demo/midnight.ts'
import { accounts, contacts, people } from '#server/demo/parts/accounts.demo.ts'
import { alerts } from '#server/demo/parts/alerts.demo.ts'
import { catalog } from '#server/demo/parts/catalog.demo.ts'
import { elasticCredentials } from '#server/demo/parts/elastic-credentials.demo.ts'
import { elasticDenials } from '#server/demo/parts/elastic-denials.demo.ts'
import { elasticServers } from '#server/demo/parts/elastic-servers.demo.ts'
import { emails } from '#server/demo/parts/emails.demo.ts'
import { entitlements } from '#server/demo/parts/entitlements.demo.ts'
import { fsa } from '#server/demo/parts/fsa.demo.ts'
import { fulfillments } from '#server/demo/parts/fulfillments.demo.ts'
import { licenseFiles } from '#server/demo/parts/license-files.demo.ts'
import { licenseUse } from '#server/demo/parts/license-use.demo.ts'
import { limits } from '#server/demo/parts/limits.demo.ts'
import { mailedStatements } from '#server/demo/parts/mailed-statements.demo.ts'
import { optionsFiles } from '#server/demo/parts/options-files.demo.ts'
import { reminders } from '#server/demo/parts/reminders.demo.ts'
import { requests } from '#server/demo/parts/requests.demo.ts'
import { seatLines } from '#server/demo/parts/seat-lines.demo.ts'
import { tokens } from '#server/demo/parts/tokens.demo.ts'
import { usage } from '#server/demo/parts/usage.demo.ts'
import { usageReceipts } from '#server/demo/parts/usage-receipts.demo.ts'
import { webLicenses } from '#server/demo/parts/web-licenses.demo.ts'
import { webhooks } from '#server/demo/parts/webhooks.demo.ts'
import { seededRandom } from '#server/demo/random.ts'

/** All demo data in the order in which it is loaded: a part may rely on those before it. */
export const DEMO_PARTS: readonly DemoPart[] = [
  people,
  accounts,
  contacts,
  catalog,
  entitlements,
  fulfillments,
  licenseFiles,
  licenseUse,
  optionsFiles,
  seatLines,
  alerts,
  emails,
  elasticServers,
  elasticCredentials,
  usage,
  usageReceipts,
  elasticDenials,
  limits,
  mailedStatements,
  fsa,
  webLicenses,
  reminders,
  tokens,
  requests,
  webhooks,
]

type DemoOptions = {
  readonly now: Date
  /** Approximate number of usage transactions: a hundred thousand take seconds. */
  readonly usageTransactions: number
  /** Called before each part with its name, and once more when all are there. */
  progress(done: number, total: number, what: string): void
  /** Those of an installation without a key from outside, if it is not said. */
  readonly secrets?: InstallationSecrets
  readonly parts?: readonly DemoPart[]
}

/** Loads the missing parts of the demo data, and returns their names. */
export async function loadDemo(db: Kysely<DB>, options: DemoOptions): Promise<string[]> {
  const present = new Set((await db.selectFrom('demo_part').select('name').execute()).map(({ name }) => name))
  const missing = (options.parts ?? DEMO_PARTS).filter((part) => !present.has(part.name))
  const world = worldOn(options)
  const loaded: string[] = []
  for (const [done, part] of missing.entries()) {
    options.progress(done, missing.length, part.name)
    if (await loadOnce(db, part, world, options.now)) loaded.push(part.name)
  }
  if (missing.length > 0) options.progress(missing.length, missing.length, 'ready')
  return loaded
}

/** False if another process was faster. */
function loadOnce(db: Kysely<DB>, part: DemoPart, world: World, now: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // A busy machine takes longer than a call may take.
    await allowLongWork(tx)
    await sql`select pg_advisory_xact_lock(hashtext('demo data'))`.execute(tx)
    const made = await tx.selectFrom('demo_part').select('name').where('name', '=', part.name).executeTakeFirst()
    if (made) return false
    await part.load(tx, world)
    await tx
      .insertInto('demo_part')
      .values({ name: part.name, made_for: dayIn('UTC', now), loaded_at: now })
      .execute()
    return true
  })
}

function worldOn({ now, usageTransactions, secrets = new InstallationSecrets([]) }: DemoOptions): World {
  return {
    usageTransactions,
    secrets,
    midnight: midnightOf(dayIn('UTC', now)),
    today: (timeZone) => dayIn(timeZone, now),
    random: (purpose) => seededRandom(`licensing portal demo: ${purpose}`),
  }
}
