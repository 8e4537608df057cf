import type { Kysely } from 'kysely'
import type { Config } from '#server/config.ts'
import type { Pool, Pools } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'
import type { Clock } from '#server/doors/clock.ts'
import type { FindTexts } from '#server/doors/txt-records.ts'
import type { ClaimRoles } from '#server/identity/claim-roles.ts'
import type { RememberedCallers } from '#server/identity/remembered-callers.ts'
import type { SignInTokens } from '#server/identity/sign-in-tokens.ts'
import type { ListEngine } from '#server/lists/list-engine.ts'
import type { LogThreads } from '#server/modules/license-use/logs/log-threads.ts'
import type { Reads } from '#server/operations/reads.ts'
import type { LoadLetterhead } from '#server/pdf/letterhead.ts'
import type { MakePdf } from '#server/pdf/pdf-maker.ts'
import type { JobSender } from '#server/tasks/job-sender.ts'
import type { CallTurns } from '#server/turns/call-turns.ts'

/**
 * The dependencies of every part of the server, instead of globals. Modules cache by themselves only what never
 * changes: compiled schemas, formatters of time zones, widths of letters.
 */
export type Services = {
  readonly db: Kysely<DB>
  readonly pool: Pool
  readonly config: Config
  readonly clock: Clock
  readonly secrets: InstallationSecrets
  /** Reads TXT records, by which accounts prove their domains. */
  readonly findTexts: FindTexts
  readonly jobs: JobSender
  readonly lists: ListEngine
  readonly callTurns: CallTurns
  /** Further connections, one pool for each purpose. */
  readonly pools: Pools
  readonly reads: Reads
  readonly makePdf: MakePdf
  /** Read the texts of license servers. */
  readonly logThreads: LogThreads
  /** The top of every document. */
  readonly loadLetterhead: LoadLetterhead
  readonly signInTokens: SignInTokens
  readonly callers: RememberedCallers
  /** Absent when no claim gives roles. */
  readonly claimRoles: ClaimRoles | undefined
}
