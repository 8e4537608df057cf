import { CATALOG, type Product } from '#server/demo/products.ts'
import type { Random } from '#server/demo/random.ts'
import type { UsageNames } from '#server/demo/usage-names.ts'

/** Sessions that draw on one entitlement: how many, between which instants, and how many hundredths of a unit in total. */
export type UsagePlan = {
  readonly customerNumber: string
  readonly serverId: string
  readonly activationId: string
  readonly currency: string
  readonly rateTableVersion: string
  /** Factor of the rate table on the current rates of the catalog. */
  readonly rateFactor: number
  readonly from: Date
  readonly to: Date
  readonly sessions: number
  readonly cents: number
  readonly names: UsageNames
  /** How many sessions run in the cloud, from 0 to 1. */
  readonly inCloud: number
}

/** Sessions of one plan, column by column, as they are sent to the database. Texts are indexes into `names`. */
export type UsageBatch = {
  readonly plan: UsagePlan
  /** The index of the first one among all sessions of the plan. */
  readonly first: number
  readonly startedAt: number[]
  readonly endedAt: number[]
  readonly cents: number[]
  readonly product: number[]
  readonly productCount: number[]
  readonly person: number[]
  readonly host: number[]
  /** Null without a project, or without a cloud job. */
  readonly project: (number | null)[]
  readonly cloudJob: (number | null)[]
  readonly externalIp: number[]
  readonly status: number[]
}

export const STATUSES = ['Completed', 'Timed out', 'Terminated', 'Disconnected'] as const
const MOSTLY_COMPLETED = [
  [0, 90],
  [1, 4],
  [2, 4],
  [3, 2],
] as const

export type ElasticProduct = Product & { readonly rate: number }
export const ELASTIC_PRODUCTS = CATALOG.filter((product): product is ElasticProduct => product.rate !== undefined)
/** Longer than this, and a dearer product is taken instead. */
const USUAL_HOURS = 9

const HOUR = 3_600_000
const DAY = 24 * HOUR
const BATCH = 5_000

const rateOf = (product: ElasticProduct, factor: number) => Number((product.rate * factor).toFixed(4))

/** Deterministic for the same random stream. The charges of a plan add up exactly to its total in cents. */
export function* usageBatches(plan: UsagePlan, random: Random): Generator<UsageBatch> {
  const shares = sharesOf(plan, random)
  for (let first = 0; first < plan.sessions; first += BATCH) {
    const batch = emptyBatch(plan, first)
    for (let at = first; at < Math.min(first + BATCH, plan.sessions); at++) addSession(batch, at, shares[at]!, random)
    yield batch
  }
}

/** At least one cent per session, and the rest distributed unevenly: most sessions are short, a few are long. */
function sharesOf({ sessions, cents }: UsagePlan, random: Random): Float64Array {
  const weights = new Float64Array(sessions)
  let sum = 0
  for (let at = 0; at < sessions; at++) {
    const bell = random.fraction() + random.fraction() + random.fraction() - 1.5
    sum += weights[at] = Math.exp(bell * 2)
  }
  const spread = cents - sessions
  if (spread < 0) throw new Error(`${cents} cents are too few for ${sessions} sessions`)
  let before = 0
  let passed = 0
  for (let at = 0; at < sessions; at++) {
    passed += weights[at]!
    const upTo = at === sessions - 1 ? spread : Math.round((spread * passed) / sum)
    weights[at] = 1 + upTo - before
    before = upTo
  }
  return weights
}

function addSession(batch: UsageBatch, at: number, cents: number, random: Random): void {
  const { plan } = batch
  const { names } = plan
  const productCount = random.chance(0.8) ? 1 : random.integer(2, 4)
  const product = productFor(cents, productCount, plan.rateFactor, random)
  const rate = rateOf(ELASTIC_PRODUCTS[product]!, plan.rateFactor)
  // To the millisecond, so that rating this length gives exactly these cents.
  const length = Math.round((cents / 100 / (rate * productCount)) * HOUR)
  const startedAt = startOf(plan, at, length, random)
  const person = Math.floor(random.fraction() ** 2 * names.users.length)

  batch.startedAt.push(startedAt)
  batch.endedAt.push(startedAt + length)
  batch.cents.push(cents)
  batch.product.push(product)
  batch.productCount.push(productCount)
  batch.person.push(person)
  batch.host.push(Math.min(names.hosts.length - 1, person * 2 + (random.chance(0.2) ? 1 : 0)))
  batch.project.push(random.chance(0.35) ? null : random.integer(0, names.projects.length - 1))
  batch.cloudJob.push(random.chance(plan.inCloud) ? Math.floor(at / 12) : null)
  batch.externalIp.push(random.integer(0, names.externalIps.length - 1))
  batch.status.push(random.weighted(MOSTLY_COMPLETED))
}

function productFor(cents: number, count: number, factor: number, random: Random): number {
  let chosen = 0
  for (let tries = 0; tries < 3; tries++) {
    const next = Math.floor(random.fraction() ** 1.5 * ELASTIC_PRODUCTS.length)
    if (tries === 0 || ELASTIC_PRODUCTS[next]!.rate > ELASTIC_PRODUCTS[chosen]!.rate) chosen = next
    if (cents / 100 / (rateOf(ELASTIC_PRODUCTS[chosen]!, factor) * count) < USUAL_HOURS) break
  }
  return chosen
}

/** Spread over the plan's time, mostly in working hours; the last session ends before the plan does. */
function startOf({ from, to, sessions }: UsagePlan, at: number, length: number, random: Random): number {
  const [first, last] = [from.getTime(), to.getTime()]
  const moment = first + ((at + random.fraction()) / sessions) * (last - first)
  let day = Math.floor(moment / DAY)
  const weekday = (day + 4) % 7
  if ((weekday === 0 || weekday === 6) && random.chance(0.85)) day -= weekday === 0 ? 2 : 1
  const hour = random.chance(0.85) ? 6 + (random.fraction() + random.fraction()) * 6 : random.fraction() * 24
  const wanted = day * DAY + Math.floor(hour * 3600) * 1000
  return Math.max(first, Math.min(wanted, last - length - 1000))
}

function emptyBatch(plan: UsagePlan, first: number): UsageBatch {
  return {
    plan,
    first,
    startedAt: [],
    endedAt: [],
    cents: [],
    product: [],
    productCount: [],
    person: [],
    host: [],
    project: [],
    cloudJob: [],
    externalIp: [],
    status: [],
  }
}
