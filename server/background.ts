import type { FastifyInstance } from 'fastify'
import type { AppOptions } from '#server/app-options.ts'
import { auditSealer } from '#server/audit/sealer.ts'
import { BUILD_INFO } from '#server/build-info.ts'
import { dataJobs } from '#server/data/data.jobs.ts'
import { plural } from '#server/http/bounded-close.ts'
import { mailLane } from '#server/modules/messages/mail.lane.ts'
import { MODULES } from '#server/modules/modules.ts'
import { heartbeat } from '#server/modules/upkeep/heartbeat.ts'
import { webhookLane } from '#server/modules/webhooks/webhook.lane.ts'
import { WEBHOOK_SECRET } from '#server/modules/webhooks/webhook-secret.seal.ts'
import { webhookWorker } from '#server/modules/webhooks/webhook-worker.ts'
import type { AnyLane } from '#server/outbox/lane.ts'
import { outboxWorker } from '#server/outbox/outbox-worker.ts'
import { recoveryJobs } from '#server/recovery/recovery.jobs.ts'
import { accountCopyJob } from '#server/scale-out/account-copy.job.ts'
import type { Services } from '#server/services.ts'
import { expireTasksJob } from '#server/tasks/expire-tasks.ts'
import type { Job } from '#server/tasks/job.ts'
import type { JobQueue } from '#server/tasks/job-queue.ts'
import { taskJob } from '#server/tasks/run-task.ts'
import type { AnyTaskKind } from '#server/tasks/task-kind.ts'

/** Jobs of every installation. */
export const JOBS: readonly Job<never>[] = [...MODULES.flatMap(({ jobs = [] }) => jobs), ...dataJobs, expireTasksJob]
const productJobs = ({ config, pools }: Services): readonly Job<never>[] => [
  ...JOBS,
  ...recoveryJobs(config),
  ...(pools.accountCopy ? [accountCopyJob] : []),
]
const TASKS: readonly AnyTaskKind[] = MODULES.flatMap(({ tasks = [] }) => tasks)

export type Background = {
  readonly tasks: readonly AnyTaskKind[]
  readonly lanes: readonly AnyLane[]
  /** What is being done, in words. */
  unfinished(): string[]
  interrupt(): void
}
type Parts = {
  readonly services: Services & { readonly jobs: JobQueue }
  /** How long closing may still wait, in milliseconds. */
  timeLeft(): number
}

/** Runs what happens outside of requests, from when the app is ready until it closes. */
export async function runBackground(
  app: FastifyInstance,
  { services, timeLeft }: Parts,
  options: AppOptions,
): Promise<Background> {
  const { jobs } = services
  const tasks = options.tasks ?? TASKS
  app.addHook('onReady', () =>
    jobs.start([...(options.background ?? productJobs(services)), ...tasks.map(taskJob)], services),
  )
  app.addHook('onClose', () => jobs.stop(timeLeft()))
  heartbeat(app, services, { version: BUILD_INFO.version, draining: options.draining })
  const lanes = [mailLane(options.mailer), webhookLane(options.clock)]
  const outbox = outboxWorker(lanes, { ...services, log: app.log })
  const webhooks =
    options.webhookSender &&
    webhookWorker({
      ...services,
      log: app.log,
      sender: options.webhookSender,
      installationSecret: await services.secrets.load(options.db, WEBHOOK_SECRET),
    })
  app.addHook('onReady', async () => {
    outbox.start()
    webhooks?.start()
  })
  app.addHook('preClose', async () => {
    void outbox.stop()
    void webhooks?.stop()
  })
  app.addHook('onClose', async () => {
    await Promise.all([outbox.stop(), webhooks?.stop()])
  })
  const sealer = auditSealer({ ...services, log: app.log })
  app.addHook('onReady', async () => sealer.start())
  app.addHook('onClose', () => sealer.stop())
  return {
    tasks,
    lanes,
    unfinished: () => [
      ...[...outbox.sending(), ...(webhooks?.sending() ?? [])].map((noun) => `1 ${noun} being sent`),
      ...runningJobs(jobs.running()),
    ],
    interrupt() {
      outbox.interrupt()
      webhooks?.interrupt()
    },
  }
}
function runningJobs(queues: readonly string[]): string[] {
  return queues.length > 0 ? [`${plural(queues.length, 'running job')} (${[...new Set(queues)].join(', ')})`] : []
}
