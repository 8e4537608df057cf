import { DENIAL_COLUMNS, type denialList } from '#contract/elastic/sessions/denial-list.ts'
import { MAX_FETCH_ALL } from '#contract/kit/list.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { denialSource } from '#server/modules/elastic/sessions/denial.list.ts'
import { csvAnswer } from '#server/operations/file-answer.ts'
import type { Call, SentFile } from '#server/operations/route.ts'

const HEADER = DENIAL_COLUMNS.map(([field, header]) => (field === 'Time' ? `${header} (UTC)` : header))

/** Everything that matches, in the columns and words of the screen. */
export async function exportDenials(call: Call<typeof denialList.exportCsv>): Promise<SentFile> {
  const { body, db, later, now, standing, timeZone } = call
  const { lists } = call.services
  const scope = { customerNumber: standing.customerNumber }
  const found = await lists.count(db, denialSource, scope, body, { timeZone, atMost: MAX_FETCH_ALL + 1 })
  if (found > MAX_FETCH_ALL) throw tooManyRows()
  return csvAnswer(call, `elastic-denials_${body.customerNumber}_${dayIn(timeZone, now)}.csv`, HEADER, lines())

  async function* lines() {
    for await (const rows of lists.rows(db, denialSource, scope, body, { timeZone, later }))
      yield rows.map((row) => DENIAL_COLUMNS.map(([field]) => (field === 'Time' ? new Date(row.Time) : row[field])))
  }
}
