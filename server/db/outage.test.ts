import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { openDatabase } from '#server/db/database.ts'
import { openPortalDatabase, ownCluster } from '#server/testing/load/own-cluster.ts'
import { signIn, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'
import { usedDataDirectory } from '#server/testing/walkable-directory.ts'

test('an outage of the database writes one line when it begins and one when it ends', async () => {
  const cluster = await ownCluster(usedDataDirectory('outage'))
  await cluster.start()
  await openPortalDatabase(cluster.connection)
  const database = { ...openDatabase(cluster.connection), connection: cluster.connection, close: async () => {} }
  const lines: { level: number; msg: string; errors?: number }[] = []
  const logStream = { write: (line: string) => lines.push(JSON.parse(line)) }
  const portal = await startPortal({ LOG_LEVEL: 'info' }, { logStream }, database)
  onTestFinished(async () => {
    await portal.app.close()
    await database.db.destroy()
  })
  const cookie = await signIn(portal.app, 'ada.admin@aerodyne.example')
  const call = () => portal.app.inject({ url: getUserDetails.path, headers: { cookie } })
  expect((await call()).statusCode).toBe(200)
  const faults = () => lines.filter(({ msg }) => msg !== 'request')
  lines.length = 0

  await cluster.kill()
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await call()).statusCode))
  expect(statuses).toEqual(Array(20).fill(503))
  await until(() => faults().length > 0, 'the outage has no line')
  // The loops of the portal look at the database every second.
  await sleep(3_000)
  expect(faults()).toMatchObject([{ level: 50, msg: 'the database does not answer' }])

  await cluster.start()
  await until(() => faults().length > 1, 'the end of the outage has no line')
  expect((await call()).statusCode).toBe(200)
  expect(faults()).toMatchObject([{}, { level: 30, msg: 'the database answers again' }])
  expect(faults()[1]?.errors).toBeGreaterThan(20)
})

test('a single lost connection keeps its own line', async () => {
  const lines: { msg: string; err?: { message: string } }[] = []
  const portal = await startPortal(
    { LOG_LEVEL: 'info' },
    { logStream: { write: (line) => lines.push(JSON.parse(line)) } },
  )
  onTestFinished(() => portal.close())
  portal.app.log.error({ err: new Error('Connection terminated unexpectedly') }, 'request failed')
  await until(() => lines.some(({ msg }) => msg === 'request failed'), 'the line is missing')
  expect(lines.map(({ msg }) => msg)).not.toContain('the database does not answer')
})
