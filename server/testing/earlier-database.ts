import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { inject, onTestFinished } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'

const MIGRATIONS = new URL('../migrations/steps/', import.meta.url)

/** The database of an earlier version, without the migration of this number and those after it. */
export async function earlierDatabase(number: string) {
  const connection = { ...inject('testServer'), database: `earlier_${randomBytes(6).toString('hex')}` }
  await ensureDatabase(connection, connection.database)
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-migrations-'))
  for (const name of fs.readdirSync(MIGRATIONS).filter((file) => file < number))
    fs.copyFileSync(new URL(name, MIGRATIONS), path.join(directory, name))
  await migrate(connection, () => {}, pathToFileURL(`${directory}/`))
  fs.rmSync(directory, { recursive: true })
  const { db, pool } = openDatabase(connection)
  onTestFinished(async () => {
    await db.destroy()
    const administration = openDatabase({ ...connection, database: 'postgres' })
    await sql`drop database ${sql.id(connection.database)} with (force)`.execute(administration.db)
    await administration.db.destroy()
  })
  return { db, pool, connection, migrate: () => migrate(connection) }
}
