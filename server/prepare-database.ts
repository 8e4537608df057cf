import pg from 'pg'
import { saveRetention } from '#server/audit/retention.queries.ts'
import { BUILD_INFO } from '#server/build-info.ts'
import { type Migrated, migrate, readMigrations, refuseOtherVersions } from '#server/db/migrate.ts'
import { grantPortalRights, listMissingRights } from '#server/db/portal-rights.ts'
import { SESSION_SETTINGS } from '#server/db/session-settings.ts'
import { StartupError } from '#server/embedded/startup-error.ts'
import { KEPT_KEYS } from '#server/scale-out/shard.queries.ts'
import { prepareJobTables } from '#server/tasks/job-tables.ts'

/** In milliseconds: a database that is frozen takes connections and never answers. */
const TIMEOUT = 10_000
const NOTHING: Migrated = { isNew: false, steps: [] }

/** What the owner of the tables decides besides their form. */
type Decided = {
  /** Gets its rights; without it, the owner is also the portal's role. */
  readonly portalRole: string | undefined
  /** Without it, what was decided before stays. */
  readonly auditRetentionDays?: number | undefined
}

/** Migrates as the owner. */
export async function prepareDatabase(owner: pg.ClientConfig, decided: Decided): Promise<Migrated> {
  await connected(owner, refuseHalfSharded)
  return migrate(owner, undefined, undefined, (client) => complete(client, decided))
}

/** For a database whose tables are those of this version already. */
export function completeDatabase(owner: pg.ClientConfig, decided: Decided): Promise<void> {
  return connected(owner, (client) => complete(client, decided))
}

async function complete(client: pg.Client, { portalRole, auditRetentionDays }: Decided): Promise<void> {
  await prepareJobTables(client)
  if (auditRetentionDays !== undefined) await saveRetention(client, auditRetentionDays)
  if (portalRole !== undefined) await grantPortalRights(client, portalRole)
}

export type Role = {
  readonly name: string /** Of the portal's tables, or of a database that has none yet. */
  readonly isOwner: boolean
}

export function findRole(connection: pg.ClientConfig): Promise<Role> {
  return connected(connection, async (client) => {
    const { rows } = await client.query<Role>(`
      select current_user as name, coalesce((select pg_has_role(relowner, 'USAGE') from pg_class
                                              where oid = to_regclass('public.migration')), true) as "isOwner"`)
    return rows[0]!
  })
}

/** A role that owns nothing cannot migrate: says what the owner has to do. */
export function refuseUnprepared(portal: pg.ClientConfig): Promise<Migrated> {
  return connected(portal, async (client) => {
    const { rows: roles } = await client.query<{ name: string }>('select current_user as name')
    const { name } = roles[0]!
    await refuseHalfSharded(client)
    const advice = 'run "migrate" with DATABASE_OWNER_URL'
    if ((await listMissingRights(client, name)).some((statement) => !statement.startsWith('revoke')))
      throw new StartupError(`the role ${name} of DATABASE_URL lacks rights: ${advice}`)
    const { rows } = await client.query<{ name: string }>('select name from migration')
    const ran = new Set(rows.map((row) => row.name))
    const missing = readMigrations().filter((migration) => !ran.has(migration.name))
    refuseOtherVersions(rows, readMigrations(), missing)
    if (missing.length > 0)
      throw new StartupError(
        `the database lacks ${missing.length} migration steps, and the role ${name} of DATABASE_URL does not own its tables: ${advice}`,
      )
    return NOTHING
  })
}

/** Until "shard" has ended, triggers are off: usage would be booked without its sums. */
async function refuseHalfSharded(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [KEPT_KEYS])
  if (rows[0]?.found)
    throw new StartupError(
      `"shard" has not ended, and foreign keys and triggers of the database are off until it has: run "${BUILD_INFO.command} shard" again`,
    )
}

/** Creates the portal's role of the embedded database, unless it is there. It may create databases, for drills. */
export function ensureRole(
  owner: pg.ClientConfig,
  { user, password }: { user: string; password: string },
): Promise<void> {
  return connected(owner, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [user])
    if (rowCount === 0)
      await client.query(`
        do $$ begin
          create role ${pg.escapeIdentifier(user)} login createdb password ${pg.escapeLiteral(password)};
        exception when duplicate_object then null;
        end $$`)
  })
}

async function connected<T>(connection: pg.ClientConfig, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionTimeoutMillis: TIMEOUT, ...connection })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(SESSION_SETTINGS)
    return await act(client)
  } finally {
    await client.end()
  }
}
