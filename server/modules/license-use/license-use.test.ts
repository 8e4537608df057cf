import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LicenseDenial, licenseDenialList } from '#contract/license-use/denials.ts'
import {
  exportLicenseUse,
  type FeatureUse,
  type FreeSeats,
  getFeatureUse,
  getFreeSeats,
  getLicenseUse,
  getLicenseUsePdf,
  getLicenseUseSettings,
  getServiceFreeSeats,
  type HostReport,
  saveLicenseUseSettings,
} from '#contract/license-use/license-use.ts'
import { type LicenseLog, licenseLogList } from '#contract/license-use/logs.ts'
import { sendObservations, sendServiceObservations } from '#contract/license-use/observations.ts'
import { startLogUpload, uploadLogPart } from '#contract/license-use/uploads.ts'
import { downloadTask, getTask, type Task } from '#contract/tasks/tasks.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { replay } from '#domain/planner/what-if.ts'
import { withPartitions } from '#server/db/missing-partition-error.ts'
import type { DB } from '#server/db/schema.ts'
import { licenseUseJobs } from '#server/modules/license-use/license-use.jobs.ts'
import {
  listFeaturesOfProducts,
  listMeasuredFeatures,
  listMeasuredIntervals,
} from '#server/modules/license-use/license-use.public.ts'
import { insertLog } from '#server/modules/license-use/logs/log.queries.ts'
import { createLogThreads } from '#server/modules/license-use/logs/log-threads.ts'
import { lockHost, readLogPart, sumUnsummed } from '#server/modules/license-use/logs/read-log-part.ts'
import { findOverlap } from '#server/modules/license-use/logs/repeated.queries.ts'
import { storeObservations } from '#server/modules/license-use/logs/store-observations.ts'
import { loadUnreadSeal } from '#server/modules/license-use/logs/unread-bytes.seal.ts'
import { deleteEventsBefore } from '#server/modules/license-use/settings.queries.ts'
import type { Services } from '#server/services.ts'
import { jobQueue } from '#server/tasks/job-queue.ts'
import type { JobSender } from '#server/tasks/job-sender.ts'
import { ADA, GRETA, VIC } from '#server/testing/activations.ts'
import { type Answer, type Portal, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { until } from '#server/testing/until.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

const CUSTOMER = '100001'
const MEANS = { secrets: UNWRAPPED, logThreads: createLogThreads(), jobs: null }
const MAIN = '3cecef4b7d10'
let portal: Portal
let ada: Awaited<ReturnType<Portal['as']>>
let day: string
let usDay: string
let weekday: string
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  day = portal.clock.now().toISOString().slice(0, 10)
  const [year, month, date] = day.split('-').map(Number)
  usDay = `${month}/${date}/${year}`
  weekday = portal.clock.now().toUTCString().slice(0, 3)
})
afterAll(async () => {
  await MEANS.logThreads.close()
  await portal.close()
})

const about = (serverId = MAIN) => ({ customerNumber: CUSTOMER, serverId })
async function send(observations: readonly object[], serverId = MAIN) {
  return ada(sendObservations, { body: { ...about(serverId), observations } })
}
async function report(serverId = MAIN) {
  const { body } = await ada(getLicenseUse, { body: { ...about(serverId), from: day, to: day } })
  return body.data as { features: FeatureUse[]; hosts: HostReport[] }
}
const featureOf = async (feature: string, serverId = MAIN) =>
  (await report(serverId)).features.find((row) => row.feature === feature)
const detail = async (feature: string, serverId = MAIN) =>
  (await ada(getFeatureUse, { body: { ...about(serverId), feature, from: day, to: day } })).body.data as {
    heat: { hour: number; peak: number }[]
    days: { day: string; seats: number | null }[]
    course: { hour: number; peak: number; average: number; seats: number | null }[]
    users: { name: string; seatHours: number }[]
    holders: { user: string; since: string; kind: string }[]
    feeds: unknown[]
    removedBefore: string | null
  }

async function denialsOf(feature: string) {
  const criteria = [{ name: 'feature', method: 'EQUALS', value: feature }]
  const body = { customerNumber: CUSTOMER, from: day, to: day, filter: { condition: 'ALL', criteria } }
  const answer = await ada(licenseDenialList.page, { body })
  expect(answer.status).toBe(200)
  const rows = answer.body.data as LicenseDenial[]
  expect((await ada(licenseDenialList.count, { body })).body.data).toBe(rows.length)
  return rows.map(({ time, user, meaning, causeText, code }) => [time, user, meaning, causeText, code])
}

const FULL = '(Licensed number of users already reached. (-4,342))'
const log = (feature: string) =>
  [
    `1:00:00 (lmgrd) TIMESTAMP ${usDay}`,
    `1:00:00 (ansyslmd) OUT: "${feature}" ann@pc1  (2 licenses)`,
    `1:30:00 (ansyslmd) OUT: "${feature}" bob@pc2  `,
    `1:40:00 (ansyslmd) DENIED: "${feature}" cid@pc3  ${FULL}`,
    `1:40:20 (ansyslmd) DENIED: "${feature}" cid@pc3  ${FULL}`,
    `2:15:00 (ansyslmd) IN: "${feature}" ann@pc1  (2 licenses)`,
    `2:20:00 (ansyslmd) DENIED: "${feature}" dan@pc4  ${FULL}`,
    `2:20:30 (ansyslmd) OUT: "${feature}" dan@pc4  `,
    `3:00:00 (ansyslmd) OUT: "${feature} `,
    `3:30:00 (lmgrd) TIMESTAMP ${usDay}`,
    '',
  ].join('\n')

/** Parts of equal length: lines and numbers are cut anywhere. */
const partsOf = (text: string, file: string, size = 97) => {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => ({
    file,
    position: index * size,
    text: bytes.subarray(index * size, (index + 1) * size).toString(),
  }))
}

describe('a debug log', () => {
  test('is stored once, and shows peaks, seat hours, denials and holders', async () => {
    expect((await send([{ text: log('first') }])).body).toMatchObject({
      status: 'SUCCESS',
      data: [{ kind: 'log', outcome: 'stored', unreadLines: 1 }],
    })
    expect((await send([{ text: log('first') }])).body.data).toMatchObject([{ kind: 'log', outcome: 'known' }])
    const row = await featureOf('first')
    // ann holds 2 seats for 1.25 hours, bob 1 for 2 hours, dan 1 for 1 hour 9.5 minutes up to the last line.
    expect(row).toMatchObject({ peak: 3, checkouts: 3, denials: 3, realDenials: 1, inUse: 2, seatHours: 5.66 })
    const { hosts } = await report()
    expect(hosts[0]).toMatchObject({
      unreadLines: 1,
      logs: [{ lines: 10, problems: [{ line: 9, code: 'unreadable-event' }] }],
    })
    const { course, users, holders } = await detail('first')
    expect(course).toMatchObject([
      { hour: 1, peak: 3, average: 2.5 },
      { hour: 2, peak: 3 },
      { hour: 3, peak: 2 },
    ])
    expect(users.map(({ name }) => name)).toEqual(['ann', 'bob', 'dan', 'cid'])
    expect(holders).toMatchObject([
      { user: 'bob', kind: 'in use', since: `${day} 01:30` },
      { user: 'dan', kind: 'in use', since: `${day} 02:20` },
    ])
    expect(await denialsOf('first')).toEqual([
      [`${day} 02:20:00`, 'dan', 'Got a seat', 'All seats taken', -4],
      [`${day} 01:40:20`, 'cid', 'Retry', 'All seats taken', -4],
      [`${day} 01:40:00`, 'cid', 'Denial (no seat within a minute)', 'All seats taken', -4],
    ])
  })

  test('that has grown is read on from where it was', async () => {
    const text = `${log('first')}4:00:00 (ansyslmd) IN: "first" bob@pc2  \n`
    expect((await send([{ text }])).body.data).toMatchObject([{ outcome: 'stored' }])
    expect(await featureOf('first')).toMatchObject({ peak: 3, checkouts: 3, inUse: 1 })
  })

  test('gives the same sums in whatever order its parts arrive, and however often', async () => {
    const parts = partsOf(log('parts'), 'parts.log')
    const shuffled = parts.toSorted((one, other) => ((one.position * 7919) % 101) - ((other.position * 7919) % 101))
    const server = '1a2b3c4d'
    const first = await send(shuffled.slice(0, 3), server)
    expect(first.status).toBe(200)
    for (const part of [...shuffled.slice(3), ...parts]) expect((await send([part], server)).status).toBe(200)
    const { seatHours, peak, realDenials, checkouts } = (await featureOf('parts', server))!
    expect({ seatHours, peak, realDenials, checkouts }).toEqual({
      seatHours: 5.66,
      peak: 3,
      realDenials: 1,
      checkouts: 3,
    })
    const repeated = await send([parts[1]!], server)
    expect(repeated.body.data).toMatchObject([{ outcome: 'known' }])
    const other = await send([{ ...parts[1]!, text: 'something else' }], server)
    expect(other.body.data).toMatchObject([{ outcome: 'conflict' }])
  })

  test('that is rotated goes on in the next file, also if that arrives first', async () => {
    const server = '9-77e0d1f5'
    const before = `5:00:00 (lmgrd) TIMESTAMP ${usDay}\n5:00:00 (sim) OUT: "rotated" ann@pc  \n5:10:00 (sim) OUT: "rotated" bob@pc  \n`
    const after = `6:00:00 (lmgrd) TIMESTAMP ${usDay}\n6:00:10 (sim) IN: "rotated" ann@pc  \n6:10:00 (sim) OUT: "rotated" ann@pc  \n6:20:00 (lmgrd) TIMESTAMP ${usDay}\n`
    await send([{ file: 'b', position: 0, text: after }], server)
    await send([{ file: 'a', position: 0, text: before }], server)
    const row = await featureOf('rotated', server)
    expect(row).toMatchObject({ peak: 2, checkouts: 3, inUse: 2 })
    // ann: 1:00:10 and 0:10, bob: 1:10.
    expect(row?.seatHours).toBe(2.34)
  })

  test('is one of a list that can be paged, and the newest 20 are in the report', async () => {
    const host = await addHost('0a1b2c3d4e15', 'lic-many')
    for (let number = 0; number < 25; number += 1)
      await send(
        [{ file: `log ${number}`, position: 0, text: `9:00:00 (lmgrd) TIMESTAMP ${usDay}\n9:00:01 (sim) OUT: \n` }],
        host,
      )
    const { hosts } = await report(host)
    expect(hosts).toMatchObject([{ lines: 50, unreadLines: 25 }])
    expect(hosts[0]?.logs.map(({ name }) => name)).toEqual([...Array(20).keys()].map((index) => `log ${24 - index}`))
    const criteria = [{ name: 'serverId', method: 'EQUALS', value: host }]
    const body = { customerNumber: CUSTOMER, filter: { condition: 'ALL', criteria }, limit: 10 }
    expect((await ada(licenseLogList.count, { body: { ...body, limit: undefined } })).body.data).toBe(25)
    const page = (await ada(licenseLogList.page, { body })).body.data as LicenseLog[]
    expect(page).toHaveLength(10)
    expect(page[0]).toMatchObject({ lines: 2, unreadLines: 1, unread: 'line 2 (end of log)' })
  })

  test('says nothing about days that it has no lines of', async () => {
    const range = { from: addDays(day, -40), to: addDays(day, -30) }
    const { body } = await ada(getLicenseUse, { body: { ...about(), ...range } })
    const { features } = body.data as { features: FeatureUse[] }
    expect(features.length).toBeGreaterThan(0)
    const unknown = { peak: null, neverUsed: null, hoursAtLimit: null, checkouts: null, realDenials: null }
    for (const row of features) expect(row).toMatchObject(unknown)
    const unused = (await report()).features.filter(({ checkouts }) => checkouts === 0)
    expect(unused.every(({ peak, seats, neverUsed }) => peak === 0 && neverUsed === seats)).toBe(true)
  })

  test('counts lines without a date and at its end as not read, until more of it arrives', async () => {
    const host = await addHost('0a1b2c3d4e13', 'lic-undated')
    const lines = ['5:00:00 (sim) OUT: "undated" ann@pc  \n', '5:30:00 (sim) OUT: undated bob@pc\n']
    const unread = [
      { line: 1, code: 'no-date' },
      { line: 2, code: 'end-of-log' },
    ]
    expect((await send([{ text: lines.join('') }], host)).body.data).toMatchObject([{ unreadLines: 2 }])
    expect((await report(host)).hosts).toMatchObject([{ unreadLines: 2, logs: [{ unreadLines: 2, problems: unread }] }])
    const future = addDays(day, 9).split('-')
    const rest = [
      `6:00:00 (lmgrd) TIMESTAMP ${usDay}\n`,
      `7:00:00 (lmgrd) TIMESTAMP ${Number(future[1])}/${Number(future[2])}/${future[0]}\n`,
      '8:00:00 (sim) OUT: "undated" cid@pc  \n',
    ]
    expect((await send([{ text: [...lines, ...rest].join('') }], host)).body.data).toMatchObject([{ unreadLines: 1 }])
    expect((await report(host)).hosts).toMatchObject([
      { unreadLines: 1, logs: [{ problems: [{ line: 5, code: 'impossible-date' }] }] },
    ])
    expect(await featureOf('undated', host)).toMatchObject({ checkouts: 2, peak: 2 })
  })

  describe('with a line dated ahead', () => {
    const ahead = (days: number) => addDays(day, days).split('-').map(Number)
    const stamp = (clock: string, [year, month, date]: number[]) =>
      `${clock} (lmgrd) TIMESTAMP ${month}/${date}/${year}\n`
    const timesOf = async (host: string) => {
      const { rows } = await sql<{ log: string; last: string; hours: number }>`
        select log_at::text as log, (select max(last_at)::text from license_log where host_id = ${host}) as last,
               (select count(*)::int from license_use_hour where host_id = ${host} and hour > log_at) as hours
          from license_report where host_id = ${host}`.execute(portal.db)
      return rows[0]
    }

    test.each([2, 3660])('by %i days reports it, and stays where it was', async (days) => {
      const host = await addHost(`0a1b2c3d5${String(days).padStart(3, '0')}`.slice(0, 12), `lic-ahead-${days}`)
      const first = `${stamp('5:00:00', ahead(0))}5:10:00 (sim) OUT: "ahead" ann@pc  \n`
      const second = `${stamp('6:00:00', ahead(days))}6:10:00 (sim) OUT: "ahead" bob@pc  \n`
      const third = `${stamp('7:00:00', ahead(0))}7:10:00 (sim) IN: "ahead" ann@pc  \n`
      const datestamped = `${ahead(days)
        .map((part) => String(part).padStart(2, '0'))
        .join('-')} 08:00:00 (sim) OUT: "ahead" eve@pc  \n`
      const text = first + second
      await send([{ text, file: 'ahead.log', position: 0 }], host)
      expect(await timesOf(host)).toEqual({ log: `${day} 05:10:00`, last: `${day} 05:10:00`, hours: 0 })
      await send([{ text: third + datestamped, file: 'ahead.log', position: text.length }], host)
      expect(await timesOf(host)).toEqual({ log: `${day} 07:10:00`, last: `${day} 07:10:00`, hours: 0 })
      expect((await report(host)).hosts[0]?.logs[0]?.problems).toMatchObject([
        { line: 4, code: 'impossible-date' },
        { line: 5, code: 'clock-back' },
        { line: 7, code: 'impossible-date' },
      ])
      expect(await featureOf('ahead', host)).toMatchObject({ checkouts: 1, denials: 0, seatHours: 2 })
    })

    test('goes on from its last possible time if an older portal has stored the line', async () => {
      const host = await addHost('0a1b2c3d5e01', 'lic-was-ahead')
      const text = `${stamp('5:00:00', ahead(0))}5:10:00 (sim) OUT: "kept" ann@pc  \n`
      await send([{ text, file: 'kept.log', position: 0 }], host)
      const far = `${addDays(day, 3660)} 05:00:00`
      await sql`update license_report set log_at = ${far}::timestamp, status_at = ${far}::timestamp,
                       unsummed_from = ${day}::timestamp, unsummed_to = ${far}::timestamp where host_id = ${host}`.execute(
        portal.db,
      )
      await sql`update license_log set last_at = ${far}::timestamp where host_id = ${host}`.execute(portal.db)
      await sql`
        insert into license_use_hour (customer_number, host_id, feature, hour, peak, seat_seconds, seconds_at_limit, checkouts, denials, real_denials)
        select ${CUSTOMER}, ${host}, 'kept', h, 1, 3600, 0, 0, 0, 0
          from generate_series(${`${day} 06:00:00`}::timestamp, ${far}::timestamp, interval '1 hour') as h`.execute(
        portal.db,
      )
      const next = '6:30:00 (sim) IN: "kept" ann@pc  \n'
      await send([{ text: next, file: 'kept.log', position: text.length }], host)
      expect(await timesOf(host)).toEqual({ log: `${day} 06:30:00`, last: `${day} 06:30:00`, hours: 0 })
      await sumUnsummed(portal.db, { customerNumber: CUSTOMER, hostId: host }, portal.clock.now())
      expect(await featureOf('kept', host)).toMatchObject({ peak: 1, seatHours: 1.33 })
      expect((await send([{ text: lmstat('07:30', 1, 'kept') }], host)).body.data).toMatchObject([
        { outcome: 'stored' },
      ])
    })
  })

  test('with numbers and names that are too large reports those lines, and takes the rest', async () => {
    const host = await addHost('0a1b2c3d5e02', 'lic-large')
    const long = (letter: string) => `${letter}${'xyz'.repeat(100)}`
    const lines = [
      `5:00:00 (lmgrd) TIMESTAMP ${usDay}`,
      '5:10:00 (sim) OUT: "large" ann@pc  (2147483648 licenses)',
      '5:10:00 (sim) OUT: "large" ann@pc  (99999999999999999999 licenses)',
      '5:10:00 (sim) OUT: "large" ann@pc  (0 licenses)',
      `5:10:00 (sim) OUT: "large" ${long('u')}@${long('h')}  `,
      '5:10:00 (sim) OUT: "large" bob@pc  (2147483647 licenses)',
      '5:10:00 (sim) OUT: "large" bob@pc  (2147483647 licenses)',
      '5:20:00 (sim) DENIED: "large" cid@pc  (All taken. (-99999999999,342))',
      '5:30:00 (sim) OUT: "large" dan@pc  ',
      '',
    ]
    expect((await send([{ text: lines.join('\n') }], host)).body.data).toMatchObject([
      { outcome: 'stored', unreadLines: 4 },
    ])
    expect((await report(host)).hosts[0]?.logs[0]?.problems).toEqual(
      [2, 3, 4, 5].map((line) => ({ line, code: 'unreadable-event' })),
    )
    expect(await featureOf('large', host)).toMatchObject({ checkouts: 3, peak: 2 ** 31 - 1, denials: 1 })
    expect(await detail('large', host)).toMatchObject({ users: expect.any(Array) })
  })

  test('stores names with backslashes, tabs and letters of any language as they are', async () => {
    const host = await addHost('0a1b2c3d5e21', 'lic-names')
    const users = ['CORP\\nora', '\\N', 'käse 🧀', 'a\tb']
    const text = [
      `5:00:00 (lmgrd) TIMESTAMP ${usDay}`,
      ...users.map((user) => `5:10:00 (sim) OUT: "names" ${user}@pc  `),
      `5:20:00 (sim) IN: "names" ${users[0]}@pc  `,
      '',
    ].join('\n')
    expect((await send([{ text }], host)).body.data).toMatchObject([{ outcome: 'stored', unreadLines: 0 }])
    const { rows } = await portal.pool.query(
      `select user_name, in_at = 'infinity' as is_out from license_checkout where host_id = '${host}' order by id`,
    )
    expect(rows).toEqual(users.map((user_name, index) => ({ user_name, is_out: index > 0 })))
  })

  test('of another license manager is refused', async () => {
    const server = await addHost('0a1b2c3d4e07', 'lic-other')
    const refused = { kind: 'unknown', outcome: 'refused', unreadLines: 0 }
    const reason = 'This is a text of LM-X, RLM or Ansys Licensing Interconnect, not of FlexNet. Nothing was read.'
    for (const text of ['rlmutil v12.2\n', 'LM-X End-user Utility v4.9\n10:00:00 (lmx) OUT: "f" ann@pc\n'])
      for (const part of [{ text }, { text, file: 'other.log' }])
        expect((await send([part], server)).body.data).toEqual([{ ...refused, reason }])
    const neither = 'This is neither a debug log nor lmstat output of FlexNet. Nothing was read.'
    expect((await send([{ text: 'a letter\n' }], server)).body.data).toEqual([{ ...refused, reason: neither }])
    // A refused text is no report: without one, a license server is never called silent.
    expect((await report(server)).hosts[0]?.reportedAt).toBeNull()
  })
})

const lmstat = (clock: string, inUse: number, feature = 'polled') =>
  [
    `Flexible License Manager status on ${weekday} ${usDay} ${clock}`,
    'License server status: 1055@lic-1',
    'lic-1: license server UP (MASTER) v11.19.6',
    'Feature usage info:',
    `Users of ${feature}:  (Total of 5 licenses issued;  Total of ${inUse} licenses in use)`,
    `  "${feature}" v26.1, vendor: ansyslmd, expiry: 31-dec-2030`,
    '  floating license',
    ...Array.from(
      { length: inUse },
      (_, index) =>
        `    user${index} pc${index} :0 (v26.1) (lic-1/1055 ${index}), start ${weekday} ${usDay.slice(0, -5)} 7:0${index}`,
    ),
    '',
  ].join('\n')

async function addHost(host_id: string, host_name: string): Promise<string> {
  const added_at = portal.clock.now()
  await portal.db
    .insertInto('host')
    .values({ customer_number: CUSTOMER, host_id_type: 'ETHERNET', host_id, host_name, added_at, removed_at: null })
    .execute()
  return host_id
}

describe('logs that overlap', () => {
  test.each([
    ['in their order', '0a1b2c3d4e01', ['before', 'after']],
    ['the later one first', '0a1b2c3d4e02', ['after', 'before']],
    ['with a copy under another name', '0a1b2c3d4e03', ['before', 'after', 'whole']],
  ] as const)('count every event once, %s', async (_, id, order) => {
    const server = await addHost(id, `lic-${id}`)
    const lines = log('twice').split('\n').slice(0, -1)
    const parts = { before: lines.slice(0, 6), after: [lines[0], ...lines.slice(3)], whole: lines }
    for (const part of order) await send([{ file: part, position: 0, text: `${parts[part].join('\n')}\n` }], server)
    const counts = { peak: 3, checkouts: 3, denials: 3, realDenials: 1, inUse: 2, seatHours: 5.66 }
    expect(await featureOf('twice', server)).toMatchObject(counts)
  })

  test('are looked for among the other logs only', async () => {
    const hostId = await addHost('0a1b2c3d4e06', 'lic-alone')
    await send([{ file: 'alone', position: 0, text: log('alone') }], hostId)
    const window = { from: `${day} 00:00:00`, to: `${day} 23:59:59` }
    const overlapOf = (number: number) =>
      portal.db.transaction().execute((tx) => findOverlap(tx, { customerNumber: CUSTOMER, hostId }, number, window))
    expect(await overlapOf(1)).toBeNull()
    expect(await overlapOf(2)).toEqual({ from: `${day} 01:00:00`, to: `${day} 03:30:00` })
  })
})

test('a large file is summed when it is read, also if reading stopped in between', async () => {
  const key = { customerNumber: CUSTOMER, hostId: await addHost('0a1b2c3d4e04', 'lic-large') }
  const content = Buffer.from(log('large'))
  await portal.db.transaction().execute(async (tx) => {
    const context = await lockHost(tx, MEANS, key, portal.clock.now())
    await readLogPart(tx, context, await insertLog(tx, key, 'large.log'), content, { isLarge: true })
  })
  const small = `4:00:00 (lmgrd) TIMESTAMP ${usDay}\n4:00:10 (ansyslmd) OUT: "small" ann@pc1  \n`
  await send([{ text: small }], key.hostId)
  expect(await featureOf('large', key.hostId)).toMatchObject({ peak: 2, checkouts: 0 })
  await sumUnsummed(portal.db, key, portal.clock.now())
  expect(await featureOf('large', key.hostId)).toMatchObject({ peak: 3, checkouts: 3, realDenials: 1 })
  const report = await portal.db
    .selectFrom('license_report')
    .select('unsummed_from')
    .where('host_id', '=', key.hostId)
    .executeTakeFirstOrThrow()
  expect(report.unsummed_from).toBeNull()
})

describe('seats that are out for long', () => {
  const usDayBefore = (days: number) => {
    const [year, month, date] = addDays(day, -days).split('-').map(Number)
    return `${month}/${date}/${year}`
  }
  const sumsOf = (db: Kysely<DB>, hostId: string) =>
    Promise.all([
      sql`select feature, day::text as day, user_name, user_host, seat_seconds, checkouts, real_denials from license_use_day
           where host_id = ${hostId} order by 1, 2, 3, 4`.execute(db),
      sql`select feature, hour::text as hour, peak, seat_seconds, seconds_at_limit, seat_limit, checkouts from license_use_hour
           where host_id = ${hostId} order by 1, 2`.execute(db),
    ]).then((results) => results.map(({ rows }) => rows))
  const countOf = async (hostId: string) => {
    const { rows } = await sql<{ count: number }>`
      select ((select count(*) from license_use_day where host_id = ${hostId})
              + (select count(*) from license_use_hour where host_id = ${hostId}))::int as count`.execute(portal.db)
    return rows[0]?.count
  }
  const jobs: JobSender = { send: (db, job, data) => jobQueue(portal, portal.app.log).send(db, job, data) }

  test.each([
    { people: 750, features: 1, days: 30 },
    { people: 900, features: 900, days: 1 },
  ])('are summed after the report, and the same: $people on $features features', async ({ people, features, days }) => {
    const each = (line: (index: number) => string) => Array.from({ length: people }, (_, index) => line(index)).join('')
    const start = addDays(day, -days).split('-').slice(1).map(Number).join('/')
    const texts = [
      `1:00:00 (lmgrd) TIMESTAMP ${usDayBefore(days)}\n${each((index) => `1:00:01 (sim) OUT: "long${index % features}" u${index}@pc  \n`)}`,
      `2:00:00 (lmgrd) TIMESTAMP ${usDay}\n2:00:01 (sim) IN: "long0" u0@pc  \n2:00:02 (sim) OUT: "late" ann@pc  \n2:00:03 (sim) OUT: "late" bob@pc  \n`,
      `Flexible License Manager status on ${weekday} ${usDay} 03:00\nLicense server status: 1055@a\n     a: license server UP (MASTER) v11.19.5\nFeature usage info:\n` +
        `Users of shown:  (Total of ${people} licenses issued;  Total of ${people} licenses in use)\n` +
        each((index) => `    u${index} pc :0 (v26.1) (a/1055 ${index}), start ${weekday} ${start} 1:00\n`),
    ]
    const observations = texts.map((text, index) =>
      index < 2 ? { file: `${index}.log`, position: 0, text } : { text },
    )
    const store = (hostId: string, jobs: JobSender | null) =>
      withPartitions(portal.db, () =>
        portal.db.transaction().execute(async (tx) => {
          const key = { customerNumber: CUSTOMER, hostId }
          expect(await storeObservations(tx, { ...MEANS, jobs }, key, observations, portal.clock.now())).toMatchObject(
            texts.map(() => ({ outcome: 'stored' })),
          )
          return sumsOf(tx, hostId)
        }),
      )
    const all = await store(await addHost(`0a1b2c3d${people}1`, `lic-${people}-waits`), null)
    const left = await addHost(`0a1b2c3d${people}2`, `lic-${people}-leaves`)
    const made = (await store(left, jobs)).flat().length
    expect(made).toBeLessThan(20_000)
    expect(all.flat().length).toBeGreaterThan(20_000)
    await until(async () => (await countOf(left)) === all.flat().length, 'the sums are never made')
    expect(await sumsOf(portal.db, left)).toEqual(all)
  })
})

describe('lmstat output', () => {
  const server = '0a1b2c3d4e5f'
  beforeAll(() => addHost(server, 'lic-polled'))

  test('ends a checkout that it no longer shows, until a log says when it ended', async () => {
    const host = await addHost('0a1b2c3d4e05', 'lic-reconciled')
    const part = (position: number, text: string) => send([{ file: 'debug.log', position, text }], host)
    const outs = ['user0@pc0', 'gone@pc9'].map((who) => `7:00:30 (ansyslmd) OUT: "seen" ${who}  \n`)
    const first = `7:00:00 (lmgrd) TIMESTAMP ${usDay}\n${outs.join('')}9:00:00 (lmgrd) TIMESTAMP ${usDay}\n`
    await part(0, first)
    expect(await featureOf('seen', host)).toMatchObject({ inUse: 2, seatHours: 3.98 })
    await send([{ text: lmstat('8:00', 1, 'seen') }], host)
    expect((await detail('seen', host)).holders.map(({ user }) => user)).toEqual(['user0'])
    // user0 from 7:00:30 to 9:00, the other one until lmstat did not show it any more.
    expect(await featureOf('seen', host)).toMatchObject({ inUse: 1, seatHours: 2.98 })
    const late = `7:30:30 (ansyslmd) IN: "seen" gone@pc9  \n`
    await part(first.length, late)
    expect(await featureOf('seen', host)).toMatchObject({ inUse: 1, seatHours: 2.49 })
    // Nobody saw how user1 and user2 got their seats, and user1 returns it.
    await send([{ text: lmstat('9:30', 3, 'seen') }], host)
    expect(await featureOf('seen', host)).toMatchObject({ inUse: 3 })
    const next = `10:00:00 (lmgrd) TIMESTAMP ${usDay}\n10:00:10 (ansyslmd) IN: "seen" user1@pc1  \n10:00:20 (ansyslmd) OUT: "seen" new@pc  \n`
    await part(first.length + late.length, next)
    expect(await featureOf('seen', host)).toMatchObject({ inUse: 3 })
    const holders = (await detail('seen', host)).holders.map(({ user }) => user)
    expect(holders.toSorted()).toEqual(['new', 'user0', 'user2'])
  })

  test('shows seats and holders, which an older or failed one does not change', async () => {
    await send([{ text: lmstat('8:10', 3) }], server)
    expect((await send([{ text: lmstat('8:05', 1) }], server)).body.data).toMatchObject([{ outcome: 'older' }])
    const failed = `Flexible License Manager status on ${weekday} ${usDay} 8:15\nError getting status: Cannot connect. (-15,10)\n`
    expect((await send([{ text: failed }], server)).body.data).toMatchObject([{ outcome: 'failed' }])
    expect(await featureOf('polled', server)).toMatchObject({ seats: 5, inUse: 3, peak: 3, neverUsed: 2 })
    expect((await detail('polled', server)).holders).toHaveLength(3)
  })

  test('counts as a sample of use in any order, also where a log has lines of the hour', async () => {
    const outputs = [lmstat('8:10', 3, 'sampled'), lmstat('8:20', 1, 'sampled'), lmstat('8:25', 2, 'sampled')]
    const logged = `8:40:00 (lmgrd) TIMESTAMP ${usDay}\n8:40:00 (sim) OUT: "sampled" late@pc  \n8:50:00 (lmgrd) TIMESTAMP ${usDay}\n`
    const orders = [
      [0, 1, 2],
      [2, 0, 1, 0],
    ]
    for (const [index, order] of orders.entries()) {
      const host = await addHost(`0a1b2c3d4e1${index}`, `lic-sampled-${index}`)
      for (const place of order) expect((await send([{ text: outputs[place]! }], host)).status).toBe(200)
      // 3 seats for 10 minutes and 1 for 5. Nothing is known of the time after the last output.
      const sampled = { peak: 3, seatHours: 0.58 }
      expect(await featureOf('sampled', host)).toMatchObject({ ...sampled, inUse: 2 })
      await send([{ file: 'debug.log', position: 0, text: logged }], host)
      expect(await featureOf('sampled', host)).toMatchObject({ ...sampled, checkouts: 1 })
    }
  })

  test('counts reserved seats as used only where somebody holds them', async () => {
    const host = await addHost('0a1b2c3d4e16', 'lic-reserved')
    const reserved = '  floating license\n    3 RESERVATIONs for GROUP g (lic-1/1055)'
    const text = lmstat('8:10', 1, 'reserved').replace('of 1 licenses in use', 'of 4 licenses in use')
    await send([{ text: text.replace('  floating license', reserved) }], host)
    expect(await featureOf('reserved', host)).toMatchObject({ inUse: 4, reserved: 3, peak: 1, neverUsed: 4 })
  })

  test('names the users of a day that no log covers', async () => {
    const host = await addHost('0a1b2c3d4e12', 'lic-users')
    for (const text of [lmstat('8:00', 2, 'held'), lmstat('7:30', 3, 'held'), lmstat('9:00', 1, 'held')])
      await send([{ text }], host)
    // user0 since 7:00 until 9:00, user1 since 7:01 until 8:00, user2 since 7:02 until 7:30.
    expect((await detail('held', host)).users.map(({ name, seatHours }) => [name, seatHours])).toEqual([
      ['user0', 2],
      ['user1', 0.98],
      ['user2', 0.47],
    ])
  })

  test('dated ahead is no report of use, and a later one counts', async () => {
    const host = await addHost('0a1b2c3d5e03', 'lic-ahead-status')
    const [year, month, date] = addDays(day, 3660).split('-').map(Number)
    const text = lmstat('08:00', 2, 'future').replaceAll(usDay, `${month}/${date}/${year}`)
    expect((await send([{ text }], host)).body.data).toMatchObject([{ outcome: 'failed' }])
    expect((await report(host)).hosts[0]).toMatchObject({
      statusError: 'The output is dated more than one day ahead.',
    })
    expect((await send([{ text: lmstat('08:00', 2, 'future') }], host)).body.data).toMatchObject([
      { outcome: 'stored' },
    ])
  })

  test('with numbers that are too large reports those lines, and takes the rest', async () => {
    const host = await addHost('0a1b2c3d5e04', 'lic-large-status')
    const [head, ...rest] = lmstat('08:00', 1, 'fine').split('\n')
    const wrong = [
      'Users of wrong:  (Total of 2147483648 licenses issued;  Total of 1 license in use)',
      `    eve pc9 :0 (v26.1) (lic-1/1055 5), start ${weekday} ${usDay.slice(0, -5)} 7:00`,
    ]
    const large = [
      `    ann pc8 :0 (v26.1) (lic-1/1055 99999999999999999999), start ${weekday} ${usDay.slice(0, -5)} 7:00`,
      `    bob pc7 :0 (v26.1) (lic-1/1055 7), start ${weekday} ${usDay.slice(0, -5)} 7:00, 2147483648 licenses`,
    ]
    const text = [head, ...rest, ...large, ...wrong, ''].join('\n')
    expect((await send([{ text }], host)).body.data).toMatchObject([{ outcome: 'stored', unreadLines: 3 }])
    expect((await detail('fine', host)).holders).toHaveLength(1)
  })

  test('names the lines that could not be read', async () => {
    const lines = lmstat('8:20', 0, 'unread').split('\n')
    const text = [...lines.slice(0, 7), '    user9 pc9 (v26.1) ???', ...lines.slice(7)].join('\n')
    const host = await addHost('0a1b2c3d4e09', 'lic-unread')
    const problems = [{ line: 8, code: 'unreadable' }]
    expect((await send([{ text }], host)).body.data).toEqual([
      { kind: 'lmstat', outcome: 'stored', unreadLines: 1, problems },
    ])
    expect((await report(host)).hosts[0]).toMatchObject({ unreadLines: 1, statusProblems: problems })
  })

  const freeOf = async (feature: string, query = {}) =>
    (await ada(getFreeSeats, { query: { customerNumber: CUSTOMER, feature, ...query } })).body.data

  test('tells job schedulers whether a seat is free, unless the last lmstat failed', async () => {
    const query = { customerNumber: CUSTOMER, feature: 'polled' }
    const unknown = { serverId: server, inUse: null, free: null }
    expect(await freeOf('polled')).toMatchObject({ isFree: false, free: null, servers: [unknown] })
    await send([{ text: lmstat('8:20', 3) }], server)
    const servers = [{ serverId: server, asOf: `${day} 08:20` }]
    expect(await freeOf('polled')).toMatchObject({ isFree: true, free: 2, servers })
    expect(await freeOf('polled', { seats: '3' })).toMatchObject({ isFree: false })
    expect((await ada(getFreeSeats, { query: { ...query, feature: 'none' } })).status).toBe(404)
    const { headers } = await giveServiceKey(portal, 'Scheduler', { scopes: ['license-use'], days: 30 })
    const nobody = await portal.as(null)
    expect((await nobody(getServiceFreeSeats, { query, headers })).body.data).toMatchObject({ free: 2 })
    expect((await nobody(getServiceFreeSeats, { query })).status).toBe(401)
  })

  test('is brought up to date by the log before job schedulers get an answer', async () => {
    const host = await addHost('0a1b2c3d4e0a', 'lic-logged')
    await send([{ text: lmstat('8:10', 3, 'logged') }], host)
    const outs = ['x', 'y'].map((who) => `8:30:00 (ansyslmd) OUT: "logged" ${who}@pc  \n`)
    await send([{ text: `8:00:00 (lmgrd) TIMESTAMP ${usDay}\n${outs.join('')}` }], host)
    const servers = [{ seats: 5, inUse: 5, free: 0, asOf: `${day} 08:30` }]
    expect(await freeOf('logged')).toMatchObject({ isFree: false, free: 0, servers })
  })

  test('counts no seat as free that somebody was denied since, until one is returned', async () => {
    const host = await addHost('0a1b2c3d4e5d', 'lic-denied')
    let text = `8:00:00 (lmgrd) TIMESTAMP ${usDay}\n`
    const grow = async (line: string) => {
      text += `${line}\n`
      await send([{ text }], host)
      return ((await freeOf('denied')) as FreeSeats).free
    }
    const full = '(Licensed number of users already reached. (-4,342))'
    await send([{ text: lmstat('8:10', 1, 'denied') }], host)
    expect(await grow(`8:09:00 (ansyslmd) DENIED: "denied" y@pc  (1 licenses) ${full}`)).toBe(4)
    expect(await grow(`8:20:00 (ansyslmd) DENIED: "denied" y@pc  (3 licenses) ${full}`)).toBe(2)
    expect(await freeOf('denied', { seats: '3' })).toMatchObject({ isFree: false, servers: [{ seats: 5, inUse: 1 }] })
    expect(await grow(`8:25:00 (ansyslmd) DENIED: "denied" z@pc  ${full}`)).toBe(0)
    expect(await grow(`8:26:00 (ansyslmd) DENIED: "denied" z@pc  (2 licenses) ${full}`)).toBe(0)
    expect(await grow('8:30:00 (ansyslmd) IN: "other" x@pc  ')).toBe(0)
    expect(await grow('8:31:00 (ansyslmd) IN: "denied" x@pc  ')).toBe(5)
    expect(await grow(`8:32:00 (ansyslmd) DENIED: "denied" z@pc  ${full}`)).toBe(0)
    expect(await grow('8:40:00 (lmgrd) Started ansyslmd (internet tcp_port 1056 pid 7)')).toBe(5)
    expect(await grow(`8:50:00 (ansyslmd) DENIED: "denied" z@pc  ${full}`)).toBe(0)
    await send([{ text: lmstat('8:51', 3, 'denied') }], host)
    expect(await freeOf('denied')).toMatchObject({ free: 2 })
  })

  test('makes a feature free whose seats are not counted', async () => {
    const text = lmstat('8:10', 0, 'uncounted').replace(/\(Total.*\)/, '(Uncounted, node-locked)')
    await send([{ text }], await addHost('0a1b2c3d4e0b', 'lic-uncounted'))
    const servers = [{ isUncounted: true, free: null }]
    expect(await freeOf('uncounted')).toMatchObject({ isFree: true, free: null, servers })
  })

  test('is needed to know free seats that the portal did not activate', async () => {
    const host = await addHost('0a1b2c3d4e0c', 'lic-log-only')
    await send([{ text: log('log only') }], host)
    const servers = [{ serverId: host, seats: null, inUse: 2, free: null, asOf: `${day} 03:30` }]
    expect(await freeOf('log only')).toMatchObject({ isFree: false, free: null, servers })
  })

  test('of an earlier day says nothing about free seats now, nor does a removed license server', async () => {
    const host = await addHost('0a1b2c3d4e0d', 'lic-old')
    const [year, month, date] = addDays(day, -3).split('-').map(Number)
    await send([{ text: lmstat('8:10', 1, 'old').replaceAll(usDay, `${month}/${date}/${year}`) }], host)
    expect(await freeOf('old')).toMatchObject({ isFree: false, servers: [{ seats: 5, inUse: null, free: null }] })
    await portal.db.updateTable('host').set({ removed_at: portal.clock.now() }).where('host_id', '=', host).execute()
    expect((await ada(getFreeSeats, { query: { customerNumber: CUSTOMER, feature: 'old' } })).status).toBe(404)
  })

  test('says nothing about free seats once the license server is silent', async () => {
    const lastReport = new Date(portal.clock.now().getTime() - 25 * 3_600_000)
    const host = await addHost('0a1b2c3d4e08', 'lic-silent')
    await send([{ text: lmstat('8:10', 1, 'quiet') }], host)
    await portal.db.updateTable('license_report').set({ reported_at: lastReport }).where('host_id', '=', host).execute()
    const free = await ada(getFreeSeats, { query: { customerNumber: CUSTOMER, feature: 'quiet' } })
    expect(free.body.data).toMatchObject({
      isFree: false,
      free: null,
      servers: [{ seats: 5, inUse: null, free: null }],
    })
  })

  test('of today does not change the seats that a feature had in the past', async () => {
    const host = await addHost('0a1b2c3d4e0e', 'lic-grown')
    await send([{ text: lmstat('8:10', 2, 'grown') }], host)
    await send([{ text: lmstat('9:10', 2, 'grown').replace('Total of 5', 'Total of 8') }], host)
    const { course, days } = await detail('grown', host)
    expect(course).toMatchObject([
      { hour: 8, seats: 5 },
      { hour: 9, seats: 8 },
    ])
    expect(days).toMatchObject([{ seats: 8 }])
  })
})

describe('who may', () => {
  test.each([
    ['nobody', null, CUSTOMER, MAIN, 401],
    ['a viewer', VIC, CUSTOMER, MAIN, 403],
    ['somebody of another account', GRETA, CUSTOMER, MAIN, 404],
    ['an administrator, for a license server of another account', ADA, CUSTOMER, '6045bd8812f3', 404],
  ])('%s gets %s', async (_, email, customerNumber, serverId, status) => {
    const call = await portal.as(email)
    const answer = await call(sendObservations, { body: { customerNumber, serverId, observations: [{ text: 'x' }] } })
    expect(answer.status).toBe(status)
  })

  test('a report without texts or with an unknown field gets 400', async () => {
    expect((await send([])).status).toBe(400)
    expect((await send([{ text: 'x', line: 1 }])).status).toBe(400)
    const body = { ...about(), from: 'yesterday', to: day }
    expect((await ada(getLicenseUse, { body })).status).toBe(400)
  })

  test('a service key needs the scope, and reports of any account', async () => {
    const nobody = await portal.as(null)
    const body = { ...about(), observations: [{ text: log('service') }] }
    const wrong = await giveServiceKey(portal, 'Wrong', { scopes: ['usage'], days: 30 })
    expect((await nobody(sendServiceObservations, { body, headers: wrong.headers })).status).toBe(403)
    const right = await giveServiceKey(portal, 'Right', { scopes: ['license-use'], days: 30 })
    expect((await nobody(sendServiceObservations, { body, headers: right.headers })).body.data).toMatchObject([
      { outcome: 'stored' },
    ])
  })
})

const taskOf = ({ body }: Answer) => body.data as Task

test('an uploaded log is read in the background, and again only what is new', async () => {
  const upload = async (text: string, id: string) => {
    const bytes = Buffer.from(text)
    const half = Math.floor(bytes.length / 2)
    for (const [position, file] of [[0, bytes.subarray(0, half)] as const, [half, bytes.subarray(half)] as const])
      await ada(uploadLogPart, { body: { customerNumber: CUSTOMER, uploadId: id, position: String(position), file } })
    return ada(startLogUpload, {
      body: { ...about(), uploadId: id, fileName: 'debug.log', size: bytes.length },
    })
  }
  const finished = async (id: string) => {
    const query = { customerNumber: CUSTOMER }
    await until(
      async () => taskOf(await ada(getTask, { params: { id }, query })).state === 'ready',
      'the task is not ready',
    )
    return (await ada(downloadTask, { params: { id }, query })).body
  }
  const text = log('uploaded')
  const first = await upload(text, '00000000-0000-4000-8000-000000000001')
  expect(first.body).toMatchObject({ status: 'SUCCESS', data: { kind: 'license-log-upload' } })
  expect(await finished(taskOf(first).id)).toMatchObject({
    kind: 'log',
    lines: 10,
    unreadLines: 1,
    isKnown: false,
    firstAt: `${day} 01:00:00`,
    sessions: 3,
    denials: 1,
  })
  const again = await upload(
    `${text}4:00:00 (ansyslmd) IN: "uploaded" bob@pc2  \n`,
    '00000000-0000-4000-8000-000000000002',
  )
  expect(await finished(taskOf(again).id)).toMatchObject({ lines: 11, unreadLines: 0, isKnown: true })
  expect(await featureOf('uploaded')).toMatchObject({ peak: 3, checkouts: 3, inUse: 1, realDenials: 1 })
  const refused = await upload('no log\n', '00000000-0000-4000-8000-000000000003')
  expect(refused.body).toMatchObject({ status: 'FAILURE', code: 'NOT_A_LICENSE_LOG' })
})

test('an upload that is started again and again while it is read is answered 200 or 400', async () => {
  const people = await Promise.all([ADA, 'cora.coordinator@aerodyne.example'].map((email) => portal.as(email)))
  const statuses = new Set<number>()
  for (let n = 0; n < 6; n++) {
    const uploadId = randomUUID()
    const file = Buffer.from(log(`started-${n}`))
    await ada(uploadLogPart, { body: { customerNumber: CUSTOMER, uploadId, position: '0', file } })
    const start = { ...about(), uploadId, fileName: 'debug.log', size: file.length }
    const keepStarting = async (call: typeof ada) => {
      for (let status = 200; status === 200; ) {
        status = (await call(startLogUpload, { body: start })).status
        statuses.add(status)
      }
    }
    await Promise.all([...people, ...people, ...people].map(keepStarting))
  }
  expect([...statuses].sort()).toEqual([200, 400])
})

test('reports say whose licenses a license server has, and since when', async () => {
  const { hosts } = await report()
  const [own, added] = [hosts.find(({ firstFileOn }) => firstFileOn), await addHost('0a1b2c3d4e77', 'lic-added')]
  expect(own?.daemons).toContain('ansyslmd')
  expect(own?.firstFileOn).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect((await report(added)).hosts).toMatchObject([{ daemons: [], firstFileOn: null }])
})

test('other modules get peaks, percentiles, denials and checkouts as intervals', async () => {
  const range = { from: day, to: day }
  const measured = await listMeasuredFeatures(portal.db, CUSTOMER, range)
  expect(measured.find(({ feature }) => feature === 'first')).toEqual({
    feature: 'first',
    peak: 3,
    percentile95: 3,
    realDenials: 1,
    deniedAtPeak: 1,
    servers: 1,
  })
  const intervals = await listMeasuredIntervals(portal.db, CUSTOMER, 'first', range)
  const midnight = Date.parse(`${day}T00:00:00Z`) / 1000
  expect(intervals.map(({ from, to, count }) => [(from - midnight) / 60, (to - midnight) / 60, count])).toEqual([
    [60, 135, 2],
    [90, 240, 1],
    [140.5, 240, 1],
  ])
  expect(await listFeaturesOfProducts(portal.db, ['no such product'])).toEqual([])
})

test('checkouts of less than a second count, in the order of their log', async () => {
  const host = await addHost('0a1b2c3d4e30', 'lic-brief')
  const line = (word: string, feature: string, user: string) => `0:00:00 (sim) ${word}: "${feature}" ${user}@pc  \n`
  const text = [
    `0:00:00 (lmgrd) TIMESTAMP ${usDay}\n`,
    ...['OUT', 'IN'].map((word) => line(word, 'alone', 'ann')),
    ...['ann', 'bob'].flatMap((user) => ['OUT', 'IN'].map((word) => line(word, 'in turn', user))),
    ...['OUT', 'IN'].flatMap((word) => ['ann', 'bob'].map((user) => line(word, 'together', user))),
  ].join('')
  for (const part of partsOf(text, 'brief.log', 50)) await send([part], host)
  const deniedWithOneSeat = async (feature: string) => {
    const range = { from: day, to: day }
    return replay({ checkouts: await listMeasuredIntervals(portal.db, CUSTOMER, feature, range), denials: [] })(1)
  }
  expect(await featureOf('alone', host)).toMatchObject({ checkouts: 1, peak: 1, inUse: 0 })
  expect(await featureOf('in turn', host)).toMatchObject({ checkouts: 2, peak: 1, inUse: 0 })
  expect(await featureOf('together', host)).toMatchObject({ checkouts: 2, peak: 2, inUse: 0 })
  expect((await detail('alone', host)).users).toMatchObject([{ name: 'ann' }])
  expect(await deniedWithOneSeat('in turn')).toBe(0)
  expect(await deniedWithOneSeat('together')).toBe(1)
})

test('the report is a CSV file and a PDF file', async () => {
  const body = { ...about(), from: day, to: day }
  const csv = await ada(exportLicenseUse, { body })
  expect(String(csv.body.text)).toContain(',"first",')
  const pdf = await ada(getLicenseUsePdf, { body })
  expect(pdf.status).toBe(200)
  expect(pdf.headers['content-type']).toBe('application/pdf')
})

test('denials of license servers are a CSV file with the words of the screen', async () => {
  const body = { customerNumber: CUSTOMER, from: day, to: day, filter: { condition: 'ALL', criteria: [] } }
  const csv = await ada(licenseDenialList.exportCsv, { body })
  expect(String(csv.body.text)).toContain(
    '"Denial (no seat within a minute)","All seats taken","first","lic-berlin-01","cid","pc3"',
  )
  expect((await ada(licenseDenialList.page, { body: { ...body, to: 'never' } })).status).toBe(400)
})

test('pseudonyms replace names at once, in the past and in what arrives later', async () => {
  const server = '9-77e0d1f5'
  const settings = { hasPseudonyms: true, keptDays: 400 }
  const body = { customerNumber: CUSTOMER, settings, revision: 0 }
  const vic = await portal.as(VIC)
  const host = await addHost('0a1b2c3d4e14', 'lic-names')
  const lines = [...Array(12).keys()].map(
    (index) =>
      `7:${10 + index}:00 (sim) OUT: "named" ann@pc${index}  \n7:${10 + index}:30 (sim) MAX 5 named USER secret\n`,
  )
  const parts = partsOf(`7:00:00 (lmgrd) TIMESTAMP ${usDay}\n${lines.join('')}`, 'names.log', 60)
  for (const part of parts.slice(0, 3)) await send([part], host)
  for (const part of parts.slice(6, 9)) await send([part], host)
  expect((await vic(saveLicenseUseSettings, { body })).status).toBe(403)
  expect((await ada(saveLicenseUseSettings, { body })).status).toBe(200)
  expect((await vic(getLicenseUseSettings, { body: { customerNumber: CUSTOMER } })).body.data).toEqual({
    ...settings,
    offerMinutes: 10,
    askHours: 8,
    revision: 1,
  })
  expect((await denialsOf('first')).map(([, user]) => user)).not.toContain('cid')
  expect((await detail('rotated', server)).users.every(({ name }) => /^user-[0-9a-f]{10}$/.test(name))).toBe(true)
  await until(async () => {
    const names = await portal.db.selectFrom('license_checkout').select('user_name').distinct().execute()
    return names.every(({ user_name }) => user_name.startsWith('user-'))
  }, 'names are left')
  const { rows } = await sql<{ text: string }>`
    select state::text as text from license_log where customer_number = ${CUSTOMER}`.execute(portal.db)
  for (const { text } of rows) expect(text).not.toMatch(/\b(ann|bob|cid|dan)@|secret/)
  for (const part of parts) await send([part], host)
  expect(await featureOf('named', host)).toMatchObject({ checkouts: 12 })
  const text = `7:00:00 (lmgrd) TIMESTAMP ${usDay}\n7:00:00 (sim) IN: "rotated" bob@pc  \n`
  await send([{ file: 'c', position: 0, text }], server)
  expect(await featureOf('rotated', server)).toMatchObject({ inUse: 1, checkouts: 3 })
})

test('settings are not saved over a change of somebody else, and pseudonyms stay', async () => {
  const save = async (settings: object, revision: number) =>
    ada(saveLicenseUseSettings, { body: { customerNumber: CUSTOMER, settings, revision } })
  const current = { hasPseudonyms: true, keptDays: 400, offerMinutes: 10, askHours: 8, revision: 1 }
  expect(await save({ hasPseudonyms: true, keptDays: 90 }, 0)).toMatchObject({
    status: 409,
    body: { code: 'STALE', data: { current } },
  })
  expect((await save({ hasPseudonyms: false, keptDays: 400 }, 1)).body).toMatchObject({ code: 'PSEUDONYMS_STAY' })
  expect((await ada(getLicenseUseSettings, { body: { customerNumber: CUSTOMER } })).body.data).toEqual(current)
})

test('old events are removed, their sums stay, also when an old log arrives later', async () => {
  const before = await featureOf('first')
  const tomorrow = new Date(portal.clock.now().getTime() + 86_400_000)
  expect((await detail('first')).removedBefore).toBeNull()
  expect(await deleteEventsBefore(portal.db, CUSTOMER, tomorrow)).toBeGreaterThan(0)
  const removedBefore = addDays(day, 1)
  expect((await report()).hosts).toMatchObject([{ removedBefore }])
  expect(await detail('first')).toMatchObject({ causes: [], removedBefore })
  const kept = { peak: before?.peak, seatHours: before?.seatHours, checkouts: before?.checkouts, realDenials: 1 }
  expect(await featureOf('first')).toMatchObject(kept)
  const late = [
    `1:20:00 (ansyslmd) OUT: "first" late@pc9  `,
    `1:25:00 (ansyslmd) IN: "first" late@pc9  `,
    `1:26:00 (ansyslmd) OUT: "new" late@pc9  `,
    `1:56:00 (ansyslmd) IN: "new" late@pc9  `,
  ]
  await send([{ file: 'late', position: 0, text: `${[`1:00:00 (lmgrd) TIMESTAMP ${usDay}`, ...late].join('\n')}\n` }])
  expect(await featureOf('first')).toMatchObject(kept)
  expect(await featureOf('new')).toMatchObject({ peak: 1, checkouts: 1, seatHours: 0.5 })
})

test('the nightly removal is audited, takes uploads that were never started, and goes on where an account fails', async () => {
  const accounts = await portal.db.selectFrom('account').select('customer_number').execute()
  const [uploader, failing] = accounts.map((row) => row.customer_number).filter((number) => number !== CUSTOMER)
  const old = new Date(0)
  const unreadable = { log_at: '2020-01-01', unsummed_from: '-infinity', unsummed_to: '2020-01-01' }
  const part = { upload_id: '00000000-0000-4000-8000-000000000009', position: 0, length: 1, content: Buffer.from('x') }
  const db = portal.db
  await db
    .insertInto('license_upload_part')
    .values({ customer_number: uploader!, ...part, arrived_at: old })
    .execute()
  await db
    .insertInto('license_report')
    .values({ customer_number: failing!, host_id: 'x', reported_at: old, status_error: null, ...unreadable })
    .execute()
  await sql`select ensure_license_use_partitions('2020-01-01', '2020-01-01')`.execute(db)
  await sql`
    insert into license_denial (customer_number, host_id, number, id, at, event, daemon, feature, user_name, user_host, seats, cause, is_retry, is_real)
    values (${CUSTOMER}, ${MAIN}, 1, 999, '2020-01-01', 'DENIED', 'sim', 'f', 'ann', 'pc', 1, 'shortage', false, true)`.execute(
    db,
  )
  const { seal, open } = await loadUnreadSeal(db, UNWRAPPED, CUSTOMER)
  const cut = { rest: seal(Buffer.from('7:00:00 (sim) OUT: "f" an')), last_at: '2020-01-01 07:00:00' }
  const updated = await db
    .updateTable('license_log')
    .set(cut)
    .where('host_id', '=', MAIN)
    .where('number', '=', 1)
    .execute()
  expect(updated[0]?.numUpdatedRows).toBe(1n)
  const job = licenseUseJobs.find(({ queue }) => queue === 'license-use-old-events')!
  const attempt = { signal: new AbortController().signal, isLast: true }
  const failure = await job
    .run({} as never, { ...portal, secrets: UNWRAPPED } as unknown as Services, attempt)
    .catch((error: AggregateError) => error)
  expect(failure).toMatchObject({ errors: [{ message: `account ${failing}` }] })
  const uploads = db.selectFrom('license_upload_part').select('upload_id').where('customer_number', '=', uploader!)
  expect(await uploads.execute()).toEqual([])
  const rests = db.selectFrom('license_log').select('rest').where('host_id', '=', MAIN).where('number', '=', 1)
  expect(open((await rests.executeTakeFirstOrThrow()).rest).toString()).toBe('7:00:00 (sim) OUT: \n')
  const logged = db.selectFrom('audit_log').select(['customer_number', 'address', 'text'])
  expect(await logged.where('action', '=', 'license-use.remove-old').execute()).toEqual([
    { customer_number: CUSTOMER, address: 'schedule', text: 'Removed 1 event of license servers: older than 400 days' },
  ])
})
