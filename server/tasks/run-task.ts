import fs from 'node:fs/promises'
import { addDays } from '#domain/calendar/calendar-day.ts'
import type { TaskFailure } from '#domain/tasks/task.ts'
import type { Services } from '#server/services.ts'
import { type Attempt, defineJob, type Job } from '#server/tasks/job.ts'
import { removeTaskFiles, taskFile, unfinishedFile } from '#server/tasks/task-file.ts'
import type { AnyTaskKind, TaskContext, TaskKind } from '#server/tasks/task-kind.ts'
import { findShortage } from '#server/tasks/task-quota.ts'
import {
  beginTask,
  failTask,
  finishTask,
  isTaskKept,
  type NamedTask,
  noteProgress,
  type TaskKey,
} from '#server/tasks/tasks.queries.ts'

const BETWEEN_NOTES = 500

/** The job that runs the tasks of one kind. */
export function taskJob(kind: AnyTaskKind): Job<TaskKey> {
  return defineJob<TaskKey>({
    queue: kind.kind,
    options: { retryLimit: 3, retryDelay: 5, retryBackoff: true, expireInSeconds: 4 * 3600, heartbeatSeconds: 60 },
    concurrency: kind.concurrency ?? 1,
    async run(key, services, attempt) {
      const { clock, config, db } = services
      // Before anything is read: data that arrives meanwhile makes the result outdated, never wrongly up to date.
      const asOf = (await kind.asOf?.(db, key.customerNumber)) ?? null
      const task = await beginTask(db, key, asOf)
      if (!task) return
      try {
        await writeResult(kind as TaskKind, task, services, attempt)
      } catch (error) {
        const isDeleted = !(await isTaskKept(db, key))
        const failure = failureOf(error) ?? (attempt.isLast ? 'error' : undefined)
        if (isDeleted || failure) await removeTaskFiles(config, task)
        if (isDeleted) return
        if (failure) await failTask(db, key, failure, clock.now())
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
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'no-space' : undefined
}

const DELETED = 'the task was deleted'

async function writeResult(kind: TaskKind, task: NamedTask, services: Services, { signal }: Attempt): Promise<void> {
  const { clock, config, db } = services
  const key = { customerNumber: task.customer_number, id: task.id }
  const owner = { customerNumber: task.customer_number, email: task.requested_by }
  const progress = { done: 0, total: task.total, bytes: 0 }
  let notedAt = 0
  const noteAndCheck = async () => {
    notedAt = Date.now()
    if (!(await noteProgress(db, key, progress))) throw new Error(DELETED)
    const shortage = await findShortage(db, kind, owner, config)
    if (shortage) throw new TaskStoppedError(shortage)
  }
  await noteAndCheck()
  const file = await fs.open(unfinishedFile(config, task), 'w', 0o600)
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
      // All of it or an error: a plain write may stop short on a disk that is nearly full.
      await file.appendFile(bytes)
      progress.bytes += bytes.length
    },
  }
  try {
    await kind.run(task.request, context)
    await noteAndCheck()
    await file.sync()
  } finally {
    await file.close()
  }
  await fs.rename(unfinishedFile(config, task), taskFile(config, task))
  const at = clock.now()
  const end = { ...progress, at, keptUntil: daysLater(at, kind.keptDays) }
  if (!(await finishTask(db, key, end))) throw new Error(DELETED)
}

function daysLater(at: Date, days: number): Date {
  const iso = at.toISOString()
  return new Date(addDays(iso.slice(0, 10), days) + iso.slice(10))
}
