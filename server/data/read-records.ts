import type { Kysely } from 'kysely'
import { joinParts } from '#contract/data/record-kind.ts'
import type { ReadPage, ReadQuestion, ReadRow } from '#server/data/data-kind.ts'
import { findKeys, readFields } from '#server/data/record-keys.ts'
import { findRecords, type Position, pageOfRecords, type Row } from '#server/data/record-table.queries.ts'
import type { RecordRules } from '#server/data/save-records.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'

type Rules = Pick<RecordRules, 'kind' | 'table' | 'readKey' | 'locate'>

export async function findByIds(db: Kysely<DB>, ids: readonly string[], rules: Rules): Promise<ReadRow<object>[]> {
  const rows = await findRecords(db, rules.table, await findKeys(db, rules, ids))
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

function nextOf(last: Row, byChange: boolean, { table }: Rules): string {
  const key = joinParts(table.key.map((field) => last[field]))
  return byChange ? `${last.changedAt}${TIME_END}${key}` : key
}

function positionOf(after: string, byChange: boolean, { kind, table }: Rules): Position {
  const end = byChange ? after.indexOf(TIME_END) : -1
  const key = readFields(kind, table.key, after.slice(end + 1))
  const changedAt = byChange ? new Date(after.slice(0, Math.max(end, 0))) : undefined
  if (!key || (changedAt && Number.isNaN(changedAt.getTime())))
    throw new HttpError(400, 'after is not the value of next in an earlier answer to the same question')
  return { key, ...(changedAt ? { changedAt } : {}) }
}
