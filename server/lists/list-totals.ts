import { type QueryExecutorProvider, sql } from 'kysely'
import type { Sum } from '#contract/kit/list.ts'
import { quoted } from '#domain/filter/filter-error.ts'
import { ordered } from '#server/lists/column-forms.ts'
import { ListError } from '#server/lists/list-error.ts'
import { columnOf, fieldNamed, type ReadingZone, selectionOf } from '#server/lists/list-query.ts'
import type { CountRequest, ListFields, ListScope, ListSource, SumRequest } from '#server/lists/list-source.ts'

/** The fields to add up, and the field that separates the sums. */
export type Adds = { readonly fields: readonly string[]; readonly by: string }

/** What fields add up to in the rows that match, exactly, for each value of one field; in the order of that value. */
export async function fetchSums<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  scope: S,
  adds: Adds,
  request: SumRequest = {},
  reading: ReadingZone = {},
): Promise<Sum[]> {
  const { fields } = source
  const names = [...new Set(request.fields ?? adds.fields)]
  const sums = names.map((name, at) => {
    const field = fieldNamed(fields, name, `fields[${at}]`)
    if (!adds.fields.includes(name)) throw new ListError(`fields[${at}]: field ${quoted(name)} cannot be added up`)
    return sql`trim_scale(coalesce(sum(${columnOf(field)}), 0))::text as ${sql.raw(`s${at}`)}`
  })
  const { from, where } = selectionOf(source, scope, request.filter, reading)
  const by = fieldNamed(fields, adds.by, 'by')
  const value = ordered(by.type, columnOf(by))
  const { rows } = await sql<{ by: string | null; [sum: `s${number}`]: string }>`
    select ${value} as by, ${sql.join(sums)} from ${from} where ${where} group by 1 order by 1`.execute(db)
  return rows.map((row) => ({
    by: row.by,
    sums: Object.fromEntries(names.map((name, at) => [name, row[`s${at}`] ?? '0'])),
  }))
}

/** The number of matching rows; counting stops at `atMost`. */
export async function fetchCount<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  scope: S,
  request: CountRequest = {},
  reading: ReadingZone & { readonly atMost?: number } = {},
): Promise<number> {
  const { from, where } = selectionOf(source, scope, request.filter, reading)
  const counted =
    reading.atMost === undefined
      ? sql`${from} where ${where}`
      : sql`(select from ${from} where ${where} limit ${reading.atMost}) counted`
  const result = await sql<{ count: string }>`select count(*) as count from ${counted}`.execute(db)
  return Number(result.rows[0]?.count ?? 0)
}
