import type { Generated } from 'kysely'
import type { TaskFailure, TaskState } from '#domain/tasks/task.ts'
import type { Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type TasksRows = {
  background_task: {
    customer_number: string
    id: Generated<string>
    kind: string
    requested_by: string
    request: Json<object>
    file_name: string
    state: Generated<TaskState>
    total: number | null
    done: Generated<number>
    bytes: Generated<string>
    requested_at: Date
    finished_at: Date | null
    kept_until: Date | null
    request_key: Buffer | null
    as_of: string | null
    failure: TaskFailure | null
    downloaded_at: Date | null
    attempt: Generated<number>
    deaths: Generated<number>
  }
  task_piece: {
    customer_number: string
    task_id: string
    attempt: number
    number: number
    bytes: Buffer
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends TasksRows {}
}

export const tasksTables: Tables<TasksRows> = {
  owns: ['background_task', 'task_piece'],
  reads: { account: 'A task runs in the time zone of its account.' },
}
