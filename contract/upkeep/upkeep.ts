import { type Static, type TSchema, Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'

const Instant = Type.String({ format: 'date-time' })
const orNull = <const T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Count = Type.Integer({ minimum: 0 })
const Account = { customerNumber: Type.String(), accountName: Type.String() }
/** A part that cannot be read, because a node does not answer or takes too long, leaves the others as they are. */
const part = <const T extends TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()], { description: 'Null if it could not be read' })

const Run = Type.Object({
  id: Type.String(),
  state: Type.Enum(['running', 'done', 'failed']),
  begunBy: Type.String({ examples: ['operator', 'olivia.ops@vendor.example'] }),
  machine: Type.String(),
  begunAt: Instant,
  endedAt: orNull(Instant),
  file: orNull(Type.String()),
  bytes: orNull(Count),
  rows: orNull(Count),
  asOf: Type.Union([Instant, Type.Null()], { description: 'The instant of the backup' }),
  newestEntryAt: Type.Union([Instant, Type.Null()], { description: 'The newest audit entry in the restored backup' }),
  recoveryPoint: Type.Union([Type.Integer(), Type.Null()], {
    description: 'RPO in milliseconds: the age of the backup when the drill began',
  }),
  recoveryTime: Type.Union([Type.Integer(), Type.Null()], {
    description: 'RTO in milliseconds: how long the restore and its checks took',
  }),
  failure: orNull(Type.String()),
  findings: Type.Array(
    Type.Object({
      check: Type.String(),
      level: Type.Enum(['ok', 'warning', 'failed']),
      text: Type.String(),
      advice: Type.Optional(Type.String()),
    }),
  ),
})
export type RecoveryRun = Static<typeof Run>

const Runs = Type.Object({
  schedule: Type.Union([Type.String(), Type.Null()], { description: 'In UTC', examples: ['02:15', 'Sun 04:15'] }),
  nextAt: orNull(Instant),
  isLate: Type.Boolean(),
  lastSuccess: orNull(Run),
  runs: Type.Array(Run, { description: 'The newest first' }),
})
export type RecoveryRuns = Static<typeof Runs>

const FailedMessage = Type.Object({
  id: Type.String({ format: 'uuid' }),
  lane: Type.String({ examples: ['mail'] }),
  queuedAt: Instant,
  attempts: Count,
  trouble: Type.String(),
  customerNumber: orNull(Type.String()),
})

const Task = Type.Object({
  ...Account,
  id: Type.String({ format: 'uuid' }),
  kind: Type.String(),
  state: Type.Enum(['waiting', 'running', 'failed']),
  fileName: Type.String(),
  requestedBy: Type.String(),
  requestedAt: Instant,
  finishedAt: orNull(Instant),
  done: Count,
  total: orNull(Count),
  failure: orNull(Type.String()),
})

const Upkeep = Type.Object({
  backups: part(Runs),
  drills: part(Runs),
  messages: part(
    Type.Object({
      lanes: Type.Array(Type.Object({ lane: Type.String(), queued: Count, failed: Count })),
      failed: Type.Array(FailedMessage, { description: 'The newest first, at most 50' }),
    }),
  ),
  tasks: part(
    Type.Object({
      tasks: Type.Array(Task, { description: 'Waiting, running, and failed within 7 days' }),
      lateJobs: Type.Array(Type.String(), { description: 'Queues whose jobs nobody has taken for an hour' }),
      failedJobs: Type.Array(Type.String(), { description: 'Queues of which a job gave up within a day' }),
    }),
  ),
  ingest: part(
    Type.Object({
      newestAt: orNull(Instant),
      lateCount: Count,
      late: Type.Array(Type.Object({ ...Account, serverId: Type.String(), arrivedAt: Instant }), {
        description:
          'Elastic license servers that have been silent for a day or more, the most recent first, at most 50',
      }),
    }),
  ),
  locks: part(
    Type.Array(
      Type.Object({
        ...Account,
        serverId: Type.String(),
        externalIp: Type.String(),
        failures: Count,
        until: Instant,
      }),
    ),
  ),
  partitions: part(
    Type.Object({
      months: Type.Array(
        Type.Object({
          month: Type.String({ examples: ['2026-11'] }),
          state: Type.Enum(['ready', 'missing', 'archived']),
        }),
        { description: 'The newest first: this month, the next one, and all that there are' },
      ),
    }),
  ),
  statements: part(
    Type.Object({
      source: Type.Enum(['pg_stat_statements', 'portal'], {
        description: 'Without pg_stat_statements: what the running processes have measured',
      }),
      statements: Type.Array(
        Type.Object({
          text: Type.String(),
          calls: Count,
          meanMilliseconds: Type.Number(),
          maxMilliseconds: Type.Number(),
        }),
        { description: 'The slowest on average first' },
      ),
    }),
  ),
  processes: part(
    Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        machine: Type.String(),
        pid: Count,
        version: Type.String(),
        state: Type.Enum(['ready', 'draining']),
        startedAt: Instant,
        seenAt: Instant,
      }),
    ),
  ),
  nodes: part(
    Type.Array(
      Type.Object({
        name: Type.String({ examples: ['worker-1:5432'] }),
        answers: Type.Boolean(),
        accountCount: Count,
        accounts: Type.Array(Type.Object(Account), { description: 'By number, at most 50' }),
      }),
      { description: 'Workers of a distributed database, with the accounts of those that do not answer' },
    ),
  ),
})
export type Upkeep = Static<typeof Upkeep>

export const getUpkeep = operation({
  name: 'upkeep',
  summary:
    'The state of the installation for operators: backups, drills, messages, tasks, usage, locks, partitions, statements, processes, nodes',
  module: 'upkeep',
  access: { kind: 'portal', action: 'upkeep.read' },
  token: null,
  writes: false,
  data: Upkeep,
})
