import {
  type exportOptimization as exportOperation,
  type getOptimization as operation,
  optimizationFileName,
  type getOptimizationPdf as pdfOperation,
  toWireProductBalance,
  type WireProductBalance,
} from '#contract/optimization/optimization.ts'
import { can } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { type DayRange, instantsOf } from '#domain/calendar/day-range.ts'
import { isArchived } from '#domain/elastic/usage/archived-months.ts'
import {
  MAX_COUNTED_SESSIONS,
  type ProductBalance,
  weighElastic,
  weighWebLicenses,
} from '#domain/optimization/optimization-report.ts'
import { reasonsText } from '#domain/optimization/reasons-text.ts'
import { costOfSeats, NO_COST, noCostOf } from '#domain/optimization/seat-cost.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import {
  countSessionsOnDays,
  findArchivedBefore,
  listDenialReasons,
  listPeakSessions,
  listUnitsByProduct,
} from '#server/modules/elastic/elastic.public.ts'
import { loadSpendingAccounts } from '#server/modules/fsa/fsa.public.ts'
import { describeOptimization } from '#server/modules/optimization/optimization-pdf.ts'
import { loadWebUse, readReportRange } from '#server/modules/web-licenses/web-licenses.public.ts'
import { csvAnswer, pdfAnswer } from '#server/operations/file-answer.ts'
import type { Call, Result, SentFile } from '#server/operations/route.ts'

type AnyCall = Call<typeof operation | typeof exportOperation | typeof pdfOperation>

export async function getOptimization(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { products } = await loadOptimization(call)
  return { data: { products } }
}

export async function exportOptimization(call: Call<typeof exportOperation>): Promise<SentFile> {
  const { products, range } = await loadOptimization(call)
  const fileName = `${optimizationFileName(call.standing.customerNumber, range.from, range.to)}.csv`
  return csvAnswer(call, fileName, HEADER, lines())

  async function* lines() {
    yield products.map((one) => [
      one.product,
      one.license,
      one.seats,
      one.peak,
      one.needed,
      one.daysAtLimit,
      one.units,
      one.denials,
      reasonsText(one.reasons),
      one.releasable,
      one.adviceText,
      one.missing,
      one.cost?.cost ?? '',
      one.cost?.currency ?? '',
      one.cost?.duration ?? '',
      one.noCost ? NO_COST[one.noCost].text : '',
    ])
  }
}

const HEADER = [
  'Product',
  'License',
  'Seats',
  'Peak',
  'Needed',
  'Days at Limit',
  'Units Used',
  'Denials',
  'Reasons',
  'Could Be Released',
  'Advice',
  'More Seats',
  'Cost',
  'Currency',
  'Duration',
  'Without Cost',
]

export async function getOptimizationPdf(call: Call<typeof pdfOperation>): Promise<SentFile> {
  const { products, range } = await loadOptimization(call)
  const { customerNumber } = call.standing
  const { name } = await loadAccount(call.db, customerNumber)
  const header = { customerNumber, customerName: name, timeZone: call.timeZone, ...range }
  const fileName = `${optimizationFileName(customerNumber, range.from, range.to)}.pdf`
  return pdfAnswer(call, fileName, describeOptimization(products, header))
}

/** The part of each license is included if the caller may open its own screens. */
async function loadOptimization(call: AnyCall): Promise<{ products: WireProductBalance[]; range: DayRange }> {
  const { actor, body, db, now, standing, timeZone } = call
  const range = readReportRange(body, timeZone)
  const web = can(actor, 'web-licenses.read', standing).allowed
    ? weighWebLicenses(await loadWebUse(db, standing.customerNumber, { range, timeZone, now }))
    : []
  const elastic = can(actor, 'elastic.read', standing).allowed ? await loadElastic(call, range) : []
  const maySee = can(actor, 'fsa.read', standing).allowed
  const contracts = maySee ? await loadSpendingAccounts(db, standing.customerNumber) : []
  const today = dayIn(timeZone, now)
  const costs = {
    costOf: (product: string, seats: number) => costOfSeats(product, seats, contracts, today),
    noCost: maySee ? noCostOf(contracts, today) : null,
  }
  return { range, products: [...web, ...elastic].map((one) => toWireProductBalance(one, costs)) }
}

async function loadElastic({ db, standing, timeZone }: AnyCall, range: DayRange): Promise<ProductBalance[]> {
  const { customerNumber } = standing
  const period = instantsOf(range, timeZone)
  const isCountable =
    (await countSessionsOnDays(db, customerNumber, range)) <= MAX_COUNTED_SESSIONS &&
    !isArchived(period.from, await findArchivedBefore(db))
  return weighElastic({
    used: await listUnitsByProduct(db, customerNumber, range),
    peaks: isCountable ? await listPeakSessions(db, customerNumber, period) : null,
    denials: await listDenialReasons(db, customerNumber, period),
  })
}
