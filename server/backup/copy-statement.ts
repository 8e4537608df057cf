import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Copy } from '#server/db/copy.ts'
import type { DB } from '#server/db/schema.ts'

/** Text format or CSV, which every version of PostgreSQL on every machine reads. */
export function copyStatement(
  db: Kysely<DB>,
  { name, columns }: { name: string; columns: readonly string[] },
  direction: `${'to stdout' | 'from stdin'}${'' | ' (format csv, header)'}`,
  copied: Copy,
): CompiledQuery {
  const listed = sql.join(columns.map((column) => sql.id(column)))
  const { sql: text } = sql`copy ${sql.id(name)} (${listed}) ${sql.raw(direction)}`.compile(db)
  return CompiledQuery.raw(text, [copied])
}
