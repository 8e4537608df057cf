import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import type { FastifyReply } from 'fastify'
import type { downloadUsageExport as operation } from '#contract/elastic/usage-exports.ts'
import { sendCsv } from '#server/modules/elastic/export-usage.ts'
import { ownUsageExport } from '#server/modules/elastic/usage-export.queries.ts'
import { exportFile } from '#server/modules/elastic/usage-export-file.ts'
import { Problem } from '#server/plugins/problem.ts'
import type { Call } from '#server/plugins/route.ts'

export async function downloadUsageExport(call: Call<typeof operation>): Promise<FastifyReply> {
  const { actor, db, now, params, reply, services, standing } = call
  const own = await ownUsageExport(db, standing.customerNumber, actor.email, params.id)
  if (!own) throw new Problem(404, 'There is no such export')
  if (own.state === 'waiting' || own.state === 'running') throw new Problem(409, 'The export is not ready yet')
  if (own.state !== 'ready' || !own.kept_until || own.kept_until <= now)
    throw new Problem(404, 'The file of this export is no longer kept')
  const file = exportFile(services.config, own.id)
  const found = await fs.stat(file).catch(() => undefined)
  if (!found) throw new Problem(404, 'The file of this export is no longer kept')
  await call.audit({ action: 'usage.download-export', target: own.id, after: own.request })
  reply.header('content-length', found.size)
  return sendCsv(reply, createReadStream(file), own.file_name)
}
