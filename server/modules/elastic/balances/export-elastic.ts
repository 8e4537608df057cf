import type { exportElasticEntitlements } from '#contract/elastic/balances/elastic-entitlements.ts'
import {
  ELASTIC_ROW_FIELDS,
  type ElasticRow,
  elasticRow,
  elasticSorting,
} from '#contract/elastic/balances/elastic-row.ts'
import { LAST_TO_END_FIRST } from '#contract/entitlements/balance-row.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { FORECAST_WINDOWS, runOutText } from '#domain/elastic/balances/run-out.ts'
import { compareBy } from '#domain/filter/compare-rows.ts'
import { matches } from '#domain/filter/evaluate-filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { completeOrder, parseSorting } from '#domain/filter/parse-sorting.ts'
import { asListError } from '#server/lists/list-error.ts'
import { loadElasticEntitlements } from '#server/modules/elastic/balances/elastic-entitlements.ts'
import { loadRunOutForecast } from '#server/modules/elastic/balances/run-out.ts'
import { type CsvCells, csvAnswer } from '#server/operations/file-answer.ts'
import type { Call, SentFile } from '#server/operations/route.ts'

const HEADER = [
  'Entitlement',
  'Activation ID',
  'Start Date',
  'Expiration Date',
  'Remaining Days',
  'Total',
  'Used',
  'Remaining',
  'Overdrawn',
  'Currency',
  'Used Percentage',
  'Purchase Order',
  'Rate Table',
  ...FORECAST_WINDOWS.map((window) => `Runs Out On (last ${window} days)`),
]

const lineOf = (row: ElasticRow): CsvCells => [
  row.ansysproduct,
  row.activationid,
  row.startdate,
  row.enddate,
  row.remainingdays,
  { amount: row.quantity },
  { amount: row.used },
  { amount: row.remaining },
  { amount: row.overdrawn },
  row.currency,
  row.usedpercentage,
  row.ansysponum,
  row.ansysratetableversion,
  ...FORECAST_WINDOWS.map((_, at) => row.runouts[at] && runOutText(row.runouts[at].runOut)),
]

/** The browser filters the rows that it has loaded: the export applies the same rules to the same rows. */
export async function exportElastic(call: Call<typeof exportElasticEntitlements>): Promise<SentFile> {
  const { body, db, timeZone, now } = call
  const filter = asListError(() => parseFilter(ELASTIC_ROW_FIELDS, body.filter))
  const order = asListError(() => orderOf(body.sorting))
  const today = dayIn(timeZone, now)
  const { balances } = await loadRunOutForecast(db, body.customerNumber, today)
  const runOuts = new Map(balances.map(({ activationId, windows }) => [activationId, windows]))
  const rows = (await loadElasticEntitlements(db, body.customerNumber))
    .map((entitlement) => elasticRow(entitlement, today, runOuts.get(entitlement.ActivationId)))
    .filter((row) => row.isActive === body.active && matches(filter, row))
    .sort(compareBy(order))
  const activity = body.active ? 'active' : 'inactive'
  return csvAnswer(call, `${activity}-elastic-entitlements-${body.customerNumber}-${today}.csv`, HEADER, lines())

  async function* lines() {
    yield rows.map(lineOf)
  }
}

function orderOf(sorting: Call<typeof exportElasticEntitlements>['body']['sorting']) {
  return completeOrder(
    {
      fields: ELASTIC_ROW_FIELDS,
      key: ['activationid'],
      defaultSort: parseSorting(ELASTIC_ROW_FIELDS, LAST_TO_END_FIRST),
    },
    parseSorting(ELASTIC_ROW_FIELDS, sorting && elasticSorting(sorting)),
  )
}
