import type { HistoryRow, historyList } from '#contract/fsa/history-list.ts'
import { MAX_FETCH_ALL } from '#contract/kit/list.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { toFixedText } from '#domain/money/decimal.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import type { EntryScope } from '#server/modules/fsa/entries.queries.ts'
import { historySource } from '#server/modules/fsa/history.list.ts'
import { type CsvCells, csvAnswer } from '#server/operations/file-answer.ts'
import type { Call, SentFile } from '#server/operations/route.ts'

const HEADER = [
  'Entitlement',
  'FSA Contract',
  'Order Date (UTC)',
  'Count',
  'Start Date',
  'Expiration Date',
  'Cost',
  'Currency',
  'Requester',
]

const lineOf = (row: HistoryRow): CsvCells => [
  row.entitlementId === '' ? row.ansysproduct : `${row.ansysproduct} (${row.entitlementId})`,
  row.fsaId,
  new Date(row.orderdate),
  row.count,
  row.startdate,
  row.enddate,
  toFixedText(row.cost, 2),
  row.currency,
  row.requester,
]

/** Everything that matches, in the columns of the screen. */
export async function exportHistory(call: Call<typeof historyList.exportCsv>, scope: EntryScope): Promise<SentFile> {
  const { body, db, later, now, timeZone } = call
  const { lists } = call.services
  if ((await lists.count(db, historySource, scope, body, { timeZone })) > MAX_FETCH_ALL) throw tooManyRows()
  const fileName = `ANSYSOrderHistory_${dayIn(timeZone, now)}_${body.customerNumber}.csv`
  return csvAnswer(call, fileName, HEADER, lines())

  async function* lines() {
    for await (const rows of lists.rows(db, historySource, scope, body, { later, timeZone })) yield rows.map(lineOf)
  }
}
