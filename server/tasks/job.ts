import type { QueueOptions } from 'pg-boss'
import type { Services } from '#server/services.ts'

/** Work that happens outside of requests. One job is one queue; its data says what to do, its handler does it. */
export type Job<Data extends object = object> = {
  readonly queue: string
  /** How often it is tried again, and how long a try may take; a worker that dies is noticed by its missing heartbeat. */
  readonly options?: QueueOptions
  /** When it happens by itself: a cron expression, in UTC. Null ends the schedule of an earlier start. */
  readonly cron?: string | null
  /** Runs in every process before it answers the first call. */
  atStart?(services: Services): Promise<void>
  /** How many run at once in this process. */
  readonly concurrency?: number
  /** Runs again from the beginning after a failure or a crash, so it must be idempotent. */
  run(data: Data, services: Services, attempt: Attempt): Promise<void>
}

export type Attempt = {
  /** The portal is stopping, or the try has taken too long. */
  readonly signal: AbortSignal
  /** There is no retry after this attempt. */
  readonly isLast: boolean
}

/** The type of a job's data, for senders; the queue itself holds jobs of every kind. */
export function defineJob<Data extends object>(job: Job<Data>): Job<Data> {
  return job
}
