import { Readable } from 'node:stream'
import type { exportUsage as operation } from '#contract/elastic/export-usage.ts'
import { exportFileName, MAX_EXPORT, tooManyTransactions } from '#domain/elastic/usage-export.ts'
import { USAGE_COLUMNS } from '#domain/elastic/usage-fields.ts'
import { fetchCount } from '#server/lists/list-count.ts'
import { streamCsv } from '#server/lists/list-csv.ts'
import { usageList } from '#server/modules/elastic/usage.list.ts'
import { wideUsageScope } from '#server/modules/elastic/usage-scope.ts'
import { Refusal } from '#server/plugins/problem.ts'
import { type Call, CsvFile } from '#server/plugins/route.ts'

/** Never cut silently: what is too long is refused, and the screen offers the background export instead. */
export async function exportUsage(call: Call<typeof operation>): Promise<CsvFile> {
  const { body, db, later, services, standing, timeZone } = call
  const scope = await wideUsageScope(db, standing, body)
  const most = Math.min(body.limit ?? MAX_EXPORT, MAX_EXPORT)
  const found = await fetchCount(db, usageList, scope, body, { timeZone, atMost: most + 1 })
  if (found > most) throw new Refusal('TOO_MANY_ROWS', tooManyTransactions(most))

  const reading = { timeZone, traffic: services.traffic, later }
  const pieces = streamCsv(db, usageList, scope, { ...body, columns: USAGE_COLUMNS }, reading)
  // The first piece is read before anything is sent: until then a failure can still be told.
  const first = await pieces.next()
  const fileName = exportFileName(standing.customerNumber, body.filter, timeZone)
  const { customerNumber: _, ...request } = body
  await call.audit({ action: 'usage.export-csv', target: fileName, after: request })
  const bytes = async function* () {
    if (!first.done) yield first.value.bytes
    for await (const piece of pieces) yield piece.bytes
  }
  return new CsvFile(fileName, Readable.from(bytes()))
}
