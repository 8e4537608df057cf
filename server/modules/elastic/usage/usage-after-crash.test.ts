import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endSession, startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { sendUsage } from '#contract/elastic/usage/send-usage.ts'
import { add, toFixedText } from '#domain/money/decimal.ts'
import type { World } from '#server/demo/demo-part.ts'
import { catalog } from '#server/demo/parts/catalog.demo.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { addMeteredAccount, bookedCharges, PRODUCT, sessionRequest } from '#server/testing/metering.ts'
import { type PortalProcess, startPortalProcess } from '#server/testing/portal-process.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { until } from '#server/testing/until.ts'
import { driftedDays } from '#server/testing/usage.ts'

/** The real portal in a separate process, killed without warning while usage arrives. */
const BATCHES = 12
const PER_BATCH = 200
const HOUR = 3_600_000

let database: Awaited<ReturnType<typeof freshDatabase>>
let headers: Record<string, string>
let portal: PortalProcess
beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  await db.transaction().execute((tx) => catalog.load(tx, {} as World))
  await addMeteredAccount(db, 'K1', { sold: [{ id: 'K1-1', units: 1_000_000 }] })
  headers = (await giveServiceKey({ db, clock: { now: () => new Date() } }, 'Crash')).headers
  portal = await startPortalProcess(database.connection)
})
afterAll(async () => {
  await portal.kill()
  await database.close()
})

async function post(path: string, body?: object) {
  const answer = await fetch(portal.origin + path, {
    method: 'POST',
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return (await answer.json()) as { status: string; data: { sessionId: string; charge: string } }
}

const ended = Date.now() - HOUR
const batch = (number: number) => ({
  transactions: Array.from({ length: PER_BATCH }, (_, at) => ({
    id: `tx-${number}-${at}`,
    serverId: 'server-K1',
    product: PRODUCT,
    productCount: 1,
    username: 'anna',
    host: 'ws1',
    startTime: new Date(ended - HOUR).toISOString(),
    endTime: new Date(ended).toISOString(),
  })),
})
const receipts = async () =>
  Number((await sql<{ n: string }>`select count(*) as n from usage_receipt`.execute(database.db)).rows[0]?.n)

test('nothing is lost or booked twice when the portal is killed while batches arrive, and a session goes on', async () => {
  const session = await post(startSession.path, sessionRequest('K1'))
  const answers = Array.from({ length: BATCHES }, (_, number) =>
    post(sendUsage.path, batch(number)).catch(() => 'lost'),
  )
  await until(async () => (await receipts()) > 0, 'no batch was booked')
  await portal.kill()
  const acknowledged = (await Promise.all(answers)).filter((answer) => answer !== 'lost').length
  expect(await receipts()).toBeGreaterThanOrEqual(acknowledged * PER_BATCH)
  expect(await driftedDays(database.db)).toEqual([])

  portal = await startPortalProcess(database.connection)
  for (let number = 0; number < BATCHES; number++)
    expect(await post(sendUsage.path, batch(number))).toMatchObject({ status: 'SUCCESS' })
  const sent = (BATCHES * PER_BATCH * 7.5).toFixed(2)
  expect(await bookedCharges(database.db, 'K1')).toEqual({ 'K1-1': sent })

  const end = endSession.path.replace(':sessionId', session.data.sessionId)
  const answer = await post(end)
  expect(answer.status).toBe('SUCCESS')
  expect(await post(end)).toEqual(answer)
  expect(await bookedCharges(database.db, 'K1')).toEqual({ 'K1-1': toFixedText(add(sent, answer.data.charge), 2) })
  expect(await driftedDays(database.db)).toEqual([])
})
