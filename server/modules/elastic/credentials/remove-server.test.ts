import { afterAll, beforeAll, expect, test } from 'vitest'
import { endSession, startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { type DataPortal, startDataPortal } from '#server/testing/data.ts'
import { addMeteredAccount, sessionRequest } from '#server/testing/metering.ts'

let portal: DataPortal
beforeAll(async () => {
  portal = await startDataPortal()
})
afterAll(() => portal.close())

const start = async (customerNumber: string, headers = {}) =>
  (await portal.call(startSession, { body: sessionRequest(customerNumber), headers })).body as {
    status: string
    code?: string
    data: { sessionId: string }
  }
const remove = async (customerNumber: string) => {
  const [line] = await portal.revoke('elastic-servers', [`server-${customerNumber}`])
  return line?.code ?? line?.result
}
const countRunning = async (customerNumber: string) =>
  (
    await portal.db
      .selectFrom('usage_transaction_running')
      .select('session_id')
      .where('customer_number', '=', customerNumber)
      .execute()
  ).length

test('a server with a running or finished session cannot be removed', async () => {
  await addMeteredAccount(portal.db, 'V1')
  const { data } = await start('V1')
  expect(await remove('V1')).toBe('IN_USE')
  await portal.call(endSession, { params: { sessionId: data.sessionId } })
  expect(await remove('V1')).toBe('IN_USE')
})

test('of a start and a removal at the same time, one succeeds', async () => {
  const accounts = Array.from({ length: 8 }, (_, at) => `V2-${at}`)
  for (const account of accounts) await addMeteredAccount(portal.db, account)
  await Promise.all(
    accounts.map(async (account, at) => {
      // Every second start runs in the transaction of its call.
      const headers = at % 2 ? { 'idempotency-key': `start-${account}` } : {}
      const [started, removed] = await Promise.all([start(account, headers), remove(account)])
      const isStarted = started.status === 'SUCCESS'
      expect([started.code, removed]).toEqual(isStarted ? [undefined, 'IN_USE'] : ['WRONG_PIN', 'removed'])
      expect(await countRunning(account)).toBe(isStarted ? 1 : 0)
    }),
  )
})
