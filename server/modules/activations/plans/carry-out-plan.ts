import { sql, type Transaction } from 'kysely'
import { GOES_ON } from '#domain/activations/plans/host-plan.ts'
import { isTransactionConflict } from '#server/db/database-errors.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import {
  failPlan,
  findNextStep,
  finishPlan,
  listPlansToCarryOut,
  listWaitingCustomers,
  lockPlan,
  noteDone,
  type PlanKey,
  type StoredPlan,
  stopPlan,
} from '#server/modules/activations/plans/host-plans.queries.ts'
import { performStep, requireAllApproved, UnknownStepError } from '#server/modules/activations/plans/perform-step.ts'
import type { Services } from '#server/services.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'

/** Points at which tests interrupt a plan: before a step, when it is done but not committed, and after its commit. */
export type Checkpoint = (moment: 'before' | 'within' | 'after') => void

const MAX_CONFLICTS = 5

/** Customers for whom a rule has stopped the plan. Their steps stay undone; those of other customers are done. */
type Stopped = Map<string, BusinessRefusal>

/**
 * Does the remaining steps of a plan. Each step is one transaction, which also marks it as done: after a crash, a step
 * is done or not done, never half done or done twice. Any number of processes may carry out the same plan at once.
 */
export async function carryOutPlan(
  services: Pick<Services, 'db' | 'clock' | 'config' | 'secrets'>,
  key: PlanKey,
  checkpoint: Checkpoint,
): Promise<void> {
  const stopped: Stopped = new Map()
  let conflicts = 0
  for (let isFinished = false; !isFinished; ) {
    checkpoint('before')
    try {
      const next = (tx: Transaction<DB>) => doNextStep(services, tx, key, stopped, checkpoint)
      const outcome = await services.db.transaction().execute(next)
      // Thrown when the plan has failed. The error is for the log of the jobs.
      if (outcome instanceof UnknownStepError) throw outcome
      isFinished = outcome
    } catch (error) {
      if (!isTransactionConflict(error) || ++conflicts > MAX_CONFLICTS) throw error
    }
    checkpoint('after')
  }
}

/** True once there is nothing more to do. */
async function doNextStep(
  services: Pick<Services, 'clock' | 'config' | 'secrets'>,
  tx: Transaction<DB>,
  key: PlanKey,
  stopped: Stopped,
  checkpoint: Checkpoint,
): Promise<boolean | UnknownStepError> {
  const plan = await lockPlan(tx, key)
  if (!plan) return true
  const now = services.clock.now()
  const next = await findNextStep(tx, key, [...stopped.keys()])
  if (!next) {
    if (stopped.size > 0) await endStopped(tx, plan, stopped, now)
    // A save can find that others have done everything already.
    else await finishPlan(tx, plan, now)
    return true
  }
  const context = { tx, plan, now, services }
  await sql`savepoint step`.execute(tx)
  try {
    if (plan.state === 'waiting') await requireAllApproved(context)
    await performStep(context, next.step)
  } catch (error) {
    if (!(error instanceof BusinessRefusal)) throw error
    await sql`rollback to savepoint step`.execute(tx)
    const isUnknown = error instanceof UnknownStepError
    // Any error stops a save.
    if (!isUnknown && plan.action !== 'SAVE' && plan.state !== 'waiting' && 'customerNumber' in next.step) {
      stopped.set(next.step.customerNumber, error)
      return false
    }
    await failPlan(tx, plan, error, now)
    return isUnknown ? error : true
  }
  const isFinished = await noteDone(tx, plan, next.position, now)
  checkpoint('within')
  return isFinished
}

/** Seats that were returned for another host wait until the rule allows them. Otherwise the plan is over. */
async function endStopped(tx: Transaction<DB>, plan: StoredPlan, stopped: Stopped, now: Date): Promise<void> {
  const [refusal] = stopped.values()
  if (!refusal) return
  const { code, message } = refusal
  const waiting = plan.action === 'REHOST' ? await listWaitingCustomers(tx, plan) : []
  if (waiting.length === 0) return failPlan(tx, plan, refusal, now)
  await stopPlan(tx, plan, { code, message: `${message} ${GOES_ON}` }, now, waiting)
}

/** Carries out plans. A plan that a rule stopped has failed; after any other error it is resumed. */
export const hostPlansJob = defineJob<PlanKey>({
  queue: 'host-plans',
  options: { retryLimit: 5, retryDelay: 1, retryBackoff: true, expireInSeconds: 3600, heartbeatSeconds: 60 },
  concurrency: 2,
  run: (key, services, { signal }) => carryOutPlan(services, key, () => signal.throwIfAborted()),
})

/** Resumes plans whose process died or whose last attempt failed: at every start, and regularly. */
const resumePlansJob = defineJob({
  queue: 'host-plans-resume',
  cron: '*/5 * * * *',
  atStart: resumePlans,
  run: (_data, services) => resumePlans(services),
})

async function resumePlans({ db, jobs }: Services): Promise<void> {
  for (const key of await listPlansToCarryOut(db)) await jobs.send(db, hostPlansJob, key)
}

export const activationsJobs: readonly Job<never>[] = [hostPlansJob, resumePlansJob]
