import { createReadStream } from 'node:fs'
import type { downloadUsageExport as operation } from '#contract/elastic/usage-exports.ts'
import { HttpError } from '#server/http/http-error.ts'
import { ownUsageExport } from '#server/modules/elastic/usage-export.queries.ts'
import { findExportFile } from '#server/modules/elastic/usage-export-file.ts'
import { type Call, CsvFile } from '#server/operations/route.ts'

export async function downloadUsageExport(call: Call<typeof operation>): Promise<CsvFile> {
  const { actor, db, now, params, services, standing } = call
  const own = await ownUsageExport(db, standing.customerNumber, actor.email, params.id)
  if (!own) throw new HttpError(404, 'There is no such export')
  if (own.state === 'waiting' || own.state === 'running') throw new HttpError(409, 'The export is not ready yet')
  if (own.state !== 'ready' || !own.kept_until || own.kept_until <= now)
    throw new HttpError(404, 'The file of this export is no longer kept')
  const found = await findExportFile(services.config, own.id)
  if (!found) throw new HttpError(404, 'The file of this export is no longer kept')
  await call.audit({ target: own.id, after: own.request })
  return new CsvFile(own.file_name, createReadStream(found.file), found.size)
}
