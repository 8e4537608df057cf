import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

const OBJECT_IN_USE = '55006'

export async function createScratch(db: Kysely<DB>, name: string): Promise<void> {
  await sql`create database ${sql.id(name)} template template0`.execute(db)
}

/** As it is written in a statement. */
export async function findRoleName(db: Kysely<DB>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_user) as name`.execute(db)
  return rows[0]?.name ?? ''
}

export async function dropScratch(db: Kysely<DB>, name: string): Promise<void> {
  await sql`drop database if exists ${sql.id(name)} with (force)`.execute(db)
}

/** Drops scratch databases without connections: the process that made them was killed. */
export async function dropUnusedScratches(db: Kysely<DB>, prefix: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select datname as name from pg_database d
     where starts_with(datname, ${prefix}) and pg_has_role(datdba, 'USAGE')
       and not exists (select 1 from pg_stat_activity a where a.datid = d.oid)`.execute(db)
  for (const { name } of rows)
    await sql`drop database if exists ${sql.id(name)}`.execute(db).catch((error: { code?: string }) => {
      // Somebody has connected since.
      if (error.code !== OBJECT_IN_USE) throw error
    })
}
