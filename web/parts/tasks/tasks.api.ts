import { queryOptions } from '@tanstack/react-query'
import type { Task } from '#contract/tasks/tasks.ts'
import { call, fileAddress } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'

const POLL_INTERVAL = 1000

/** The caller's tasks on all accounts, polled every second while one of them is waiting or running. */
export const tasksQuery = queryOptions({
  ...query('tasks', { query: {} }),
  refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? POLL_INTERVAL : false),
})

export function isUnfinished({ state }: Task): boolean {
  return state === 'waiting' || state === 'running'
}

/** Cancels a task that is waiting or running; deletes a finished one with its file. */
export function removeTask({ id, customerNumber }: Task): Promise<null> {
  return call('tasks/delete', { params: { id }, query: { customerNumber } })
}

export function taskFileAddress({ id, customerNumber }: Task): string {
  return fileAddress('tasks/file', { params: { id }, query: { customerNumber } })
}
