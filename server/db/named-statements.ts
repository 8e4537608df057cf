import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

type Values = Readonly<Record<string, unknown>>
type Placeholders<V extends Values> = { readonly [K in keyof V]: RawBuilder<unknown> }

/** A statement whose text is built once, and which each connection parses and plans once. */
export type NamedStatement<V extends Values, R> = {
  run(db: Kysely<DB>, values: V): Promise<R[]>
}

/** The names of all named statements, by their text. */
const names = new Map<string, string>()

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
    names.set(text, name)
    return { text, keys }
  }
  return {
    async run(db, values) {
      compiled ??= compile(db)
      const { text, keys } = compiled
      const { rows } = await db.executeQuery(
        CompiledQuery.raw(
          text,
          keys.map((key) => values[key]),
        ),
      )
      return rows as R[]
    },
  }
}

/** Kysely sends only text and values to the driver. A connection prepares a named statement by its name. */
export const statementName = (text: unknown): string | undefined => names.get(text as string)

function placeholders<V extends Values>(of: (key: string) => RawBuilder<unknown>): Placeholders<V> {
  return new Proxy({} as Placeholders<V>, { get: (_target, key) => of(String(key)) })
}
