import type { Transaction } from 'kysely'
import type { LmstatFeature, LmstatResult } from '#domain/license-use/lmstat-reader.ts'
import type { DB } from '#server/db/schema.ts'
import { addSample, type Holder, noteStatus, replaceStatus } from '#server/modules/license-use/lmstat.queries.ts'
import { type ReadContext, sumTimes } from '#server/modules/license-use/read-log-part.ts'
import { reconcile } from '#server/modules/license-use/reconcile.ts'

/** Stores an lmstat output, unless a newer one is stored. A failed poll says nothing about seats, so it changes none. */
export async function storeStatus(
  tx: Transaction<DB>,
  context: ReadContext,
  result: LmstatResult,
): Promise<'stored' | 'older' | 'failed'> {
  const { key, rename, logAt, statusAt: known } = context
  const statusAt = result.statusAt === null ? null : `${result.statusAt.replace('T', ' ')}:00`
  const failure = failureOf(result)
  if (statusAt !== null && known !== null && statusAt < known) return 'older'
  if (failure !== null || statusAt === null) {
    await noteStatus(tx, key, { statusAt: null, error: failure ?? 'The output has no date.' })
    return 'failed'
  }
  const all = result.blocks.flatMap(({ features }) => features)
  const features = [...new Set(all.map(({ name }) => name))].map((name) =>
    toFeature(
      name,
      all.filter((feature) => feature.name === name),
    ),
  )
  await replaceStatus(tx, key, { statusAt, features, holders: all.flatMap((feature) => toHolders(feature, rename)) })
  await noteStatus(tx, key, { statusAt, error: null })
  if ((await reconcile(tx, context, statusAt)) && logAt) await sumTimes(tx, key, { from: statusAt, to: logAt }, logAt)
  const isCovered = logAt !== null && logAt >= `${statusAt.slice(0, 13)}:00:00`
  if (!isCovered && statusAt !== known) await addSample(tx, key, { at: statusAt, before: known, features })
  return 'stored'
}

/** Why an output tells nothing about seats, or null. */
function failureOf({ error, blocks }: LmstatResult): string | null {
  if (error) return error.text
  if (blocks.some(({ features }) => features.some(({ state }) => state !== 'error'))) return null
  const down = blocks.flatMap(({ servers }) => servers).find(({ state }) => state === 'down')
  if (down) return `The license server ${down.host ?? ''} does not answer (${down.code}).`.replace('  ', ' ')
  const failed = blocks.flatMap(({ features }) => features).find(({ error: of }) => of !== null)
  return failed?.error?.text ?? 'The output lists no features.'
}

/** One license server may serve a feature from several license managers: their seats add up. */
function toFeature(name: string, parts: readonly LmstatFeature[]) {
  const sum = (values: readonly (number | null)[]) =>
    values.every((value) => value === null) ? null : values.reduce<number>((all, value) => all + (value ?? 0), 0)
  const expiries = parts.flatMap(({ pools }) => pools.flatMap(({ expires }) => (expires ? [expires] : [])))
  return {
    name,
    state: parts.find(({ state }) => state === 'counted')?.state ?? parts[0]?.state ?? ('error' as const),
    total: sum(parts.map(({ total }) => total)),
    inUse: sum(parts.map(({ inUse }) => inUse)),
    reserved: parts.flatMap(({ reserved }) => reserved).reduce((all, { count }) => all + count, 0),
    queued: parts.flatMap(({ queued }) => queued).reduce((all, { count }) => all + count, 0),
    expires: expiries.sort()[0] ?? null,
  }
}

function toHolders({ name, users, queued }: LmstatFeature, rename: (user: string) => string): Holder[] {
  const holders = users.map((user) => ({
    ...holder(name, user, rename),
    kind: user.linger ? ('borrowed' as const) : ('in use' as const),
    startedAt: user.start === null ? null : user.start.replace('T', ' '),
  }))
  return [
    ...holders,
    ...queued.map((user) => ({ ...holder(name, user, rename), kind: 'queued' as const, startedAt: null })),
  ]
}

type Line = Pick<LmstatFeature['queued'][number], 'user' | 'host' | 'display' | 'version' | 'count' | 'ambiguous'>

function holder(feature: string, line: Line, rename: (user: string) => string) {
  const { user, host, display, version, count, ambiguous } = line
  const names = { user: rename(user), host, display: display ?? '' }
  return { feature, ...names, version, seats: count, isUncertain: ambiguous === true }
}
