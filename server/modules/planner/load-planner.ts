import type { getPlanner as operation, PlannerProduct } from '#contract/planner/planner.ts'
import { can } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { weighWebLicenses } from '#domain/optimization/optimization-report.ts'
import { costOfSeats } from '#domain/optimization/seat-cost.ts'
import type { MeasuredUse } from '#domain/planner/proposals.ts'
import { HttpError } from '#server/http/http-error.ts'
import { listElasticRates } from '#server/modules/catalog/catalog.public.ts'
import { listUnitsByProduct } from '#server/modules/elastic/elastic.public.ts'
import { loadSpendingAccounts } from '#server/modules/fsa/fsa.public.ts'
import { listFeaturesOfProducts, listMeasuredFeatures } from '#server/modules/license-use/license-use.public.ts'
import { type Ends, findRateTable, listBoughtProducts } from '#server/modules/planner/planner.queries.ts'
import { loadWebUse, readReportRange } from '#server/modules/web-licenses/web-licenses.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

type PlannerCall = Pick<Call<typeof operation>, 'actor' | 'db' | 'now' | 'standing' | 'timeZone'>
type MeasuredFeature = Awaited<ReturnType<typeof listMeasuredFeatures>>[number]
type Wanted = DayRange & Ends

export async function getPlanner(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const ends = readEnds(call.body)
  const products = await loadPlanner(call, { ...readRange(call), ...ends })
  const isAll = ends.endsFrom === undefined && ends.endsBy === undefined
  return { data: { products: isAll ? products : products.filter(({ ending }) => ending > 0) } }
}

export const readRange = (call: { readonly body: DayRange; readonly timeZone: string }): DayRange =>
  readReportRange(call.body, call.timeZone)

export function readEnds({ endsFrom, endsBy }: Ends): Ends {
  if (endsFrom && endsBy && endsFrom > endsBy) throw new HttpError(400, 'endsFrom must not be after endsBy')
  return { endsFrom, endsBy }
}

/** The products of an account with what was bought, activated and measured, and what they cost. */
export async function loadPlanner(
  call: PlannerCall,
  { endsFrom, endsBy, ...range }: Wanted,
): Promise<PlannerProduct[]> {
  const { actor, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  const today = dayIn(timeZone, now)
  const bought = await listBoughtProducts(db, customerNumber, { today, endsFrom, endsBy })
  const partNumbers = bought.map(({ partNumber }) => partNumber)
  const features = new Map((await listFeaturesOfProducts(db, partNumbers)).map((one) => [one.partNumber, one.features]))
  const measured = new Map((await listMeasuredFeatures(db, customerNumber, range)).map((one) => [one.feature, one]))
  const rateTable = await findRateTable(db, customerNumber)
  const rates = rateTable === undefined ? new Map<string, string>() : await listElasticRates(db, rateTable, partNumbers)
  const units = can(actor, 'elastic.read', standing).allowed ? await listUnitsByProduct(db, customerNumber, range) : []
  const web = can(actor, 'web-licenses.read', standing).allowed
    ? weighWebLicenses(await loadWebUse(db, customerNumber, { range, timeZone, now }))
    : []
  const contracts = can(actor, 'fsa.read', standing).allowed ? await loadSpendingAccounts(db, customerNumber) : []
  return bought.map((one) => {
    const own = features.get(one.partNumber) ?? []
    const webUse = web.find(({ product }) => product === one.product)
    const cost = costOfSeats(one.product, 1, contracts, today)
    return {
      ...one,
      features: own,
      measured: measuredOf(own, measured),
      elasticUnits: units
        .filter(({ product }) => product === one.product)
        .map((used) => `${used.units} ${used.currency}`)
        .join(', '),
      unitsPerHour: rates.get(one.partNumber) ?? null,
      webSeats: webUse?.seats ?? 0,
      webPeak: webUse?.peak ?? 0,
      unitCost: cost?.cost ?? null,
      currency: cost?.currency ?? null,
      duration: cost?.duration ?? null,
    }
  })
}

/** A product with several features needs seats for the one that is used most. Denials of all of them count. */
function measuredOf(features: readonly string[], measured: ReadonlyMap<string, MeasuredFeature>): MeasuredUse | null {
  const own = features.flatMap((feature) => measured.get(feature) ?? [])
  if (own.length === 0) return null
  const most = (count: (one: MeasuredFeature) => number) => Math.max(...own.map(count))
  const peak = most((one) => one.peak)
  return {
    peak,
    percentile95: most(({ percentile95 }) => percentile95),
    realDenials: own.reduce((all, { realDenials }) => all + realDenials, 0),
    deniedAtPeak: most((one) => one.peak + one.deniedAtPeak) - peak,
  }
}
