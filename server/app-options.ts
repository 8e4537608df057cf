import type { Pool } from '#server/db/database.ts'
import type { DemoPerson } from '#server/doors/demo-identity.ts'
import type { DemoProvider } from '#server/doors/demo-store.ts'
import type { Mailer } from '#server/doors/mailer.ts'
import type { FindTexts } from '#server/doors/txt-records.ts'
import type { WebhookSender } from '#server/doors/webhook-sender.ts'
import type { Tracing } from '#server/http/tracing.ts'
import type { RememberedCallers } from '#server/identity/remembered-callers.ts'
import type { Siblings } from '#server/processes.ts'
import type { Services } from '#server/services.ts'
import type { Job } from '#server/tasks/job.ts'
import type { AnyTaskKind } from '#server/tasks/task-kind.ts'

type Made =
  | 'secrets'
  | 'findTexts'
  | 'jobs'
  | 'lists'
  | 'callTurns'
  | 'makePdf'
  | 'logThreads'
  | 'loadLetterhead'
  | 'pools'
  | 'reads'
  | 'signInTokens'
  | 'claimRoles'
  | 'callers'
export type AppOptions = Omit<Services, Made> & {
  /** Whom the demo provider knows; ignored when a real provider is configured. */
  people: readonly DemoPerson[]
  /** The demo provider that several processes share. */
  demo?: DemoProvider | undefined
  /** Delivers mails from the outbox; without a mailer they stay there. */
  mailer?: Mailer
  /** Delivers webhooks; without it they stay queued. */
  webhookSender?: WebhookSender
  /** Reads TXT records; without it, with the name servers of this machine. */
  findTexts?: FindTexts
  /** The cache of callers; without it every call loads its caller again. */
  callers?: (pool: Pool) => RememberedCallers
  /** The kinds of background tasks; tests may pass others than the product's. */
  tasks?: readonly AnyTaskKind[]
  /** Jobs that run outside of requests, in addition to the tasks; tests may pass others than the product's. */
  background?: readonly Job<never>[]
  /** Folder of the built web app; without it only the API is served. */
  web?: string
  logStream?: { write(line: string): void }
  /** Absent where no collector of traces is configured. */
  tracing?: Tracing | undefined
  /** Once aborted, the portal will end soon: load balancers and clients are told to go elsewhere, and are still answered. */
  draining?: AbortSignal
  /** Called with what closing waits for; `patience` is how long it waits, in milliseconds, ten seconds by default. */
  report?: (line: string) => void
  patience?: number
  /** The other processes that share the port. */
  siblings?: Siblings
}
