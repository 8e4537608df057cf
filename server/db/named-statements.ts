import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'

type Values = Readonly<Record<string, unknown>>
type Placeholders<V extends Values> = { readonly [K in keyof V]: RawBuilder<unknown> }

/** A statement whose text is made once, because calls differ in their values only. */
export type NamedStatement<V extends Values, R> = {
  /** Runs it in its own transaction. Each connection parses and plans it once. */
  run(database: Database, values: V): Promise<R[]>
  /** Runs it as part of a transaction. */
  runIn(tx: Kysely<DB> | Transaction<DB>, values: V): Promise<R[]>
}

/**
 * `write` writes the statement with placeholders. A value that is used several times is sent once and has one type, so cast
 * every placeholder whose type is not text.
 */
export function namedStatement<V extends Values, R>(
  name: string,
  write: (values: Placeholders<V>) => RawBuilder<R>,
): NamedStatement<V, R> {
  let compiled: { readonly text: string; readonly keys: readonly string[] } | undefined
  const compile = (db: Kysely<DB>) => {
    const keys: string[] = []
    const statement = write(
      placeholders((key) => {
        if (!keys.includes(key)) keys.push(key)
        return sql.raw(`$${keys.indexOf(key) + 1}`)
      }),
    )
    const { sql: text, parameters } = statement.compile(db)
    if (parameters.length > 0) throw new Error(`the statement ${name} contains a value`)
    return { text, keys }
  }
  return {
    async run({ db, pool }, values) {
      compiled ??= compile(db)
      const { text, keys } = compiled
      const { rows } = await pool.query({ name, text, values: keys.map((key) => values[key]) })
      return rows as R[]
    },
    async runIn(tx, values) {
      const { rows } = await write(placeholders((key) => sql`${values[key]}`)).execute(tx)
      return rows
    },
  }
}

function placeholders<V extends Values>(of: (key: string) => RawBuilder<unknown>): Placeholders<V> {
  return new Proxy({} as Placeholders<V>, { get: (_target, key) => of(String(key)) })
}
