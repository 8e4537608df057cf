import { carryOutPlan } from '#server/modules/activations/plans/carry-out-plan.ts'
import { listPlansToCarryOut, type PlanKey } from '#server/modules/activations/plans/host-plans.queries.ts'
import type { Services } from '#server/services.ts'
import { defineJob } from '#server/tasks/job.ts'

/** Carries out plans. A plan that was stopped by a rule has failed; after anything else it is taken up again. */
export const hostPlansJob = defineJob<PlanKey>({
  queue: 'host-plans',
  options: { retryLimit: 5, retryDelay: 1, retryBackoff: true, expireInSeconds: 3600, heartbeatSeconds: 60 },
  concurrency: 2,
  run: (key, services, { signal }) => carryOutPlan(services, key, () => signal.throwIfAborted()),
})

/** Plans whose process died, or whose last attempt failed: at every start, and as long as the portal runs. */
export const resumePlansJob = defineJob({
  queue: 'host-plans-resume',
  cron: '*/5 * * * *',
  atStart: resumePlans,
  run: (_data, services) => resumePlans(services),
})

async function resumePlans({ db, jobs }: Services): Promise<void> {
  for (const key of await listPlansToCarryOut(db)) await jobs.send(db, hostPlansJob, key)
}
