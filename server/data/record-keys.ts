import type { Kysely } from 'kysely'
import { partsOf, type RecordKind } from '#contract/data/record-kind.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import type { RecordRules } from '#server/data/save-records.ts'
import type { DB } from '#server/db/schema.ts'

type Rules = Pick<RecordRules, 'kind' | 'readKey' | 'locate'>

/** The keys of rows by the ids of records. Ids that are invalid for this kind are left out. */
export async function findKeys(db: Kysely<DB>, rules: Rules, ids: readonly string[]): Promise<Row[]> {
  const keys = ids.map((id) => readId(rules, id)).filter((key) => key !== undefined)
  return (await rules.locate?.(db, keys)) ?? keys
}

/** The id of a record as it is kept. */
export function keyOfId(rules: Rules, id: string): string {
  const key = readId(rules, id)
  return key ? rules.kind.keyOf(key) : id
}

function readId({ kind, readKey }: Rules, id: string): Row | undefined {
  const row = readFields(kind, kind.key, id)
  return row && (readKey?.(row) ?? row)
}

/** The values of fields in a joined id; undefined if it has too few parts. */
export function readFields(kind: RecordKind, fields: readonly string[], joined: string): Row | undefined {
  const parts = partsOf(joined, fields.length)
  const values = parts?.map((part, at) => partValue(kind, fields[at] ?? '', part))
  if (!values || values.includes(undefined)) return undefined
  return Object.fromEntries(fields.map((field, at) => [field, values[at]]))
}

function partValue({ schema }: RecordKind, field: string, part: string): string | number | undefined {
  if ((schema.properties[field] as { type?: string } | undefined)?.type !== 'integer') return part
  return /^[0-9]{1,9}$/.test(part) ? Number(part) : undefined
}
