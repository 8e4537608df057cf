import type { HistoryRow, historyList } from '#contract/fsa/history-list.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { toFixedText } from '#domain/money/decimal.ts'
import type { EntryScope } from '#server/modules/fsa/entries.queries.ts'
import { historySource } from '#server/modules/fsa/history.list.ts'
import { type CsvCells, csvListAnswer } from '#server/operations/file-answer.ts'
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

export function exportHistory(call: Call<typeof historyList.exportCsv>, scope: EntryScope): Promise<SentFile> {
  const fileName = `ANSYSOrderHistory_${dayIn(call.timeZone, call.now)}_${call.body.customerNumber}.csv`
  return csvListAnswer(call, fileName, {
    source: historySource,
    scope,
    header: HEADER,
    linesOf: (rows) => rows.map(lineOf),
  })
}
