import type { reportOptionsInstall as operation } from '#contract/options-files/options-files.ts'
import { HttpError } from '#server/http/http-error.ts'
import { requireDaemon } from '#server/modules/options-files/load-options.ts'
import { lockOptionsFile, saveInstall } from '#server/modules/options-files/options-files.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** What a collector says about the file on its machine. It says so when something has changed, not every minute. */
export async function reportOptionsInstall(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { body, db, now } = call
  const { key, serverName } = await requireDaemon(call, body.serverId, body.daemon)
  if (!(await lockOptionsFile(db, key)))
    throw new HttpError(404, 'This vendor daemon has no options file in the portal.')
  const { machine, version, day, sha256, outcome, message } = body
  await saveInstall(db, key, {
    machine,
    version,
    day,
    sha256,
    outcome,
    message: message || null,
    reported_at: now,
  })
  await call.audit({
    target: `${key.daemon} on ${serverName}`,
    after: { machine, version, outcome, ...(message ? { message } : {}) },
  })
  return { data: null }
}
