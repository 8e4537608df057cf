import { type Static, Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly, requestFields } from '#contract/kit/schema.ts'
import { named } from '#domain/audit/words.ts'
import { TASK_AREAS } from '#domain/tokens/token-areas.ts'

/** Work that continues after its request and ends in a file. */
export const Task = Type.Object({
  id: Type.String({ format: 'uuid' }),
  customerNumber: CustomerNumber,
  accountName: Type.String(),
  timeZone: Type.String({ description: 'Of the account: days in the request are whole days there' }),
  kind: Type.String({ examples: ['usage-export'] }),
  /** The request, in the form of the kind’s own start operation. */
  request: Type.Unknown(),
  requestedBy: Type.String({ description: 'Email of the person who started it' }),
  state: Type.Union([
    Type.Literal('waiting'),
    Type.Literal('running'),
    Type.Literal('ready'),
    Type.Literal('failed'),
    Type.Literal('expired'),
  ]),
  fileName: Type.String(),
  /** How much there is to do, in rows or in another unit of the kind; null until it is known. */
  total: Type.Union([Type.Integer(), Type.Null()]),
  done: Type.Integer(),
  /** The size of the file so far. */
  bytes: Type.Integer(),
  requestedAt: Type.String({ format: 'date-time' }),
  finishedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  /** Until when the file can be downloaded; null before it is ready. */
  keptUntil: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  /** When the file was last downloaded; null until then. */
  downloadedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  /** Why it failed, in words for the person who started it; null if it did not fail. */
  failure: Type.Union([Type.String(), Type.Null()]),
})
export type Task = Static<typeof Task>

const ofAccount = { customerNumber: CustomerNumber }
const oneTask = { params: exactly({ id: Type.String({ format: 'uuid' }) }), query: requestFields(ofAccount) }
/** Seeing the account is not enough: the right that the task's kind asks for is checked as well. */
const access = { kind: 'account', action: 'account.read', customerNumberIn: 'query' } as const

export const listTasks = operation({
  name: 'tasks',
  summary: 'The caller’s 50 newest background tasks, of one account or of all, the newest first',
  access: { ...access, optional: true },
  token: TASK_AREAS,
  writes: false,
  takesTurns: false,
  reportsWork: true,
  query: requestFields({
    customerNumber: Type.Optional(CustomerNumber),
    kind: Type.Optional(Type.String({ pattern: '^[a-z-]{1,50}$' })),
  }),
  data: Type.Array(Task),
})

export const getTask = operation({
  name: 'tasks/status',
  summary: 'The state and progress of a background task',
  access,
  token: TASK_AREAS,
  writes: false,
  takesTurns: false,
  reportsWork: true,
  background: true,
  ...oneTask,
  data: Task,
})

export const downloadTask = operation({
  name: 'tasks/file',
  summary: 'The finished file of a background task',
  access,
  token: TASK_AREAS,
  writes: false,
  audit: named(
    'Downloaded the file of a background task:',
    'download the file of a background task',
    'after',
    'fileName',
  ),
  takesTurns: false,
  ...oneTask,
  data: Type.Unknown(),
  media: 'application/octet-stream',
})

export const deleteTask = operation({
  name: 'tasks/delete',
  summary: 'Delete a background task and its file; one that is waiting or running is canceled',
  access,
  token: TASK_AREAS,
  writes: true,
  audit: named('Deleted a background task:', 'delete a background task', 'before', 'fileName'),
  ...oneTask,
  data: Type.Null(),
})
