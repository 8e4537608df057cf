import { addDays } from '#domain/calendar/calendar-day.ts'
import type { TaskFailure } from '#domain/tasks/task.ts'
import { isDiskFull } from '#server/embedded/disk-space.ts'
import type { Services } from '#server/services.ts'
import { type Attempt, defineJob, type Job } from '#server/tasks/job.ts'
import { TaskGoneError, taskFileWriter } from '#server/tasks/task-file.ts'
import type { AnyTaskKind, TaskContext, TaskKind } from '#server/tasks/task-kind.ts'
import { deletePieces } from '#server/tasks/task-pieces.queries.ts'
import { findShortage } from '#server/tasks/task-quota.ts'
import {
  beginTask,
  failTask,
  finishTask,
  isCurrent,
  letTaskWait,
  type NamedTask,
  noteProgress,
  type TaskKey,
} from '#server/tasks/tasks.queries.ts'
import { ThreadError } from '#server/threads/thread-pool.ts'

const BETWEEN_NOTES = 500
/** A task that ends the process would do so again and again. */
const MAX_DEATHS = 2

/** The job that runs the tasks of one kind. */
export function taskJob(kind: AnyTaskKind): Job<TaskKey> {
  return defineJob<TaskKey>({
    queue: kind.kind,
    options: { retryLimit: 3, retryDelay: 5, retryBackoff: true, expireInSeconds: 4 * 3600, heartbeatSeconds: 60 },
    concurrency: kind.concurrency ?? 1,
    async run(key, services, attempt) {
      const { clock, db } = services
      // Read before the data: data that arrives later makes the result outdated, never wrongly up to date.
      const asOf = (await kind.asOf?.(db, key.customerNumber)) ?? null
      const task = await beginTask(db, key, asOf)
      if (!task) return
      const run = { ...key, attempt: task.attempt }
      await deletePieces(db, run)
      try {
        if (task.deaths >= MAX_DEATHS) throw new TaskStoppedError('died')
        await writeResult(kind as TaskKind, task, services, attempt)
      } catch (error) {
        if (!(await isCurrent(db, run))) return
        const failure = failureOf(error) ?? (attempt.isLast ? 'error' : undefined)
        if (failure) {
          await deletePieces(db, run)
          await failTask(db, run, failure, clock.now())
        } else await letTaskWait(db, run)
        throw error
      }
    },
  })
}

/** A retry would not help: the task fails at once, with a reason that the person sees. */
class TaskStoppedError extends Error {
  readonly failure: TaskFailure
  constructor(failure: TaskFailure) {
    super(`a task was stopped: ${failure}`)
    this.failure = failure
  }
}

function failureOf(error: unknown): TaskFailure | undefined {
  if (error instanceof TaskStoppedError) return error.failure
  if (error instanceof ThreadError && error.reason === 'limit') return 'too-much'
  return isDiskFull(error) ? 'no-space' : undefined
}

async function writeResult(kind: TaskKind, task: NamedTask, services: Services, { signal }: Attempt): Promise<void> {
  const { clock, config, db } = services
  const run = { customerNumber: task.customer_number, id: task.id, attempt: task.attempt }
  const owner = { customerNumber: task.customer_number, email: task.requested_by }
  const progress = { done: 0, total: task.total, bytes: 0 }
  let notedAt = 0
  const noteAndCheck = async () => {
    notedAt = Date.now()
    if (!(await noteProgress(db, run, progress))) throw new TaskGoneError('the task is gone')
    const shortage = await findShortage(db, kind, owner, config)
    if (shortage) throw new TaskStoppedError(shortage)
  }
  await noteAndCheck()
  const file = taskFileWriter(db, run)
  const context: TaskContext = {
    services,
    customerNumber: task.customer_number,
    timeZone: task.time_zone,
    signal,
    async progress(done, total) {
      signal.throwIfAborted()
      const isNews = total !== progress.total
      Object.assign(progress, { done, total })
      if (isNews || Date.now() - notedAt >= BETWEEN_NOTES) await noteAndCheck()
    },
    async write(bytes) {
      signal.throwIfAborted()
      await file.write(bytes)
      progress.bytes += bytes.length
    },
  }
  await kind.run(task.request, context)
  await file.finish()
  await noteAndCheck()
  const at = clock.now()
  const end = { ...progress, at, keptUntil: daysLater(at, kind.keptDays) }
  if (!(await finishTask(db, run, end))) throw new TaskGoneError('the task is gone')
}

function daysLater(at: Date, days: number): Date {
  const iso = at.toISOString()
  return new Date(addDays(iso.slice(0, 10), days) + iso.slice(10))
}
