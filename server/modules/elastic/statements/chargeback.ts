import {
  CHARGEBACK_FIELDS,
  type ChargebackTableRow,
  chargebackTableRow,
  type exportChargeback as exportOperation,
  type getChargeback as operation,
  toWireChargeback,
} from '#contract/elastic/statements/chargeback.ts'
import { MAX_FETCH_ALL } from '#contract/kit/list.ts'
import { CHARGEBACK_LABELS, type Chargeback, createChargeback } from '#domain/elastic/statements/chargeback.ts'
import { compareBy } from '#domain/filter/compare-rows.ts'
import { matches } from '#domain/filter/evaluate-filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { parseSorting } from '#domain/filter/parse-sorting.ts'
import { asListError } from '#server/lists/list-error.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { listChargebackLines } from '#server/modules/elastic/statements/chargeback.queries.ts'
import { readPeriod } from '#server/modules/elastic/statements/statements.ts'
import { type CsvCells, csvAnswer } from '#server/operations/file-answer.ts'
import type { Call, Result, SentFile } from '#server/operations/route.ts'

export async function getChargeback(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  return { data: toWireChargeback(await loadChargeback(call)) }
}

/** The browser filters the rows that it has loaded: the export applies the same rules to the same rows. */
export async function exportChargeback(call: Call<typeof exportOperation>): Promise<SentFile> {
  const { body, timeZone } = call
  const { by } = body
  const filter = asListError(() => parseFilter(CHARGEBACK_FIELDS, body.filter))
  const order = asListError(() => parseSorting(CHARGEBACK_FIELDS, body.sorting))
  const { from, to } = readPeriod(body, timeZone)
  const { rows } = await loadChargeback(call)
  const found = rows.map((row) => chargebackTableRow(by, row)).filter((row) => matches(filter, row))
  // Rows that are equal to the sorting keep their order: the most used first.
  if (order.length > 0) found.sort(compareBy(order))
  const header = [CHARGEBACK_LABELS[by], 'Used', 'Share (%)', 'Hours', 'Transactions', 'Currency']
  return csvAnswer(call, `chargeback-by-${by}_${body.customerNumber}_${from}_${to}.csv`, header, lines())

  async function* lines() {
    yield found.map(lineOf)
  }
}

const lineOf = ({ name, used, share, hours, transactions, currency }: ChargebackTableRow): CsvCells => [
  name,
  { amount: used },
  share === null ? null : { amount: share, places: 1 },
  { amount: hours },
  transactions,
  currency,
]

async function loadChargeback(call: Call<typeof operation | typeof exportOperation>): Promise<Chargeback> {
  const { body, db, standing, timeZone } = call
  const period = readPeriod(body, timeZone)
  const lines = await listChargebackLines(db, standing.customerNumber, body.by, period, MAX_FETCH_ALL + 1)
  if (lines.length > MAX_FETCH_ALL) throw tooManyRows()
  return createChargeback(lines)
}
