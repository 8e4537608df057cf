import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { expect } from 'vitest'
import {
  deleteUsageExport,
  downloadUsageExport,
  getUsageExport,
  listUsageExports,
  startUsageExport,
  type UsageExport,
} from '#contract/elastic/usage-exports.ts'
import { openPools } from '#server/db/database.ts'
import { jobQueue } from '#server/jobs/job-queue.ts'
import { listCalls } from '#server/lists/list-calls.ts'
import { listEngine } from '#server/lists/list-engine.ts'
import type { Services } from '#server/services.ts'
import { NO_MEMORY } from '#server/session/remembered-callers.ts'
import { sessionTokens } from '#server/session/session-tokens.ts'
import type { Portal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

/** What a job is handed, for tests that run one themselves. */
export function jobServices(portal: Portal): Services {
  const pools = openPools(portal.pool)
  return {
    ...portal,
    jobs: jobQueue(portal.db, portal.app.log),
    lists: listEngine({
      db: portal.db,
      preparedPool: portal.pool,
      secret: randomBytes(32),
      traffic: { begun: 0 },
    }),
    listCalls: listCalls(pools),
    pools,
    sessionTokens: sessionTokens(randomBytes(32)),
    claimRoles: undefined,
    callers: NO_MEMORY,
  }
}

export type ExportsOf = Awaited<ReturnType<typeof exportsOf>>

/** The background exports of one person on one account, through the API. */
export async function exportsOf(portal: Portal, email: string, customerNumber: string) {
  const call = await portal.as(email)
  const query = { customerNumber }
  const exports = {
    request(body: object = {}) {
      portal.clock.forward(1000)
      return call(startUsageExport, { body: { customerNumber, ...body } })
    },
    async start(body: object = {}): Promise<UsageExport> {
      const answer = await exports.request(body)
      expect(answer.body).toMatchObject({ status: 'SUCCESS' })
      return answer.body.data as UsageExport
    },
    async status(id: string): Promise<UsageExport> {
      return (await call(getUsageExport, { params: { id }, query })).body.data as UsageExport
    },
    async finish(id: string): Promise<UsageExport> {
      const isOver = async () => ['ready', 'failed'].includes((await exports.status(id)).state)
      await until(isOver, `export ${id} never ends`)
      return exports.status(id)
    },
    async list(): Promise<UsageExport[]> {
      return (await call(listUsageExports, { query })).body.data as UsageExport[]
    },
    download: (id: string) => call(downloadUsageExport, { params: { id }, query }),
    delete: (id: string) => call(deleteUsageExport, { params: { id }, query }),
    file: (id: string) => path.join(portal.config.dataDir, 'exports', `${id}.csv`),
  }
  return exports
}

let made = 0
/** A filter that no other request has, and that every transaction passes. */
export function uniqueFilter() {
  const value = `nobody ${made++}`
  return { condition: 'ALL', criteria: [{ name: 'User', method: 'EQUALS', value, not: true }] }
}
