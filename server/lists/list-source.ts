import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ListFields as DeclaredFields, List, WireForms } from '#contract/kit/list.ts'
import type { FieldDeclaration } from '#domain/filter/fields.ts'
import type { SortInput } from '#domain/filter/filter.ts'
import { parseSorting } from '#domain/filter/parse-sorting.ts'
import type { ParsedSorting } from '#domain/filter/parsed-filter.ts'

export type ListField = FieldDeclaration & {
  /** SQL of our own making: a column of `from`, or an expression over it. Never anything that a caller sent. */
  readonly column: string
  /** False when the column is never null: its type says so, and a continued page starts right at the cursor in the index. */
  readonly nullable?: boolean
  /** The column of an instant is never null but holds infinity where the value is missing, as in `missingIsFuture`. */
  readonly missingIsInfinity?: boolean
  /** `loose` hops from value to value along an index that begins with the scope's columns and this one. */
  readonly distinct?: 'loose' | 'scan'
}
export type ListFields = Readonly<Record<string, ListField>>

/** What decides which rows the caller may see. Plain values only: continuation tokens are bound to them. */
export type ListScope = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** The declaration of a list by its module; see the README. */
export type ListDeclaration<S extends ListScope, F extends ListFields> = {
  readonly name: string
  readonly fields: F
  /** Fields that are never missing and together unique within a scope: they decide between equals. */
  readonly key: readonly (keyof F & string)[]
  /** The order when the caller asks for none. */
  readonly defaultSort: readonly (SortInput & { name: keyof F & string })[]
  readonly from: Expression<unknown> | ((scope: S) => Expression<unknown>)
  /** The condition that restricts the rows to what this caller may see. */
  readonly scope: (scope: S) => Expression<SqlBool>
  /** Fields that the indexes of the `loose` fields contain as well: filters on them are checked while hopping. */
  readonly looseWithin?: readonly (keyof F & string)[]
  /** The rows that the indexes of the `loose` fields cover, if not all: `others`, which are few, are read instead. */
  readonly looseRows?: { readonly indexed: Expression<SqlBool>; readonly others: Expression<SqlBool> }
  /** Fields whose ranges and order one generic plan serves well: pages by these fields alone are prepared. */
  readonly prepares?: readonly (keyof F & string)[]
  /** False for a list that cannot be continued by token. */
  readonly continuation?: boolean
}

export type ListSource<S extends ListScope, F extends ListFields> = ListDeclaration<S, F> & {
  readonly defaultOrder: ParsedSorting
}

/** Checks the declaration when the server starts, not when the first caller sorts. */
export function defineList<S extends ListScope, const F extends ListFields>(
  declaration: ListDeclaration<S, F>,
): ListSource<S, F> {
  const { fields, key, defaultSort } = declaration
  if (key.length === 0) throw new Error(`list ${declaration.name} has no key`)
  for (const [name, { missingIsInfinity, missingIsFuture }] of Object.entries<ListField>(fields))
    if (missingIsInfinity && !missingIsFuture)
      throw new Error(`${name} is kept as infinity, so missing must be the future`)
  parseSorting(
    fields,
    key.map((name) => ({ name, direction: 'asc' })),
  )
  return { ...declaration, defaultOrder: parseSorting(fields, defaultSort) }
}

/** A column, with hints for the engine where needed. */
type Column = string | Pick<ListField, 'column' | 'missingIsInfinity' | 'distinct'>
type SourceFields<F extends DeclaredFields> = {
  readonly [K in keyof F]: Omit<F[K], 'nullable'> & {
    readonly column: string
    readonly nullable: F[K]['nullable'] extends true ? true : false
  }
}
type SourceOf<S extends ListScope, F extends DeclaredFields> = {
  readonly columns: { readonly [K in keyof F]: Column }
} & Pick<
  ListDeclaration<S, SourceFields<F>>,
  'from' | 'scope' | 'looseWithin' | 'looseRows' | 'prepares' | 'continuation'
>

/** The source of a list that the contract declares. */
export function listSource<S extends ListScope, F extends DeclaredFields>(
  { name, fields, key, defaultSort }: Pick<List<never, never, F>, 'name' | 'fields' | 'key' | 'defaultSort'>,
  { columns, ...source }: SourceOf<S, F>,
): ListSource<S, SourceFields<F>> {
  const withColumns = Object.entries(fields).map(([field, declared]) => {
    const column: Column = columns[field as keyof F]
    const more = typeof column === 'string' ? { column } : column
    return [field, { ...declared, ...more, nullable: declared.nullable ?? false }]
  })
  return defineList({ name, fields: Object.fromEntries(withColumns) as SourceFields<F>, key, defaultSort, ...source })
}

/**
 * The customer of a list as `the.customer`, to be joined in its `from`. Subqueries of columns compare with it: PostgreSQL puts
 * the parameter in its place, and a sharded database sees that one node has the rows.
 */
export const theCustomer = ({ customerNumber }: { readonly customerNumber: string }): RawBuilder<unknown> =>
  sql`(select ${customerNumber}::text) as the (customer)`

/** A row as it goes over the wire; a request for some attributes only leaves the others out. */
export type WireRow<F extends ListFields> = {
  -readonly [K in keyof F]: F[K]['nullable'] extends false ? WireForms[F[K]['type']] : WireForms[F[K]['type']] | null
}
/** The rows of a declared list: `RowOf<typeof accountList>`. */
export type RowOf<L> = L extends ListSource<infer _S, infer F> ? WireRow<F> : never

/** What the caller sent. Everything in it is checked before use. */
export type CountRequest = { readonly filter?: unknown }
export type SumRequest = CountRequest & { readonly fields?: readonly string[] }
export type DistinctRequest = CountRequest & { readonly key?: string; readonly limit?: number }
export type PageRequest = CountRequest & {
  readonly sorting?: unknown
  readonly attributes?: readonly string[]
  readonly offset?: number
  /** Continues where an earlier page ended; takes precedence over the offset. */
  readonly token?: string | null
  readonly limit?: number
}
