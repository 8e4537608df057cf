import type { FastifyBaseLogger } from 'fastify'
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Database } from '#server/db/database.ts'
import { hearSignals } from '#server/db/notifications.queries.ts'
import type { Services } from '#server/services.ts'
import type { Job } from '#server/tasks/job.ts'
import type { JobSender } from '#server/tasks/job-sender.ts'
import { JOBS_SCHEMA } from '#server/tasks/job-tables.ts'

/** A new job is announced to the workers. Retries are not: jobs that a person has started are polled more often than scheduled ones. */
const SECONDS_BETWEEN_LOOKS = { sent: 1, byTheClock: 30 }

export type JobQueue = JobSender & {
  start(jobs: readonly Job<never>[], services: Services): Promise<void>
  /** The queues whose jobs this process is working on, once for each job. */
  running(): string[]
  /** Waits this many milliseconds for running jobs. Those that have not ended by then are restarted by another process. */
  stop(patience: number): Promise<void>
}

/**
 * The queue lives in the portal's own database: any process of the installation takes up what another has sent. A
 * connection of `pool` stays open for the notifications of new jobs.
 */
export function jobQueue({ db, pool }: Database, log: FastifyBaseLogger, { isSharded = false } = {}): JobQueue {
  const boss = new PgBoss({
    db: {
      ...fromKysely(db),
      listen: async (channel, received, reconnected) => hearSignals(pool, { [channel]: received }, reconnected),
    },
    useListenNotify: true,
    schema: JOBS_SCHEMA,
    // On shards its tables stay on the coordinator.
    backend: isSharded ? 'citus' : 'postgres',
  })
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
  const isSent = job.cron === undefined
  const betweenLooks = isSent ? SECONDS_BETWEEN_LOOKS.sent : SECONDS_BETWEEN_LOOKS.byTheClock
  await boss.createQueue(job.queue, job.options ?? {})
  if (isSent) await boss.updateQueue(job.queue, { notify: true })
  if (job.cron) await boss.schedule(job.queue, job.cron, null, { tz: 'UTC', missed: 'once' })
  if (job.cron === null) await boss.unschedule(job.queue)
  const options = {
    pollingIntervalSeconds: betweenLooks,
    notifyPollingIntervalSeconds: betweenLooks,
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
      // The worker looks for the next job at once. With a pause after each, a busy queue would get through one a second.
      if (taken) await work(taken).finally(() => boss.notifyWorker(id))
    })
  }
}
