import { operationsOf } from '#contract/kit/operations-of.ts'
import * as tasks from '#contract/tasks/tasks.ts'

export const tasksOperations = operationsOf(tasks)
