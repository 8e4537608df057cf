import { exportFileName } from '#contract/elastic/usage/usage-exports.ts'
import { USAGE_CSV_COLUMNS, type usageList } from '#contract/elastic/usage/usage-list.ts'
import { MAX_EXPORT, tooManyTransactions } from '#domain/elastic/usage/usage-export.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { usageSource } from '#server/modules/elastic/usage/usage.list.ts'
import { loadWideUsageScope } from '#server/modules/elastic/usage/usage-scope.ts'
import { csvListAnswer } from '#server/operations/file-answer.ts'
import type { Call, SentFile } from '#server/operations/route.ts'

/** Too many rows are refused, and the screen offers the background export instead. */
export async function exportUsage(call: Call<typeof usageList.exportCsv>): Promise<SentFile> {
  const { body, db, standing, timeZone } = call
  const scope = await loadWideUsageScope(db, standing, body)
  return csvListAnswer(
    call,
    `${exportFileName(standing.customerNumber, body.filter, timeZone)}.csv`,
    { source: usageSource, scope, columns: USAGE_CSV_COLUMNS },
    {
      most: Math.min(body.limit ?? MAX_EXPORT, MAX_EXPORT),
      refusal: (most) => new BusinessRefusal('TOO_MANY_ROWS', tooManyTransactions(most)),
    },
  )
}
