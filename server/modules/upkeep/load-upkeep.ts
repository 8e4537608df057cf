import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { RecoveryRuns, RecoveryRun as Run, Upkeep } from '#contract/upkeep/upkeep.ts'
import { taskFailureText } from '#domain/tasks/task.ts'
import { monthStates } from '#domain/upkeep/month-states.ts'
import { formatSchedule, isLate, nextTime, type RunKind, type Schedule } from '#domain/upkeep/schedule.ts'
import { lateArrivals } from '#domain/upkeep/usage-arrival.ts'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import type { SlowStatement } from '#server/db/statement-times.ts'
import { findJobState } from '#server/doctor/doctor.queries.ts'
import {
  findArchivedBefore,
  findUsageArrivals,
  listAllPinLocks,
  listUsageMonths,
} from '#server/modules/elastic/elastic.public.ts'
import { listProcesses } from '#server/modules/upkeep/processes.queries.ts'
import { listServerStatements } from '#server/modules/upkeep/slow-statements.queries.ts'
import { countMessages, listFailedMessages } from '#server/outbox/outbox.queries.ts'
import {
  findLastSuccess,
  INTERRUPTED,
  type ListedRun,
  listRuns,
  type RecoveryRun,
} from '#server/recovery/recovery-runs.queries.ts'
import { listNodesWithLostAccounts } from '#server/scale-out/account-copy.queries.ts'
import { listTasksInNeed } from '#server/tasks/tasks.queries.ts'

const SHOWN = 50
const SHOWN_RUNS = 10
const SHOWN_STATEMENTS = 10
const DAY = 24 * 60 * 60 * 1000
const FAILED_TASKS_SHOWN = 7 * DAY

type Parts = { readonly db: Kysely<DB>; readonly config: Config; readonly now: Date; readonly log: FastifyBaseLogger }

/** Everything that operators look at. Read one after the other, so that it takes one connection. */
export async function loadUpkeep({ db, config, now, log }: Parts): Promise<Upkeep> {
  const part = <T>(name: string, load: () => Promise<T>): Promise<T | null> =>
    load().catch((error: unknown) => {
      log.warn({ err: error, part: name }, 'a part of the operations screen could not be read')
      return null
    })
  const { at, drillAt } = config.backup
  return {
    backups: await part('backups', () => loadRuns(db, 'backup', at, now)),
    drills: await part('drills', () => loadRuns(db, 'drill', drillAt, now)),
    messages: await part('messages', () => loadMessages(db)),
    tasks: await part('tasks', () => loadTasks(db, now)),
    ingest: await part('ingest', () => loadIngest(db, now)),
    locks: await part('locks', () => loadLocks(db, now)),
    partitions: await part('partitions', async () => ({
      months: monthStates(await listUsageMonths(db), await findArchivedBefore(db), now),
    })),
    statements: await part('statements', () => loadStatements(db)),
    processes: await part('processes', () => loadProcesses(db)),
    nodes: await part('nodes', () => listNodesWithLostAccounts(db, SHOWN)),
  }
}

async function loadRuns(
  db: Kysely<DB>,
  kind: RunKind,
  schedule: Schedule | undefined,
  now: Date,
): Promise<RecoveryRuns> {
  const success = await findLastSuccess(db, kind)
  return {
    schedule: schedule ? formatSchedule(schedule) : null,
    nextAt: schedule ? nextTime(schedule, now).toISOString() : null,
    isLate: isLate(kind, schedule, { lastSuccess: success?.begun_at, now }),
    lastSuccess: success ? toRun(success) : null,
    runs: (await listRuns(db, kind, SHOWN_RUNS)).map((run) => (isInterrupted(run) ? toInterrupted(run) : toRun(run))),
  }
}

const numberOrNull = (text: string | null) => (text === null ? null : Number(text))
const isoOrNull = (at: Date | null) => at?.toISOString() ?? null

const isInterrupted = ({ state, is_alive }: ListedRun) => state === 'running' && !is_alive
/** Nobody has noted how it ended. */
const toInterrupted = (row: ListedRun): Run => ({
  ...toRun(row),
  state: 'failed',
  failure: INTERRUPTED,
  endedAt: row.seen_at.toISOString(),
})

function toRun(row: RecoveryRun): Run {
  return {
    id: row.id,
    state: row.state,
    begunBy: row.begun_by,
    machine: row.machine,
    begunAt: row.begun_at.toISOString(),
    endedAt: isoOrNull(row.ended_at),
    file: row.file,
    bytes: numberOrNull(row.bytes),
    rows: numberOrNull(row.row_count),
    asOf: isoOrNull(row.as_of),
    newestEntryAt: isoOrNull(row.newest_entry_at),
    recoveryPoint: numberOrNull(row.recovery_point),
    recoveryTime: numberOrNull(row.recovery_time),
    failure: row.failure,
    findings: [...row.findings],
  }
}

async function loadMessages(db: Kysely<DB>): Promise<Upkeep['messages']> {
  const counts = Map.groupBy(await countMessages(db), ({ lane }) => lane)
  const failed = await listFailedMessages(db, SHOWN)
  const countOf = (lane: string, wanted: 'queued' | 'failed') =>
    counts.get(lane)?.find(({ state }) => state === wanted)?.count ?? 0
  return {
    lanes: [...counts.keys()].map((lane) => ({
      lane,
      queued: countOf(lane, 'queued'),
      failed: countOf(lane, 'failed'),
    })),
    failed: failed.map((row) => ({
      id: row.id,
      lane: row.lane,
      queuedAt: row.queued_at.toISOString(),
      attempts: row.attempts,
      trouble: row.trouble,
      customerNumber: row.customer_number,
    })),
  }
}

async function loadTasks(db: Kysely<DB>, now: Date): Promise<Upkeep['tasks']> {
  const tasks = await listTasksInNeed(db, new Date(now.getTime() - FAILED_TASKS_SHOWN), SHOWN)
  const jobs = await findJobState(db, now)
  return {
    tasks: tasks.map((row) => ({
      customerNumber: row.customer_number,
      accountName: row.account_name,
      id: row.id,
      kind: row.kind,
      state: row.state as 'waiting' | 'running' | 'failed',
      fileName: row.file_name,
      requestedBy: row.requested_by,
      requestedAt: row.requested_at.toISOString(),
      finishedAt: isoOrNull(row.finished_at),
      done: row.done,
      total: row.total,
      failure: row.failure === null ? null : taskFailureText(row.failure, 'export'),
    })),
    lateJobs: jobs.late,
    failedJobs: jobs.failed,
  }
}

async function loadIngest(db: Kysely<DB>, now: Date): Promise<Upkeep['ingest']> {
  const { newestAt, lateCount, late } = await findUsageArrivals(db, lateArrivals(now), SHOWN)
  return {
    newestAt: isoOrNull(newestAt),
    lateCount,
    late: late.map(({ customer_number, account_name, device_id, usage_arrived_at }) => ({
      customerNumber: customer_number,
      accountName: account_name,
      serverId: device_id,
      arrivedAt: usage_arrived_at.toISOString(),
    })),
  }
}

async function loadLocks(db: Kysely<DB>, now: Date): Promise<Upkeep['locks']> {
  const locks = await listAllPinLocks(db, now, SHOWN)
  return locks.map(({ customer_number, account_name, server_id, external_ip, failures, until }) => ({
    customerNumber: customer_number,
    accountName: account_name,
    serverId: server_id,
    externalIp: external_ip,
    failures,
    until: until.toISOString(),
  }))
}

async function loadStatements(db: Kysely<DB>): Promise<Upkeep['statements']> {
  const measured = await listServerStatements(db, SHOWN_STATEMENTS)
  if (measured) return { source: 'pg_stat_statements', statements: measured }
  const processes = await listProcesses(db)
  return { source: 'portal', statements: joined(processes.flatMap(({ slow_statements }) => slow_statements)) }
}

/** What several processes have measured of the same statement. */
function joined(measured: readonly SlowStatement[]): SlowStatement[] {
  const statements = [...Map.groupBy(measured, ({ text }) => text)].map(([text, same]) => {
    const calls = same.reduce((sum, one) => sum + one.calls, 0)
    const total = same.reduce((sum, one) => sum + one.calls * one.meanMilliseconds, 0)
    const maxMilliseconds = Math.max(...same.map((one) => one.maxMilliseconds))
    return { text, calls, meanMilliseconds: Math.round(total / calls), maxMilliseconds }
  })
  return statements.sort((one, other) => other.meanMilliseconds - one.meanMilliseconds).slice(0, SHOWN_STATEMENTS)
}

async function loadProcesses(db: Kysely<DB>): Promise<Upkeep['processes']> {
  const processes = await listProcesses(db)
  return processes.map(({ id, machine, pid, version, state, started_at, seen_at }) => ({
    id,
    machine,
    pid,
    version,
    state,
    startedAt: started_at.toISOString(),
    seenAt: seen_at.toISOString(),
  }))
}
