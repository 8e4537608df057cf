import type { Kysely } from 'kysely'
import type { Config } from '#server/config.ts'
import type { Clock } from '#server/doors/clock.ts'
import type { JobSender } from '#server/jobs/job-sender.ts'
import type { ContinuationTokens } from '#server/lists/continuation-tokens.ts'
import type { ListCalls } from '#server/lists/list-calls.ts'
import type { PreparedPages } from '#server/lists/prepared-pages.ts'
import type { ClaimRoles } from '#server/plugins/claim-roles.ts'
import type { Pool, Pools } from '#server/plugins/database.ts'
import type { DB } from '#server/plugins/schema.ts'
import type { SessionTokens } from '#server/plugins/session-tokens.ts'
import type { Traffic } from '#server/plugins/traffic.ts'

/** What every part of the server is handed: nothing below reaches for a global. */
export type Services = {
  readonly db: Kysely<DB>
  readonly pool: Pool
  readonly config: Config
  readonly clock: Clock
  readonly tokens: ContinuationTokens
  readonly jobs: JobSender
  /** Pages that are prepared statements, for the lists that say so. */
  readonly pages: PreparedPages
  /** Runs the calls that read lists. */
  readonly lists: ListCalls
  readonly traffic: Traffic
  /** Beside `pool`: connections that are kept apart by purpose. */
  readonly pools: Pools
  readonly sessionTokens: SessionTokens
  /** Absent when no claim gives roles. */
  readonly claimRoles: ClaimRoles | undefined
}
