import type { Kysely } from 'kysely'
import type { ReadPage, ReadQuestion, ReadRow } from '#server/data/data-kind.ts'
import { findRecords, type Position, pageOfRecords, type Row } from '#server/data/record-table.queries.ts'
import { keyRowOf, keyRowsOf } from '#server/data/revoke-records.ts'
import type { RecordRules } from '#server/data/save-records.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'

type Rules = Pick<RecordRules, 'kind' | 'table' | 'readKey'>

export async function findByIds(db: Kysely<DB>, ids: readonly string[], rules: Rules): Promise<ReadRow<object>[]> {
  const rows = await findRecords(db, rules.table, keyRowsOf(rules, ids))
  return rows as unknown as ReadRow<object>[]
}

export async function readPage(
  db: Kysely<DB>,
  { after, changedSince, limit }: ReadQuestion,
  rules: Rules,
): Promise<ReadPage<object>> {
  const position = after === undefined ? undefined : positionOf(after, changedSince !== undefined, rules)
  const found = await pageOfRecords(db, rules.table, { after: position, changedSince, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const page = { rows: rows as unknown as ReadRow<object>[] }
  return found.length > limit && last ? { ...page, next: nextOf(last, changedSince !== undefined, rules) } : page
}

const TIME_END = '~'

const nextOf = (last: Row, byChange: boolean, { kind }: Rules) =>
  byChange ? `${last.changedAt}${TIME_END}${kind.keyOf(last)}` : kind.keyOf(last)

function positionOf(after: string, byChange: boolean, rules: Rules): Position {
  const end = byChange ? after.indexOf(TIME_END) : -1
  const key = keyRowOf(rules, after.slice(end + 1))
  const changedAt = byChange ? new Date(after.slice(0, Math.max(end, 0))) : undefined
  if (!key || (changedAt && Number.isNaN(changedAt.getTime())))
    throw new HttpError(400, 'after is not the value of next in an earlier answer to the same question')
  return { key, ...(changedAt ? { changedAt } : {}) }
}
