import type { saveOptionsFile as operation } from '#contract/options-files/options-files.ts'
import { checkOptions, hasErrors, type OptionsProblem } from '#domain/options-files/check-options.ts'
import { BusinessRefusal, ConflictError, HttpError } from '#server/http/http-error.ts'
import { type KnownDaemon, loadStored, requireDaemon } from '#server/modules/options-files/load-options.ts'
import {
  countChange,
  findVersion,
  insertOptionsFile,
  insertVersion,
  lockOptionsFile,
} from '#server/modules/options-files/options-files.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const CHANGED_MEANWHILE = 'Somebody else has saved this options file in the meantime.'

export async function saveOptionsFile(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now } = call
  const known = await requireDaemon(call, body.serverId, body.daemon)
  const { key, serverName, features, today } = known
  const locked = await lockOptionsFile(db, key)
  if ((locked?.version ?? 0) !== body.revision) throw await conflict(call, known)
  const stored = await loadStored(db, known)
  const text = body.text.toWellFormed().replace(/^\ufeff/, '')
  const problems = checkOptions(text, { features, reservations: stored.reservations, today })
  if (hasErrors(problems)) throw new BusinessRefusal('OPTIONS_NOT_VALID', refusalText(problems))
  if (locked && text === stored.text) return { data: { version: locked.version, problems } }
  const { restoredFrom } = body
  if (restoredFrom !== undefined) {
    const restored = await findVersion(db, key, restoredFrom)
    if (!restored) throw new HttpError(404, `There is no version ${restoredFrom}.`)
    if (restored.text !== text) throw new HttpError(400, `This is not the text of version ${restoredFrom}.`)
  }
  if (locked) await countChange(db, key, 1)
  else if (!(await insertOptionsFile(db, key))) throw await conflict(call, known)
  const version = body.revision + 1
  await insertVersion(db, key, {
    version,
    text,
    restored_from: restoredFrom ?? null,
    saved_by: actor.email,
    saved_at: now,
  })
  await call.audit({
    target: `${key.daemon} on ${serverName}`,
    after: { version, server: key.hostId, ...(restoredFrom === undefined ? {} : { restoredFrom }) },
  })
  return { data: { version, problems } }
}

async function conflict({ body, db }: Call<typeof operation>, known: KnownDaemon): Promise<ConflictError> {
  const { file, text } = await loadStored(db, known)
  const current = { text, revision: file?.version ?? 0 }
  return new ConflictError(CHANGED_MEANWHILE, { current, yours: { text: body.text, revision: body.revision } })
}

const MAX_SHOWN = 5

function refusalText(problems: readonly OptionsProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const shown = errors
    .slice(0, MAX_SHOWN)
    .map(({ line, text }) => (line === null ? text : `Line ${line}: ${text}`))
    .join(' ')
  const more = errors.length - MAX_SHOWN
  return more > 0 ? `${shown} And ${more} more.` : shown
}
