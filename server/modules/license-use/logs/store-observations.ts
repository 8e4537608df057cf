import type { Transaction } from 'kysely'
import type { Observation, ObservationResult } from '#contract/license-use/observations.ts'
import { detectTextKind, isOtherManager, LINES_OF_KIND } from '#domain/license-use/text-kind.ts'
import { createLineSplitter } from '#domain/license-use/text-lines.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { storeStatus } from '#server/modules/license-use/lmstat/store-status.ts'
import {
  countWaitingBytes,
  findLog,
  findPartAt,
  forgetContent,
  type HostKey,
  insertLog,
  insertPart,
  type LogHead,
  listLogHeads,
} from '#server/modules/license-use/logs/log.queries.ts'
import {
  lockHost,
  type ReadContext,
  type ReadMeans,
  readLogPart,
  sha256,
} from '#server/modules/license-use/logs/read-log-part.ts'
import { loadUnreadSeal } from '#server/modules/license-use/logs/unread-bytes.seal.ts'
import { ThreadError } from '#server/threads/thread-pool.ts'

/** Parts that wait for an earlier one, of one license server. */
const MAX_WAITING = 256 * 1024 * 1024

/** Stores texts of a license server, each exactly once, in whatever order they arrive. */
export async function storeObservations(
  tx: Transaction<DB>,
  means: ReadMeans,
  key: HostKey,
  observations: readonly Observation[],
  now: Date,
): Promise<ObservationResult[]> {
  const results: ObservationResult[] = []
  try {
    for (const observation of observations) results.push(await storeObservation(tx, means, key, observation, now))
  } catch (error) {
    if (error instanceof ThreadError && error.reason === 'limit') throw new HttpError(413, TOO_MUCH)
    throw error
  }
  return results
}

async function storeObservation(
  tx: Transaction<DB>,
  means: ReadMeans,
  key: HostKey,
  { text, file, position }: Observation,
  now: Date,
): Promise<ObservationResult> {
  const bytes = Buffer.from(text, 'utf8')
  // A text that tells nothing is no report: the license server would later be called silent.
  const reason = file === undefined ? refusalOf(bytes) : position ? null : otherManager(bytes)
  if (reason !== null) return refused(reason)
  const context = await lockHost(tx, means, key, now)
  if (file !== undefined) return storePart(tx, context, { name: file, position: position ?? 0, text })
  return storeText(tx, context, bytes.at(-1) === 10 ? bytes : Buffer.concat([bytes, Buffer.from('\n')]))
}

const TOO_MUCH = 'Reading this text takes too much time or memory.'
const refused = (reason: string): ObservationResult => ({ kind: 'unknown', outcome: 'refused', reason, unreadLines: 0 })
const NOT_FLEXNET = 'This is neither a debug log nor lmstat output of FlexNet. Nothing was read.'
const OTHER_MANAGER = 'This is a text of LM-X, RLM or Ansys Licensing Interconnect, not of FlexNet. Nothing was read.'

const otherManager = (bytes: Uint8Array) => (isOtherManager(firstLines(bytes)) ? OTHER_MANAGER : null)

/** Why a text without the name of a file is refused, or null. */
function refusalOf(bytes: Uint8Array): string | null {
  const kind = kindOf(bytes)
  return kind === 'lmstat' || kind === 'log' ? null : (otherManager(bytes) ?? NOT_FLEXNET)
}

/** A whole text, such as one that was pasted: its kind and, of a log, which log it is, follow from its content. */
export async function storeText(tx: Transaction<DB>, context: ReadContext, bytes: Buffer): Promise<ObservationResult> {
  const kind = kindOf(bytes)
  if (kind === 'lmstat') {
    const read = await context.logThreads.readStatus({ content: bytes, secret: context.secret })
    const { problems, unreadLines } = read
    return {
      kind,
      outcome: await storeStatus(tx, context, read),
      unreadLines,
      ...(problems.length > 0 ? { problems } : {}),
    }
  }
  if (kind !== 'log') return refused(refusalOf(bytes) ?? NOT_FLEXNET)
  const known = matchingLog(
    await listLogHeads(tx, context.key),
    (length) => bytes.subarray(0, length),
    bytes.length,
    (from, to) => bytes.subarray(from, to),
  )
  const log =
    (known && (await findLog(tx, context.key, known.name))) ??
    (await insertLog(
      tx,
      context.key,
      `text ${sha256(bytes).toString('hex').slice(0, 16)} ${context.now.toISOString()}`,
    ))
  if (bytes.length <= log.position) return { kind, outcome: 'known', unreadLines: 0 }
  const { unread, waiting } = await readLogPart(tx, context, log, bytes.subarray(log.position), { isWhole: true })
  return { kind, outcome: 'stored', unreadLines: unread + waiting }
}

/** The first lines tell the kind. They are few, so they need no thread. */
export const kindOf = (bytes: Uint8Array) => detectTextKind(firstLines(bytes))

function firstLines(bytes: Uint8Array): string[] {
  const splitter = createLineSplitter()
  const lines: string[] = []
  for (const { text } of splitter.push(bytes.subarray(0, 256 * 1024)))
    if (lines.push(text) >= LINES_OF_KIND) return lines
  return [...lines, ...splitter.end().map(({ text }) => text)]
}

/** The log of which a file is the same, or a grown, copy. */
export function matchingLog(
  logs: readonly LogHead[],
  head: (length: number) => Uint8Array,
  size: number,
  slice: (from: number, to: number) => Uint8Array,
): LogHead | undefined {
  return logs.find(({ head_hash, head_length, tail_hash, tail_length, position }) => {
    if (size < head_length || !sha256(head(head_length)).equals(head_hash)) return false
    return size < position || sha256(slice(position - tail_length, position)).equals(tail_hash)
  })
}

/** A part of a log at its position in the file. It waits until everything before it has arrived. */
async function storePart(
  tx: Transaction<DB>,
  context: ReadContext,
  { name, position, text }: { name: string; position: number; text: string },
): Promise<ObservationResult> {
  const { key, now, secrets } = context
  const content = Buffer.from(text, 'utf8')
  if (!content.length) return { kind: 'log', outcome: 'known', unreadLines: 0 }
  const hash = sha256(content)
  const before = await findPartAt(tx, key, name, position)
  if (before) return { kind: 'log', outcome: before.hash.equals(hash) ? 'known' : 'conflict', unreadLines: 0 }
  let log = (await findLog(tx, key, name)) ?? (await insertLog(tx, key, name))
  if (position < log.position) return { kind: 'log', outcome: 'conflict', unreadLines: 0, position: log.position }
  const part = { position, end: position + content.length, hash, content }
  if (position > log.position) {
    if ((await countWaitingBytes(tx, key)) + content.length > MAX_WAITING)
      return { kind: 'log', outcome: 'conflict', unreadLines: 0, position: log.position }
    const { seal } = await loadUnreadSeal(tx, secrets, key.customerNumber)
    await insertPart(tx, key, name, { ...part, content: seal(content) }, now)
    return { kind: 'log', outcome: 'waiting', unreadLines: 0, position: log.position }
  }
  await insertPart(tx, key, name, { ...part, content: Buffer.alloc(0) }, now)
  let read = await readLogPart(tx, context, log, content)
  let unread = read.unread
  log = read.log
  for (;;) {
    const next = await findPartAt(tx, key, name, log.position)
    if (!next?.content) break
    const start = log.position
    const { open } = await loadUnreadSeal(tx, secrets, key.customerNumber)
    read = await readLogPart(tx, await lockHost(tx, context, key, now), log, open(next.content))
    unread += read.unread
    log = read.log
    await forgetContent(tx, key, name, start)
  }
  await forgetContent(tx, key, name, position)
  return { kind: 'log', outcome: 'stored', unreadLines: unread, position: log.position }
}
