import { createReadStream } from 'node:fs'
import type { downloadTask as operation } from '#contract/tasks/tasks.ts'
import { HttpError } from '#server/http/http-error.ts'
import { type Call, CsvFile } from '#server/operations/route.ts'
import { loadOwnTask } from '#server/tasks/own-task.ts'
import { findTaskFile } from '#server/tasks/task-file.ts'
import type { TaskKinds } from '#server/tasks/task-kind.ts'
import { noteDownload } from '#server/tasks/tasks.queries.ts'

export async function downloadTask(call: Call<typeof operation>, kinds: TaskKinds): Promise<CsvFile> {
  const { row, kind } = await loadOwnTask(call, kinds)
  if (row.state === 'waiting' || row.state === 'running') throw new HttpError(409, `The ${kind.noun} is not ready yet`)
  const isKept = row.state === 'ready' && row.kept_until !== null && row.kept_until > call.now
  const found = isKept ? await findTaskFile(call.services.config, row) : undefined
  if (!found) throw new HttpError(404, `The file of this ${kind.noun} is no longer kept`)
  await noteDownload(call.db, { customerNumber: row.customer_number, id: row.id }, call.now)
  await call.audit({ target: row.id, after: row.request })
  return new CsvFile(row.file_name, createReadStream(found.file), found.size, kind.mediaType)
}
