import { sql } from 'kysely'
import { MAILED_COLUMNS, mailedStatementList } from '#contract/elastic/statements/mailed-statements.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { listSource } from '#server/lists/list-source.ts'
import { csvListAnswer } from '#server/operations/file-answer.ts'
import type { Call, SentFile } from '#server/operations/route.ts'

/** The mailed statements of one account, without their files. */
export const mailedStatementSource = listSource(mailedStatementList, {
  columns: {
    Id: 's.id',
    Time: 's.mailed_at',
    Kind: 's.kind',
    PeriodStartDate: 's.period_from',
    PeriodEndDate: 's.period_to',
    FileName: 's.file_name',
    ActivationId: `nullif(s.activation_id, '')`,
  },
  from: sql`mailed_statement s`,
  scope: ({ customerNumber }: { customerNumber: string }) => sql<boolean>`s.customer_number = ${customerNumber}`,
})

export function exportMailedStatements(call: Call<typeof mailedStatementList.exportCsv>): Promise<SentFile> {
  const { now, standing, timeZone } = call
  const { customerNumber } = standing
  return csvListAnswer(call, `emailed-statements_${customerNumber}_${dayIn(timeZone, now)}.csv`, {
    source: mailedStatementSource,
    scope: { customerNumber },
    columns: MAILED_COLUMNS,
  })
}
