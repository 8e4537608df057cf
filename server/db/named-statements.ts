import type { RawBuilder } from 'kysely'
import type { Database } from '#server/db/database.ts'

/**
 * Runs one statement as a transaction of its own, under a name: each connection parses and plans it once. Everything that
 * differs between calls must be a parameter; the driver refuses a second text under the same name.
 */
export async function executeNamed<R>({ db, pool }: Database, name: string, statement: RawBuilder<R>): Promise<R[]> {
  const { sql, parameters } = statement.compile(db)
  const { rows } = await pool.query({ name, text: sql, values: [...parameters] })
  return rows as R[]
}
