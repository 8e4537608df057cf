import { sql, type Transaction } from 'kysely'
import { isTransactionConflict } from '#server/db/database-errors.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import {
  failPlan,
  findNextStep,
  lockPlan,
  noteDone,
  type PlanKey,
} from '#server/modules/activations/host-plans.queries.ts'
import { performStep } from '#server/modules/activations/perform-step.ts'
import type { Services } from '#server/services.ts'

/** Where a plan can be interrupted: before a step, when it is done but not committed, and after that. */
export type Checkpoint = (moment: 'before' | 'within' | 'after') => void

const MOST_CONFLICTS = 5

/**
 * Does what is left of a plan. Each step is one transaction with the note that it is done: whoever dies in between leaves it
 * done or not done, never half done or done twice. Any number of processes may carry out the same plan at once.
 */
export async function carryOutPlan(
  services: Pick<Services, 'db' | 'clock'>,
  key: PlanKey,
  checkpoint: Checkpoint,
): Promise<void> {
  let conflicts = 0
  for (let isFinished = false; !isFinished; ) {
    checkpoint('before')
    try {
      isFinished = await services.db.transaction().execute((tx) => doNextStep(services, tx, key, checkpoint))
    } catch (error) {
      if (!isTransactionConflict(error) || ++conflicts > MOST_CONFLICTS) throw error
    }
    checkpoint('after')
  }
}

/** True once the plan is finished. */
async function doNextStep(
  { clock }: Pick<Services, 'clock'>,
  tx: Transaction<DB>,
  key: PlanKey,
  checkpoint: Checkpoint,
): Promise<boolean> {
  const plan = await lockPlan(tx, key)
  const next = plan && (await findNextStep(tx, key))
  if (!plan || !next) return true
  const now = clock.now()
  await sql`savepoint step`.execute(tx)
  try {
    await performStep({ tx, plan, now }, next.step)
  } catch (error) {
    if (!(error instanceof BusinessRefusal)) throw error
    await sql`rollback to savepoint step`.execute(tx)
    await failPlan(tx, key, error, now)
    return true
  }
  const isFinished = await noteDone(tx, key, next.position, now)
  checkpoint('within')
  return isFinished
}
