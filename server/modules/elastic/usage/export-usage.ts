import { Readable } from 'node:stream'
import { exportFileName } from '#contract/elastic/usage/usage-exports.ts'
import { USAGE_CSV_COLUMNS, type usageList } from '#contract/elastic/usage/usage-list.ts'
import { MAX_EXPORT, tooManyTransactions } from '#domain/elastic/usage/usage-export.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { usageSource } from '#server/modules/elastic/usage/usage.list.ts'
import { loadWideUsageScope } from '#server/modules/elastic/usage/usage-scope.ts'
import { type Call, CsvFile } from '#server/operations/route.ts'

/** Never cut silently: what is too long is refused, and the screen offers the background export instead. */
export async function exportUsage(call: Call<typeof usageList.exportCsv>): Promise<CsvFile> {
  const {
    body,
    db,
    later,
    services: { lists },
    standing,
    timeZone,
  } = call
  const scope = await loadWideUsageScope(db, standing, body)
  const most = Math.min(body.limit ?? MAX_EXPORT, MAX_EXPORT)
  const found = await lists.count(db, usageSource, scope, body, { timeZone, atMost: most + 1 })
  if (found > most) throw new BusinessRefusal('TOO_MANY_ROWS', tooManyTransactions(most))

  const pieces = lists.csv(db, usageSource, scope, { ...body, columns: USAGE_CSV_COLUMNS }, { timeZone, later })
  // The first piece is read before anything is sent: until then the answer can still be an error.
  const first = await pieces.next()
  const fileName = exportFileName(standing.customerNumber, body.filter, timeZone)
  const { customerNumber: _, ...request } = body
  await call.audit({ target: fileName, after: request })
  const bytes = async function* () {
    if (!first.done) yield first.value.bytes
    for await (const piece of pieces) yield piece.bytes
  }
  return new CsvFile(fileName, Readable.from(bytes()))
}
