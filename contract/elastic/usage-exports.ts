import { Type } from 'typebox'
import { usageScope } from '#contract/elastic/usage-list.ts'
import { exportBody } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { Task } from '#contract/tasks/tasks.ts'

/** The kind of the task that exports usage. The operations of tasks list it, answer its file and delete it. */
export const USAGE_EXPORT = 'usage-export'

export const startUsageExport = operation({
  name: 'fetchUsage/exports/start',
  method: 'POST',
  path: '/api/fetchUsage/exports',
  summary:
    'Begin a background export of everything that matches, or answer the same export if the caller has it already: waiting, running, or ready with no usage received since',
  module: 'elastic',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  writes: true,
  body: exportBody(usageScope),
  data: Task,
  extraFields: { reused: Type.Boolean({ description: 'The export was there already; nothing was begun' }) },
})
