import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { ListError } from '#server/lists/list-error.ts'

/** One column of a complete order. Missing values are last, unless the column says that they are first. */
export type OrderColumn = {
  readonly column: RawBuilder<unknown>
  readonly descending: boolean
  readonly nullable: boolean
  readonly missingFirst: boolean
}
/** Where a page ended: the values of the sort columns in its last row, as text rendered by the database. */
export type Cursor = readonly (string | null)[]

type Condition = RawBuilder<SqlBool>

export function orderBy(columns: readonly OrderColumn[]): RawBuilder<unknown> {
  return sql.join(columns.map(ruleOf))
}

/** PostgreSQL sorts nulls last when ascending and first when descending, and so do its indexes. */
function ruleOf({ column, descending, nullable, missingFirst }: OrderColumn): RawBuilder<unknown> {
  if (!descending) return column
  return nullable && !missingFirst ? sql`${column} desc nulls last` : sql`${column} desc`
}

/** The order within a piece: all of its rows have a value in the first column, or none has. */
export function orderWithin([first, ...rest]: readonly OrderColumn[]): RawBuilder<unknown> {
  return orderBy(first ? [{ ...first, nullable: false }, ...rest] : [])
}

/**
 * The whole list, in one or two pieces that follow each other. Missing values that are last although the order descends
 * stand at the other end of the index.
 */
export function wholePieces([first]: readonly OrderColumn[]): readonly Condition[] {
  if (!first?.descending || !first.nullable || first.missingFirst) return [sql<SqlBool>`true`]
  return [sql<SqlBool>`${first.column} is not null`, sql<SqlBool>`${first.column} is null`]
}

/**
 * What lies after the cursor, in one or two pieces that follow each other: rows where the first column has a value, and
 * rows where it is missing. Each piece alone is one range of an index; combined they would be none.
 */
export function piecesAfter(columns: readonly OrderColumn[], cursor: Cursor): readonly Condition[] {
  const [first, ...rest] = columns
  const [value = null, ...values] = cursor
  if (!first) return []
  if (value === null) {
    const missing = sql<SqlBool>`${first.column} is null and ${after(rest, values)}`
    return first.missingFirst ? [missing, sql<SqlBool>`${first.column} is not null`] : [missing]
  }
  // A value bound without a cast takes the column's own type, and so the index fits.
  const stretch = sql<SqlBool>`${first.column} ${sql.raw(first.descending ? '<=' : '>=')} ${value}`
  const present = isOneStretch([{ ...first, nullable: false }, ...rest])
    ? rowAfter(columns, cursor)
    : sql<SqlBool>`${stretch} and ${after([{ ...first, nullable: false }, ...rest], cursor)}`
  return first.nullable && !first.missingFirst ? [present, sql<SqlBool>`${first.column} is null`] : [present]
}

function after(columns: readonly OrderColumn[], cursor: Cursor): Condition {
  const [first, ...rest] = columns
  const [value = null, ...values] = cursor
  if (!first) return sql<SqlBool>`false`
  if (isOneStretch(columns)) return rowAfter(columns, cursor)
  const same = value === null ? sql`${first.column} is null` : sql`${first.column} = ${value}`
  return sql<SqlBool>`(${beyond(first, value)} or (${same} and ${after(rest, values)}))`
}

function beyond({ column, descending, nullable, missingFirst }: OrderColumn, value: string | null): Condition {
  if (value === null) return missingFirst ? sql`${column} is not null` : sql`false`
  const further = sql<SqlBool>`${column} ${sql.raw(descending ? '<' : '>')} ${value}`
  return nullable && !missingFirst ? sql`(${further} or ${column} is null)` : further
}

/** With one direction and no nulls, a row comparison lets the index start right at the cursor. */
function isOneStretch(columns: readonly OrderColumn[]): boolean {
  return columns.every((column) => !column.nullable && column.descending === columns[0]?.descending)
}

function rowAfter(columns: readonly OrderColumn[], cursor: Cursor): Condition {
  const row = sql.join(columns.map(({ column }) => column))
  const values = sql.join(cursor.map((value) => sql`${value}`))
  return sql`(${row}) ${sql.raw(columns[0]?.descending ? '<' : '>')} (${values})`
}

/** Everything that decides which rows follow, in which order. A token is valid for exactly the same values. */
export type TokenBinding = {
  readonly list: string
  readonly scope: unknown
  readonly filter: unknown
  readonly order: unknown
}

export type ContinuationTokens = {
  seal(cursor: Cursor, binding: TokenBinding): string
  open(token: string, binding: TokenBinding): Cursor
}

/** Tokens of one installation: all its processes share the secret, so each can continue a list of another. */
export function continuationTokens(secret: Uint8Array): ContinuationTokens {
  // Created once: from plain bytes, every signature would cost five times as much.
  const key = createSecretKey(secret)
  const sign = (payload: string, binding: TokenBinding) => {
    const hmac = createHmac('sha256', key).update(`${digestOf(binding)}.${payload}`)
    return `${payload}.${hmac.digest('base64url')}`
  }
  return {
    seal(cursor, binding) {
      return sign(Buffer.from(JSON.stringify(cursor)).toString('base64url'), binding)
    },
    open(token, binding) {
      const [payload = ''] = token.split('.')
      if (!isSame(token, sign(payload, binding)))
        throw new ListError('the continuation token does not belong to this list, filter and sorting')
      return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Cursor
    },
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function digestOf({ list, scope, filter, order }: TokenBinding): string {
  return hash('sha256', JSON.stringify([list, scope, filter, order]), 'base64url')
}
