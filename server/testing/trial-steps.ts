import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { migrate, readMigrations } from '#server/db/migrate.ts'

/** Migrates with the schema as it is and trial steps after it, by name. */
export function runTrialSteps(connection: pg.ClientConfig, steps: Readonly<Record<string, string>>) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-steps-'))
  onTestFinished(() => fs.rmSync(directory, { recursive: true, force: true }))
  for (const { name, text } of readMigrations()) fs.writeFileSync(path.join(directory, name), text)
  for (const [name, text] of Object.entries(steps)) fs.writeFileSync(path.join(directory, name), text)
  return migrate(connection, () => {}, pathToFileURL(`${directory}/`))
}

/** What Citus refuses on tables that are there already, although PostgreSQL takes it, and what it says. */
export const REFUSED_BY_SHARDS = [
  ['alter table contact add column trial text check (length(trial) < 9)', 'cannot execute ADD COLUMN'],
  ['alter table contact add column trial bigint generated always as identity', 'cannot execute ADD COLUMN'],
  ['alter table contact rename constraint contact_email_check to trial', 'renaming constraints'],
  ['alter table contact add check (length(email) < 999), alter role drop not null', 'cannot execute ADD CONSTRAINT'],
  ['alter table contact alter column email set statistics 500', 'alter table command is currently unsupported'],
] as const
