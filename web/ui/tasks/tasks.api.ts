import { queryOptions } from '@tanstack/react-query'
import { deleteTask, downloadTask, listTasks, type Task } from '#contract/tasks/tasks.ts'
import { call, fileAddress } from '#web/lib/api-client.ts'

const POLL_INTERVAL = 1000

/** The caller's tasks of one kind, polled every second while one of them waits or runs. */
export function tasksQuery(customerNumber: string, kind: string) {
  return queryOptions({
    queryKey: ['tasks', customerNumber, kind],
    queryFn: ({ signal }) => call(listTasks, { query: { customerNumber, kind }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? POLL_INTERVAL : false),
  })
}

export function isUnfinished({ state }: Task): boolean {
  return state === 'waiting' || state === 'running'
}

/** Cancels a task that waits or runs; deletes a finished one with its file. */
export function removeTask(customerNumber: string, { id }: Task): Promise<null> {
  return call(deleteTask, { params: { id }, query: { customerNumber } })
}

export function taskFileAddress(customerNumber: string, { id }: Task): string {
  return fileAddress(downloadTask, { params: { id }, query: { customerNumber } })
}
