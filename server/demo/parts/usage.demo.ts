import { type Selectable, sql, type Transaction } from 'kysely'
import { addDays, type CalendarDay, startOfDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import type { DemoPart, World } from '#server/demo/demo-part.ts'
import { activationId } from '#server/demo/entitlement-row.ts'
import { loadUsage } from '#server/demo/load-usage.ts'
import { FORMER_RATE_FACTOR, FORMER_RATES } from '#server/demo/parts/catalog.demo.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { type Random, seededRandom } from '#server/demo/random.ts'
import { usageNames } from '#server/demo/usage-names.ts'
import { type UsageBatch, type UsagePlan, usageBatches } from '#server/demo/usage-sessions.ts'
import { correctionOf, showcaseSessions } from '#server/demo/usage-showcase.ts'
import { bookUsage, type UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'

/** How much of an elastic entitlement is used, in percent, and how large a part of all sessions drew on it. */
type UsageTarget = { readonly percent: number; readonly share: number }

const AERODYNE: Readonly<Record<string, UsageTarget>> = {
  'elastic, used up': { percent: 100, share: 0.04 },
  'elastic, 95 % used': { percent: 96.37, share: 0.1 },
  'elastic, 80 % used': { percent: 84.2, share: 0.11 },
  'elastic, partly used': { percent: 41.8, share: 0.2 },
  'elastic, other currency': { percent: 23.5, share: 0.01 },
  'elastic, ends today': { percent: 62.5, share: 0.03 },
  'elastic, expired yesterday': { percent: 71.25, share: 0.04 },
  'elastic, of last year': { percent: 88.8, share: 0.17 },
}
const NIMBUS: Readonly<Record<string, UsageTarget>> = {
  'elastic, nearly used up': { percent: 98.62, share: 0.12 },
  'elastic, of last year': { percent: 99.2, share: 0.06 },
}
const HERITAGE: Readonly<Record<string, UsageTarget>> = { 'elastic, of last year': { percent: 74, share: 0.03 } }

const BY_ACCOUNT = { '100001': AERODYNE, '100007': NIMBUS, '100008': HERITAGE }

/** The usage of the named accounts by activation id. Entitlements that are not in here are unused. */
const USAGE_TARGETS: ReadonlyMap<string, UsageTarget> = new Map(
  Object.entries(BY_ACCOUNT).flatMap(([customerNumber, targets]) =>
    Object.entries(targets).map(([purpose, target]) => [activationId({ customerNumber, purpose }), target] as const),
  ),
)

/** The remaining transactions, for all generated accounts together. */
const SHARE_OF_OTHERS = 1 - [...USAGE_TARGETS.values()].reduce((sum, { share }) => sum + share, 0)

const isNamedAccount = (customerNumber: string) => customerNumber in BY_ACCOUNT

const FEWEST_SESSIONS = 5
const SHOWN_ON = activationId({ customerNumber: '100001', purpose: 'elastic, partly used' })
/** What the correction takes back of the session that ran over the end of the month. */
const TAKEN_BACK = '10.00'

export const usage: DemoPart = {
  name: 'usage',
  async load(tx, world) {
    const elastic = await listElasticEntitlements(tx)
    const random = world.random('usage')
    const showcase = showcaseOn(elastic, world)
    const plans = plansFor(elastic, world, showcase, random)
    await loadUsage(tx, allBatches(plans, random))
    await insertShowcase(tx, world, showcase)
  },
}

function* allBatches(plans: readonly UsagePlan[], random: Random): Generator<UsageBatch> {
  for (const plan of plans) yield* usageBatches(plan, random)
}

type Elastic = Pick<
  Selectable<DB['entitlement']>,
  'customer_number' | 'activation_id' | 'start_date' | 'currency' | 'rate_table_version'
> & { end_date: CalendarDay; units: string; time_zone: string }

async function listElasticEntitlements(tx: Transaction<DB>): Promise<Elastic[]> {
  const { rows } = await sql<Elastic>`
    select e.customer_number, e.activation_id, e.start_date, e.end_date, e.currency, e.rate_table_version,
           e.line_item_quantity * e.units_per_line as units, a.time_zone
      from entitlement e join account a on a.customer_number = e.customer_number
     where e.kind = 'ELASTIC' and e.state = 'Deployed' order by e.customer_number, e.activation_id`.execute(tx)
  return rows
}

function plansFor(
  elastic: readonly Elastic[],
  world: World,
  showcase: readonly UsageRow[],
  random: Random,
): UsagePlan[] {
  const others = elastic.filter(({ customer_number }) => !isNamedAccount(customer_number)).length
  const targetOf = ({ customer_number, activation_id }: Elastic): UsageTarget | undefined =>
    isNamedAccount(customer_number)
      ? USAGE_TARGETS.get(activation_id)
      : { percent: random.integer(10, 70), share: SHARE_OF_OTHERS / others }
  return elastic.flatMap((one) => {
    const target = targetOf(one)
    const from = startOfDay(one.time_zone, one.start_date)
    const to = earlier(startOfDay(one.time_zone, addDays(one.end_date, 1)), world.midnight)
    if (!target || from >= to) return []
    const cents = Math.round(Number(one.units) * target.percent) - centsOn(one.activation_id, showcase)
    const wanted = Math.max(FEWEST_SESSIONS, Math.round(world.usageTransactions * target.share))
    return [{ ...planOf(one), from, to, cents, sessions: Math.min(wanted, Math.floor(cents / 2)) }]
  })
}

function planOf(one: Elastic): Omit<UsagePlan, 'from' | 'to' | 'cents' | 'sessions'> {
  const { customer_number: customerNumber } = one
  return {
    customerNumber,
    serverId: elasticServerId(customerNumber),
    activationId: one.activation_id,
    currency: one.currency,
    rateTableVersion: one.rate_table_version,
    rateFactor: one.rate_table_version === FORMER_RATES ? FORMER_RATE_FACTOR : 1,
    names: namesOf(customerNumber),
    inCloud: customerNumber === '100008' ? 0 : 0.12,
  }
}

const namesOf = (customerNumber: string) =>
  usageNames(customerNumber, customerNumber === '100001' ? 120 : 40, seededRandom(`usage names ${customerNumber}`))

const earlier = (one: Date, other: Date) => (one < other ? one : other)

function showcaseOn(elastic: readonly Elastic[], world: World): UsageRow[] {
  const shown = elastic.find(({ activation_id }) => activation_id === SHOWN_ON)
  if (!shown) return []
  return showcaseSessions({ ...planOf(shown), timeZone: shown.time_zone, midnight: world.midnight })
}

/** What the showcase leaves booked on an entitlement. */
function centsOn(activation: string, showcase: readonly UsageRow[]): number {
  if (activation !== SHOWN_ON) return 0
  const charged = showcase.reduce((sum, row) => sum + Math.round(Number(row.charge ?? 0) * 100), 0)
  return charged - Math.round(Number(TAKEN_BACK) * 100)
}

async function insertShowcase(tx: Transaction<DB>, world: World, rows: readonly UsageRow[]): Promise<void> {
  const earliest = new Date(world.midnight.getTime() - 100 * 86_400_000)
  await sql`select ensure_usage_partitions(${earliest}, ${world.midnight})`.execute(tx)
  await bookUsage(tx, rows)
  const corrected = rows.find((row) => row.cloud_job_id === 'job-month-end')
  if (!corrected) return
  const { transaction_number } = await tx
    .selectFrom('usage_transaction')
    .select('transaction_number')
    .where('customer_number', '=', corrected.customer_number)
    .where('session_id', '=', corrected.session_id)
    .executeTakeFirstOrThrow()
  await bookUsage(tx, [correctionOf(corrected, transaction_number, TAKEN_BACK)])
}
