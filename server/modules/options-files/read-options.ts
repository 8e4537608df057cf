import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import {
  type downloadOptionsFile as downloadOperation,
  type exportOptionsFile as exportOperation,
  type OptionsFile,
  optionsFileName,
  type getOptionsFile as readOperation,
  type SavedOptionsVersion,
  type getOptionsVersion as versionOperation,
} from '#contract/options-files/options-files.ts'
import { checkOptions } from '#domain/options-files/check-options.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { findDaemon, type KnownDaemon, loadStored, requireDaemon } from '#server/modules/options-files/load-options.ts'
import {
  type FileKey,
  findVersion,
  type InstallRow,
  listInstalls,
  listVersions,
  type VersionRow,
} from '#server/modules/options-files/options-files.queries.ts'
import { sealFile, sha256Of } from '#server/modules/options-files/sealed-file.ts'
import { type Call, type Result, SentFile } from '#server/operations/route.ts'

const PLAIN = 'text/plain; charset=utf-8'
const NO_FILE = 'This vendor daemon has no options file in the portal.'
const NO_VERSION = 'There is no such version.'

const toVersion = (row: Omit<VersionRow, 'text'>): SavedOptionsVersion => ({
  version: row.version,
  savedBy: row.saved_by,
  savedAt: row.saved_at.toISOString(),
  restoredFrom: row.restored_from,
})

const toInstall = (row: InstallRow, sha256: string) => ({
  machine: row.machine,
  version: row.version,
  day: row.day,
  outcome: row.outcome,
  message: row.message,
  reportedAt: row.reported_at.toISOString(),
  isCurrent: row.outcome === 'installed' && row.sha256 === sha256,
})

export async function getOptionsFile(call: Call<typeof readOperation>): Promise<Result<typeof readOperation>> {
  const { body, db } = call
  const { serverName, daemons, known } = await findDaemon(call, body.serverId, body.daemon)
  const file = known ? await loadOptionsFile(db, known) : null
  return { data: { serverName, daemons: [...daemons], file } }
}

async function loadOptionsFile(db: Kysely<DB>, known: KnownDaemon): Promise<OptionsFile> {
  const { key, features, today } = known
  const { file, text, reservations, todayText } = await loadStored(db, known)
  const sha256 = sha256Of(todayText)
  return {
    daemon: key.daemon,
    text,
    revision: file?.version ?? 0,
    problems: file ? checkOptions(text, { features, reservations, today }) : [],
    versions: (await listVersions(db, key)).map(toVersion),
    today,
    todayText,
    features: features.map((one) => ({ ...one, versions: [...one.versions] })),
    reservations,
    installs: (await listInstalls(db, key)).map((row) => toInstall(row, sha256)),
  }
}

async function requireVersion(db: Call<typeof versionOperation>['db'], key: FileKey, version: number) {
  const row = await findVersion(db, key, version)
  if (!row) throw new HttpError(404, NO_VERSION)
  return row
}

export async function getOptionsVersion(call: Call<typeof versionOperation>): Promise<Result<typeof versionOperation>> {
  const { body, db } = call
  const { key } = await requireDaemon(call, body.serverId, body.daemon)
  const row = await requireVersion(db, key, body.version)
  return { data: { ...toVersion(row), text: row.text } }
}

export async function exportOptionsFile(call: Call<typeof exportOperation>): Promise<SentFile> {
  const { audit, body, db } = call
  const known = await requireDaemon(call, body.serverId, body.daemon)
  const version = body.version ?? (await loadStored(db, known)).file?.version
  if (version === undefined) throw new HttpError(404, NO_FILE)
  const { text } = await requireVersion(db, known.key, version)
  const name = optionsFileName(body.daemon, version)
  await audit({ target: `${name} of ${known.serverName}`, after: { version } })
  return toFile(name, text)
}

/** What the collector installs. It asks every minute, so an unchanged file is not sent again. */
export async function downloadOptionsFile(call: Call<typeof downloadOperation>): Promise<SentFile | FastifyReply> {
  const { audit, db, query, reply, request } = call
  const known = await requireDaemon(call, query.serverId, query.daemon)
  const { file, todayText } = await loadStored(db, known)
  if (!file) throw new HttpError(404, NO_FILE)
  const tag = `"${sha256Of(todayText)}"`
  reply.header('etag', tag)
  const asked = String(request.headers['if-none-match'] ?? '')
  // A proxy that compresses marks the tag as weak.
  if (asked.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)) return reply.code(304).send()
  const { version, edition } = file
  await audit({ target: `${query.daemon} on ${known.serverName}`, after: { version, day: known.today } })
  const text = sealFile(todayText, { daemon: query.daemon, version, edition, day: known.today })
  return toFile(`${query.daemon}.opt`, text)
}

const toFile = (name: string, text: string) =>
  new SentFile(name, Readable.from([Buffer.from(text)]), Buffer.byteLength(text), PLAIN)
