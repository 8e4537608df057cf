import type { Kysely } from 'kysely'
import type { DataKind } from '#server/data/data-kind.ts'
import { pageOfRemovals, type Removal, removalsKnownSince } from '#server/data/removals.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'

type Question = { readonly since: Date; readonly after: string | undefined; readonly limit: number }

/**
 * A page of what was removed and is not there. What was created again after the page was read is in the list of changes; what
 * was then removed once more has a later time.
 */
export async function readRemovals(
  db: Kysely<DB>,
  { kind, find }: DataKind,
  { since, after, limit }: Question,
): Promise<{ rows: Removal[]; next?: string }> {
  const position = after === undefined ? undefined : positionOf(after)
  await refuseUnknown(db, since)
  const found = await pageOfRemovals(db, kind.name, { since, after: position, limit: limit + 1 })
  const page = found.slice(0, limit)
  const present = await find(
    db,
    page.map(({ id }) => id),
  )
  const presentIds = new Set(present.map((row) => kind.keyOf(row)))
  const rows = page.filter(({ id }) => !presentIds.has(id))
  const last = page.at(-1)
  return found.length > limit && last ? { rows, next: nextOf(last) } : { rows }
}

async function refuseUnknown(db: Kysely<DB>, since: Date): Promise<void> {
  const known = await removalsKnownSince(db)
  if (since >= known) return
  throw new HttpError(
    400,
    `Removals are known since ${known.toISOString()}. Read the whole list and compare it with yours.`,
    'TOO_LONG_AGO',
  )
}

const nextOf = ({ removedAt, customerNumber, id }: Removal): string => [removedAt, customerNumber, id].join('~')

function positionOf(after: string): Removal {
  const [removedAt = '', customerNumber, ...id] = after.split('~')
  if (customerNumber === undefined || id.length === 0 || Number.isNaN(Date.parse(removedAt)))
    throw new HttpError(400, 'after is not the value of next in an earlier answer to the same question')
  return { removedAt: new Date(removedAt).toISOString(), customerNumber, id: id.join('~') }
}
