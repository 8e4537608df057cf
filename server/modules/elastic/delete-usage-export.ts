import type { deleteUsageExport as operation } from '#contract/elastic/usage-exports.ts'
import { HttpError } from '#server/http/http-error.ts'
import { deleteOwnExport } from '#server/modules/elastic/usage-export.queries.ts'
import { removeExportFiles } from '#server/modules/elastic/usage-export-file.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** A job that is writing the file finds its export gone, and stops. */
export async function deleteUsageExport(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, db, params, services, standing } = call
  const row = await deleteOwnExport(db, { customerNumber: standing.customerNumber, email: actor.email }, params.id)
  if (!row) throw new HttpError(404, 'There is no such export')
  await removeExportFiles(services.config, row.id)
  await call.audit({
    target: row.id,
    before: { fileName: row.file_name, state: row.state, request: row.request },
  })
  return { data: null }
}
