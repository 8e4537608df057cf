import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { startUsageExport, USAGE_EXPORT } from '#contract/elastic/usage/usage-exports.ts'
import { deleteTask, downloadTask, getTask, listTasks, type Task } from '#contract/tasks/tasks.ts'
import { openPools } from '#server/db/database.ts'
import { NO_MEMORY } from '#server/identity/remembered-callers.ts'
import { signInTokens } from '#server/identity/sign-in-tokens.ts'
import { listEngine } from '#server/lists/list-engine.ts'
import { createLogThreads } from '#server/modules/license-use/logs/log-threads.ts'
import { createReads } from '#server/operations/reads.ts'
import type { Services } from '#server/services.ts'
import { jobQueue } from '#server/tasks/job-queue.ts'
import { pdfParts } from '#server/testing/pdf.ts'
import type { Portal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'
import { callTurns } from '#server/turns/call-turns.ts'

/** The arguments of a job, for tests that run one themselves. */
export function jobServices(portal: Portal): Services {
  const pools = openPools(portal.pool)
  const lists = listEngine({
    db: portal.db,
    preparedPool: portal.pool,
    secret: randomBytes(32),
    traffic: { begun: 0 },
  })
  const readParts = { lists, pools, callTurns: callTurns(pools) }
  return {
    ...portal,
    ...readParts,
    secrets: UNWRAPPED,
    findTexts: async () => [],
    jobs: jobQueue(portal, portal.app.log),
    ...pdfParts(),
    logThreads: createLogThreads(),
    reads: createReads({ ...portal, ...readParts, replica: undefined }),
    signInTokens: signInTokens(randomBytes(32)),
    claimRoles: undefined,
    callers: NO_MEMORY,
  }
}

export type ExportsAs = Awaited<ReturnType<typeof exportsAs>>

/** The background exports of usage of one person on one account, through the API. */
export async function exportsAs(portal: Portal, email: string, customerNumber: string) {
  const call = await portal.as(email)
  const query = { customerNumber }
  const exports = {
    request(body: object = {}) {
      portal.clock.forward(1000)
      return call(startUsageExport, { body: { customerNumber, ...body } })
    },
    async start(body: object = {}): Promise<Task> {
      const answer = await exports.request(body)
      expect(answer.body).toMatchObject({ status: 'SUCCESS' })
      return answer.body.data as Task
    },
    async status(id: string): Promise<Task> {
      return (await call(getTask, { params: { id }, query })).body.data as Task
    },
    async finish(id: string): Promise<Task> {
      const isOver = async () => ['ready', 'failed'].includes((await exports.status(id)).state)
      await until(isOver, `export ${id} never ends`)
      return exports.status(id)
    },
    async list(): Promise<Task[]> {
      return (await call(listTasks, { query: { ...query, kind: USAGE_EXPORT } })).body.data as Task[]
    },
    download: (id: string) => call(downloadTask, { params: { id }, query }),
    delete: (id: string) => call(deleteTask, { params: { id }, query }),
    /** The pieces of the file, of any attempt. */
    pieces: (id: string) =>
      portal.db.selectFrom('task_piece').select(['attempt', 'number']).where('task_id', '=', id).execute(),
  }
  return exports
}

let made = 0
/** A filter that no other request has, and that every transaction matches. */
export function uniqueFilter() {
  const value = `nobody ${made++}`
  return { condition: 'ALL', criteria: [{ name: 'User', method: 'EQUALS', value, not: true }] }
}
