import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { Transaction } from 'kysely'
import {
  LOG_UPLOAD,
  MAX_UPLOAD,
  type uploadLogPart as partOperation,
  type ReadReport,
  type startLogUpload as startOperation,
} from '#contract/license-use/uploads.ts'
import { withPartitions } from '#server/db/missing-partition-error.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import {
  countEvents,
  findLog,
  insertLog,
  type LogHead,
  type LogRow,
  listLogHeads,
} from '#server/modules/license-use/logs/log.queries.ts'
import { lockHost, readLogPart, sha256, sumUnsummed } from '#server/modules/license-use/logs/read-log-part.ts'
import { kindOf, matchingLog, storeText } from '#server/modules/license-use/logs/store-observations.ts'
import { loadUnreadSeal } from '#server/modules/license-use/logs/unread-bytes.seal.ts'
import { requireHost } from '#server/modules/license-use/named-host.ts'
import {
  deleteUpload,
  findUploadPart,
  insertUploadPart,
  listUploadParts,
  type PartPlace,
  sumUploadBytes,
  type UploadKey,
} from '#server/modules/license-use/uploads/uploads.queries.ts'
import { advanceLines } from '#server/modules/license-use/waiting/advance-lines.ts'
import type { Call, Result } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'
import { startTask } from '#server/tasks/start-task.ts'
import { defineTask, type TaskContext } from '#server/tasks/task-kind.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const KEPT_DAYS = 7
/** lmstat output is read as a whole. */
const MAX_STATUS = 16 * 1024 * 1024

type UploadRequest = {
  readonly hostId: string
  readonly uploadId: string
  readonly fileName: string
  readonly size: number
}

export async function uploadLogPart(call: Call<typeof partOperation>): Promise<Result<typeof partOperation>> {
  const { body, db, now, standing, services } = call
  const content = Buffer.from(body.file)
  if (!content.length) throw new HttpError(400, 'The part is empty')
  const position = Number(body.position)
  if (position + content.length > MAX_UPLOAD) throw new HttpError(413, 'The file is too large. The limit is 1 GB.')
  const { customerNumber } = standing
  if ((await sumUploadBytes(db, customerNumber)) + content.length > 2 * MAX_UPLOAD)
    throw new HttpError(413, 'Other uploads of this account are not read yet. Try again when they are.')
  const place = { position, length: content.length }
  const { seal } = await loadUnreadSeal(db, services.secrets, customerNumber)
  await insertUploadPart(db, { customerNumber, uploadId: body.uploadId }, place, seal(await compress(content)), now)
  return { data: null }
}

export async function startLogUpload(call: Call<typeof startOperation>): Promise<Result<typeof startOperation>> {
  const { body, db, standing } = call
  const { customerNumber } = standing
  const { hostId } = await requireHost(db, customerNumber, body.serverId)
  const key = { customerNumber, uploadId: body.uploadId }
  // Read before the parts are listed, because the task of an earlier start may remove all of them in between.
  const first = await findPart({ db, secrets: call.services.secrets }, key, 0)
  if (!first || !isComplete(await listUploadParts(db, key), body.size))
    throw new HttpError(400, 'Parts of the file are missing. Upload it again.')
  const kind = kindOf(first)
  if ((kind !== 'log' && kind !== 'lmstat') || (kind === 'lmstat' && body.size > MAX_STATUS)) {
    await deleteUpload(db, key)
    throw new BusinessRefusal(
      'NOT_A_LICENSE_LOG',
      'This file is neither a debug log nor lmstat output of FlexNet. Nothing was read.',
    )
  }
  const { uploadId, fileName, size } = body
  return startTask(call, logUploadTask, {
    request: { hostId, uploadId, fileName, size },
    identity: [uploadId],
    fileName: `${fileName.replace(/[^\w.-]+/g, '_')}.read.json`,
  })
}

function isComplete(parts: readonly PartPlace[], size: number): boolean {
  let end = 0
  for (const { position, length } of parts) {
    if (position !== end) return false
    end += length
  }
  return end === size
}

type Stored = Pick<Services, 'db' | 'secrets'>

async function readPart(from: Stored, key: UploadKey, { position }: PartPlace): Promise<Buffer> {
  const content = await findPart(from, key, position)
  if (!content) throw new Error(`the part at ${position} of upload ${key.uploadId} is gone`)
  return content
}

async function findPart({ db, secrets }: Stored, key: UploadKey, position: number): Promise<Buffer | undefined> {
  const content = await findUploadPart(db, key, position)
  if (!content) return undefined
  const { open } = await loadUnreadSeal(db, secrets, key.customerNumber)
  return decompress(open(content))
}

/** Reads and sums an uploaded file part by part, in transactions: after a crash it goes on where it stopped. */
export const logUploadTask = defineTask<UploadRequest>({
  kind: LOG_UPLOAD,
  noun: 'upload',
  action: 'activations.write',
  area: 'license-use',
  mediaType: 'application/json',
  keptDays: KEPT_DAYS,
  async run(request, context) {
    const { customerNumber, services, progress, write } = context
    const key = { customerNumber, uploadId: request.uploadId }
    const parts = await listUploadParts(services.db, key)
    await progress(0, request.size)
    const report: ReadReport = await readFile(request, context, key, parts)
    await deleteUpload(services.db, key)
    const reported = { now: services.clock.now(), reporting: request.hostId }
    await services.db.transaction().execute((tx) => advanceLines(tx, services, customerNumber, reported))
    await progress(request.size, request.size)
    await write(Buffer.from(`${JSON.stringify(report, null, 1)}\n`))
  },
})

async function readFile(
  { hostId, uploadId, fileName, size }: UploadRequest,
  { customerNumber, services, progress }: TaskContext,
  key: UploadKey,
  parts: readonly PartPlace[],
) {
  const { db, clock } = services
  const host = { customerNumber, hostId }
  const first = parts[0] ? await readPart(services, key, parts[0]) : Buffer.alloc(0)
  if (kindOf(first) === 'lmstat') {
    const text = Buffer.concat(await Promise.all(parts.map((part) => readPart(services, key, part))))
    const result = await db
      .transaction()
      .execute(async (tx) => storeText(tx, await lockHost(tx, services, host, clock.now()), text))
    return { fileName, size, ...result }
  }
  // Uploads of equal names are different logs.
  const name = `${fileName} ${uploadId}`
  const known = await findKnown(services, host, key, parts, size, first)
  const logName = known?.name ?? name
  let log: LogRow | undefined
  let unread = 0
  let waiting = 0
  for (const place of parts) {
    await progress(place.position, size)
    const content = await readPart(services, key, place)
    const read = async (tx: Transaction<DB>) => {
      await allowLongWork(tx)
      const context = await lockHost(tx, { ...services, jobs: null }, host, clock.now())
      const current = (await findLog(tx, host, logName)) ?? (await insertLog(tx, host, logName))
      if (place.position + place.length <= current.position) return undefined
      const unreadContent = content.subarray(Math.max(0, current.position - place.position))
      const isWhole = place.position + place.length === size
      return readLogPart(tx, context, current, unreadContent, { isWhole, isLarge: true })
    }
    const part = await withPartitions(db, () => db.transaction().execute(read))
    if (!part) continue
    log = part.log
    unread += part.unread
    waiting = part.waiting
    await sumUnsummed(db, host, clock.now(), { isRead: false })
  }
  log ??= await findLog(db, host, logName)
  await sumUnsummed(db, host, clock.now())
  return {
    fileName,
    size,
    kind: 'log',
    outcome: 'stored' as const,
    isKnown: known !== undefined,
    lines: log?.lines ?? 0,
    unreadLines: unread + waiting,
    firstAt: log?.first_at ?? null,
    lastAt: log?.last_at ?? null,
    ...(log && (await countEvents(db, host, log.number))),
  }
}

/** The log of which the file is a copy that has grown, so that nothing is read twice. */
async function findKnown(
  from: Stored,
  host: { customerNumber: string; hostId: string },
  key: UploadKey,
  parts: readonly PartPlace[],
  size: number,
  first: Buffer,
): Promise<LogHead | undefined> {
  for (const log of await listLogHeads(from.db, host)) {
    if (
      !matchingLog(
        [{ ...log, position: size + 1 }],
        (length) => first.subarray(0, length),
        size,
        () => first,
      )
    )
      continue
    if (size < log.position) return log
    const tail = await readRange(from, key, parts, log.position - log.tail_length, log.position)
    if (sha256(tail).equals(log.tail_hash)) return log
  }
  return undefined
}

async function readRange(stored: Stored, key: UploadKey, parts: readonly PartPlace[], from: number, to: number) {
  const pieces: Buffer[] = []
  for (const part of parts) {
    if (part.position >= to || part.position + part.length <= from) continue
    const content = await readPart(stored, key, part)
    pieces.push(content.subarray(Math.max(0, from - part.position), to - part.position))
  }
  return Buffer.concat(pieces)
}
