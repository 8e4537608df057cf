import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FeatureUse, getLicenseUse, saveLicenseUseSettings } from '#contract/license-use/license-use.ts'
import { sendObservations } from '#contract/license-use/observations.ts'
import { uploadLogPart } from '#contract/license-use/uploads.ts'
import { saveWebhook } from '#contract/webhooks/webhooks.ts'
import { ADA } from '#server/testing/activations.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

const customerNumber = '100001'
const SERVER = '3cecef4b7d10'
/** Says so in bytes, too, wherever it is cut. */
const NAME = 'quincyraw'
let portal: Portal
let ada: Awaited<ReturnType<Portal['as']>>
let day: string
let usDay: string
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  day = portal.clock.now().toISOString().slice(0, 10)
  const [year, month, date] = day.split('-').map(Number)
  usDay = `${month}/${date}/${year}`
})
afterAll(() => portal.close())

/** The tables in which a row has the name, as text or as bytes. */
async function listTablesThatName(name: string): Promise<string[]> {
  const { rows: tables } = await sql<{ table: string }>`
    select format('%I.%I', n.nspname, c.relname) as table from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema' order by 1`.execute(
    portal.db,
  )
  const found: string[] = []
  for (const { table } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.raw(table)} t
       where lower(t::text) like ${`%${name}%`} or t::text like ${`%${Buffer.from(name).toString('hex')}%`}`.execute(
      portal.db,
    )
    if (rows[0]?.count) found.push(table)
  }
  return found
}

const send = (observations: readonly object[]) =>
  ada(sendObservations, { body: { customerNumber, serverId: SERVER, observations } })

const out = (time: string, feature: string, end = '\n') => `${time} (sim) OUT: "${feature}" ${NAME}@pc  ${end}`

/** Everything that names a user, in all places where it may wait. Returns what goes on with a line that is cut. */
async function report(feature: string) {
  const stamp = `1:00:00 (lmgrd) TIMESTAMP ${usDay}\n`
  const read = `${stamp}${out('1:00:01', feature)}1:00:02 (sim) DENIED: "${feature}" ${NAME}@pc  (Licensed number of users already reached. (-4,342))\n`
  const weekday = portal.clock.now().toUTCString().slice(0, 3)
  const lmstat = [
    `Flexible License Manager status on ${weekday} ${usDay} 2:00`,
    'License server status: 1055@lic-1',
    'lic-1: license server UP (MASTER) v11.19.6',
    `Users of ${feature}:  (Total of 5 licenses issued;  Total of 1 license in use)`,
    `  "${feature}" v26.1, vendor: sim, expiry: 31-dec-2030`,
    '  floating license',
    `    ${NAME} pc :0 (v26.1) (lic-1/1055 1), start ${weekday} ${usDay.slice(0, -5)} 1:00`,
    '',
  ].join('\n')
  const cut = out('1:00:03', feature, '')
  const first = `${read}${cut}`
  await send([{ text: lmstat }, { file: `${feature} read`, position: 0, text: first }])
  await send([{ file: `${feature} waits`, position: stamp.length, text: `${out('1:00:05', feature)}${cut}` }])
  await send([{ file: `${feature} undated`, position: 0, text: out('1:00:06', feature).repeat(2) }])
  const file = Buffer.from(read)
  await ada(uploadLogPart, { body: { customerNumber, uploadId: randomUUID(), position: '0', file } })
  const later = `${stamp}${out('1:00:07', feature)}${cut}`
  await send([{ file: `${feature} later`, position: 0, text: later }])
  return { file: `${feature} later`, position: later.length, text: '\n' }
}

test('no table names a user in the open once pseudonyms are on, neither what was there before nor what arrives later', async () => {
  const events = ['license_server.denied']
  await ada(saveWebhook, { body: { customerNumber, url: 'https://hooks.example.com/denied', events } })
  const next = [await report('before')]
  expect(await listTablesThatName(NAME)).toContain('public.webhook_delivery')
  const settings = { hasPseudonyms: true, keptDays: 400 }
  expect((await ada(saveLicenseUseSettings, { body: { customerNumber, settings, revision: 0 } })).status).toBe(200)
  let left: string[] = []
  await until(
    async () => {
      left = await listTablesThatName(NAME)
      return left.length === 0
    },
    'tables name users',
    20_000,
  ).catch(() => {})
  expect(left).toEqual([])
  next.push(await report('after'))
  expect(await listTablesThatName(NAME)).toEqual([])
  await send(next)
  for (const feature of ['before', 'after'])
    await send([{ file: `${feature} waits`, position: 0, text: `1:00:00 (lmgrd) TIMESTAMP ${usDay}\n` }])
  const { body } = await ada(getLicenseUse, { body: { customerNumber, serverId: SERVER, from: day, to: day } })
  const { features } = body.data as { features: FeatureUse[] }
  // The first, the one that waited, and two of the last log, of which one was cut.
  for (const feature of ['before', 'after'])
    expect(features.find((row) => row.feature === feature)).toMatchObject({ checkouts: 4 })
  expect(await listTablesThatName(NAME)).toEqual([])
})
