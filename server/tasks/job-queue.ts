import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { DB } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import type { Job } from '#server/tasks/job.ts'
import type { JobSender } from '#server/tasks/job-sender.ts'
import { JOBS_SCHEMA } from '#server/tasks/job-tables.ts'

/** Jobs that a person has started are polled more often than scheduled ones. */
const SECONDS_BETWEEN_LOOKS = { sent: 1, byTheClock: 30 }

export type JobQueue = JobSender & {
  start(jobs: readonly Job<never>[], services: Services): Promise<void>
  /** The queues whose jobs this process is working on, once for each job. */
  running(): string[]
  /** Waits this many milliseconds for running jobs. Those that have not ended by then are restarted by another process. */
  stop(patience: number): Promise<void>
}

/** The queue lives in the portal's own database: any process of the installation takes up what another has sent. */
export function jobQueue(db: Kysely<DB>, log: FastifyBaseLogger, { isSharded = false } = {}): JobQueue {
  // On shards its tables stay on the coordinator.
  const boss = new PgBoss({ db: fromKysely(db), schema: JOBS_SCHEMA, backend: isSharded ? 'citus' : 'postgres' })
  // Without a listener a lost connection would end the process; the next look finds the database back.
  boss.on('error', (error) => log.error({ err: error }, 'the job queue cannot reach the database'))
  let isStarted = false
  const running: string[] = []
  return {
    async send(tx, job, data) {
      await boss.send(job.queue, data, { db: fromKysely(tx) })
    },
    async start(jobs, services) {
      await boss.start()
      isStarted = true
      for (const job of jobs) await job.atStart?.(services)
      for (const job of jobs) await take(boss, job as Job, services, log, running)
    },
    running: () => [...running],
    async stop(patience) {
      if (isStarted) await boss.stop({ graceful: true, timeout: patience })
      isStarted = false
    },
  }
}

async function take(
  boss: PgBoss,
  job: Job,
  services: Services,
  log: FastifyBaseLogger,
  running: string[],
): Promise<void> {
  await boss.createQueue(job.queue, job.options ?? {})
  if (job.cron) await boss.schedule(job.queue, job.cron, null, { tz: 'UTC', missed: 'once' })
  if (job.cron === null) await boss.unschedule(job.queue)
  const options = {
    pollingIntervalSeconds: job.cron !== undefined ? SECONDS_BETWEEN_LOOKS.byTheClock : SECONDS_BETWEEN_LOOKS.sent,
    batchSize: 1,
    includeMetadata: true,
  } as const
  const work = async (taken: JobWithMetadata<object>) => {
    const attempt = { signal: taken.signal, isLast: taken.retryCount >= taken.retryLimit }
    running.push(job.queue)
    try {
      await job.run(taken.data ?? {}, services, attempt)
    } catch (error) {
      log.error({ err: error, job: job.queue, attempt: taken.retryCount + 1 }, 'a job failed')
      throw error
    } finally {
      running.splice(running.indexOf(job.queue), 1)
    }
  }
  for (let worker = 0; worker < (job.concurrency ?? 1); worker++) {
    const id = await boss.work<object, void, typeof options>(job.queue, options, async ([taken]) => {
      // It looks for the next job at once: with a pause after each, a busy queue would get through one a second.
      if (taken) await work(taken).finally(() => boss.notifyWorker(id))
    })
  }
}
