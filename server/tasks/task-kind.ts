import type { Kysely } from 'kysely'
import type { AccountAction } from '#domain/access/can.ts'
import type { TaskArea } from '#domain/tokens/token-areas.ts'
import type { DB } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'

/** One kind of background task: what it may read, how long its file is kept, and how the file is made. */
export type TaskKind<Request extends object = object> = {
  /** The name of the kind and of its job queue, so it never changes. */
  readonly kind: string
  /** What its result is called in texts for people: "export". */
  readonly noun: string
  /** The right on the account that is needed to see the task and to download its file. */
  readonly action: AccountAction
  /** What a token must be allowed to read to see the task, and to write to delete it. */
  readonly area: TaskArea
  readonly mediaType: string
  readonly keptDays: number
  /** How many run at once in one process. */
  readonly concurrency?: number
  /**
   * The version of the data that a task of the account would read now. While it is unchanged, a finished file
   * is reused for the same request. Without this, a finished file is never reused.
   */
  asOf?(db: Kysely<DB>, customerNumber: string): Promise<string | null>
  /** Runs again from the beginning after a failure or a crash. */
  run(request: Request, context: TaskContext): Promise<void>
}
export type AnyTaskKind = TaskKind<never>

export type TaskContext = {
  readonly services: Services
  readonly customerNumber: string
  /** The time zone of the account. */
  readonly timeZone: string
  /** The portal is stopping, or the task has taken too long. */
  readonly signal: AbortSignal
  /** Reports progress in the unit of the kind. Throws when the task has to stop: deleted, over quota, disk full. */
  progress(done: number, total: number): Promise<void>
  /** Appends to the result file. */
  write(bytes: Uint8Array): Promise<void>
}

export function defineTask<Request extends object>(kind: TaskKind<Request>): TaskKind<Request> {
  return kind
}

export type TaskKinds = ReadonlyMap<string, AnyTaskKind>

export function taskKinds(kinds: readonly AnyTaskKind[]): TaskKinds {
  return new Map(kinds.map((kind) => [kind.kind, kind]))
}
