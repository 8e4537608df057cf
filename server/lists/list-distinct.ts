import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { MAX_DISTINCT, MAX_NUMBER } from '#contract/kit/list.ts'
import { isFilterable } from '#domain/filter/fields.ts'
import type { ParsedFilter } from '#domain/filter/parsed-filter.ts'
import { onTheWire, ordered, present } from '#server/lists/column-forms.ts'
import { ListError } from '#server/lists/list-error.ts'
import { tooManyDistinct } from '#server/lists/list-limits.ts'
import {
  columnOf,
  fieldNamed,
  type ReadingZone,
  type Selection,
  selectionBy,
  selectionOf,
  wholeNumber,
} from '#server/lists/list-query.ts'
import type { DistinctRequest, ListField, ListFields, ListScope, ListSource } from '#server/lists/list-source.ts'
import type { PreparedPages } from '#server/lists/prepared-pages.ts'

/**
 * A hop of a loose index scan costs as much as about forty rows read along the index, once for each table: below this many
 * rows, reading all of them is faster.
 */
const ROWS_WORTH_HOPPING = 6_000

/** A field's values in ascending order, null last if it is missing somewhere. For a list of texts, the texts in it. */
export async function fetchDistinct<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  scope: S,
  request: DistinctRequest = {},
  reading: ReadingZone & { readonly hopsFrom?: number; readonly prepared?: PreparedPages } = {},
): Promise<unknown[]> {
  const name = request.key ?? source.key[0] ?? ''
  const field = fieldNamed(source.fields, name, 'key')
  if (!isFilterable(field)) throw new ListError(`key: field '${name}' has no distinct values`)
  const limit = Math.min(wholeNumber(request.limit ?? MAX_DISTINCT, 'limit', 1, MAX_NUMBER), MAX_DISTINCT)
  const selection = selectionOf(source, scope, request.filter, reading)
  const hops =
    canHop(field, selection.filter, [name, ...(source.looseWithin ?? [])]) &&
    (await expectedRowsPerTable(db, selection)) >= (reading.hopsFrom ?? ROWS_WORTH_HOPPING)
  const hopped = (whose: S, filter: ParsedFilter) =>
    collected(
      field,
      limit,
      hopping(field, selectionBy(source, whose, filter, 'unindexed'), source.looseRows ?? ALL_INDEXED),
    )

  const record = hops
    ? ((await reading.prepared?.queryRow(source, scope, selection.filter, `${limit} of ${name}`, hopped)) ??
      (await findRecord(db, hopped(scope, selection.filter))))
    : await findRecord(db, collected(field, limit, scanning(field, selection)))
  if (record.found >= limit) throw tooManyDistinct()
  return JSON.parse(record.values) as unknown[]
}

type DistinctRecord = { readonly values: string; readonly found: number }

function collected(field: ListField, limit: number, values: RawBuilder<unknown>): RawBuilder<DistinctRecord> {
  const value = sql`value`
  return sql<DistinctRecord>`
    select coalesce(json_agg(${onTheWire(elementType(field), value)} order by ${ordered(elementType(field), value)}), '[]')::text as values,
      count(*)::int as found
    from (select value from ${values} limit ${limit}) found`
}

async function findRecord(db: QueryExecutorProvider, statement: RawBuilder<DistinctRecord>): Promise<DistinctRecord> {
  const { rows } = await statement.execute(db)
  if (!rows[0]) throw new Error('an aggregate without a row')
  return rows[0]
}

const elementType = (field: ListField) => (field.type === 'text-list' ? 'text' : field.type)

/** Hopping over rows that the filter of another field excludes would be slower than reading them. */
function canHop(field: ListField, filter: ParsedFilter, inIndex: readonly string[]): boolean {
  const isWhole = field.type !== 'text-list' && field.type !== 'instant'
  return field.distinct === 'loose' && isWhole && isOnlyAbout(filter, inIndex)
}

function isOnlyAbout(filter: ParsedFilter, names: readonly string[]): boolean {
  return filter.criteria.every((one) => ('criteria' in one ? isOnlyAbout(one, names) : names.includes(one.name)))
}

function scanning(field: ListField, { from, where }: Selection): RawBuilder<unknown> {
  return sql`(select distinct ${comparable(field)} as value from ${from} where ${where}) scanned`
}

/** Instants are distinct in milliseconds, because the wire shows no more. */
function comparable(field: ListField): RawBuilder<unknown> {
  const column = present(field, columnOf(field))
  if (field.type === 'instant') return sql`date_trunc('milliseconds', ${column})`
  return field.type === 'text-list' ? sql`unnest(${column})` : column
}

/**
 * A loose index scan: from each value straight to the next greater one, however many rows share it. Ranges are checked
 * on the row that was found: as index conditions they would be checked on every row of its index page.
 */
function hopping(
  field: ListField,
  { from, where }: Selection,
  { indexed, others }: NonNullable<ListSource<ListScope, ListFields>['looseRows']>,
): RawBuilder<unknown> {
  const column = ordered(field.type, columnOf(field))
  const least = (beyond: RawBuilder<unknown>) =>
    sql`select ${column} as value from ${from} where ${where} and ${indexed} and ${beyond} order by ${column} limit 1`
  const missing = sql`union all
    select null where exists (select 1 from ${from} where ${where} and ${indexed} and ${column} is null)`
  const read = sql`union select ${column} from ${from} where ${where} and ${others}`
  return sql`(
    with recursive hop as (
      (${least(sql`${column} is not null`)})
      union all
      select (${least(sql`${column} > hop.value`)}) from hop where hop.value is not null
    )
    select value from hop where value is not null ${field.nullable === false ? sql`` : missing}
    ${others === ALL_INDEXED.others ? sql`` : read}
  ) hopped`
}

const ALL_INDEXED = { indexed: sql<boolean>`true`, others: sql<boolean>`false` }

type PlanNode = {
  readonly 'Plan Rows': number
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

/** How many rows PostgreSQL expects to read from each table or partition, without reading any. */
async function expectedRowsPerTable(db: QueryExecutorProvider, { from, where }: Selection): Promise<number> {
  const explained = await sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`
    explain (format json) select from ${from} where ${where}`.execute(db)
  const plan = explained.rows[0]?.['QUERY PLAN'][0]?.Plan
  return plan ? plan['Plan Rows'] / Math.max(1, tablesIn(plan)) : 0
}

function tablesIn(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + tablesIn(child), 0)
  return below + (node['Relation Name'] === undefined ? 0 : 1)
}
