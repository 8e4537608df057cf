import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saveLicenseUseSettings } from '#contract/license-use/license-use.ts'
import { sendObservations } from '#contract/license-use/observations.ts'
import {
  downloadOptionsFile,
  exportOptionsFile,
  getOptionsFile,
  getOptionsVersion,
  getOptionsWhatIf,
  type OptionsAnswer,
  type OptionsFile,
  type OptionsWhatIf,
  removeReservation,
  reportOptionsInstall,
  type SavedReservation,
  saveOptionsFile,
  saveReservation,
} from '#contract/options-files/options-files.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { ADA, GRETA, VIC } from '#server/testing/activations.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const CUSTOMER = '100001'
const MAIN = '3cecef4b7d10'
const DONGLE = '9-1f04b7c2'
const ZONE = 'Europe/Berlin'
let portal: Portal
let ada: Awaited<ReturnType<Portal['as']>>
let today: string
let daemon: string
/** A feature of the license file, and its seats. */
let feature: string
let seats: number

beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  today = dayIn(ZONE, portal.clock.now())
  const file = await read(DONGLE)
  daemon = file.daemon
  const found = file.features.find((one) => (one.seats ?? 0) >= 4)!
  ;({ feature } = found)
  seats = found.seats!
})
afterAll(() => portal.close())

const server = (serverId = DONGLE) => ({ customerNumber: CUSTOMER, serverId })
const about = (serverId = DONGLE) => ({ ...server(serverId), daemon })
async function read(serverId = DONGLE): Promise<OptionsFile> {
  const { body } = await ada(getOptionsFile, { body: server(serverId) })
  expect(body).toMatchObject({ status: 'SUCCESS' })
  return (body.data as OptionsAnswer).file!
}
const save = async (text: string, revision: number, more: object = {}, serverId = DONGLE) =>
  ada(saveOptionsFile, { body: { ...about(serverId), text, revision, ...more } })
const GROUPS = 'GROUP crash ann bea\nGROUP cfd chris\n'
/** Saves a text whatever was saved before. */
async function saved(text: string, serverId = DONGLE): Promise<number> {
  const { revision } = await read(serverId)
  const { body } = await save(text, revision, {}, serverId)
  expect(body).toMatchObject({ status: 'SUCCESS' })
  return (body.data as { version: number }).version
}
const reservation = (more: object = {}) => ({
  ...about(),
  feature,
  group: 'crash',
  seats: 2,
  from: today,
  to: addDays(today, 6),
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  ...more,
})
const reserve = async (more: object = {}) => ada(saveReservation, { body: reservation(more) })
async function removeAll(): Promise<void> {
  for (const { id } of (await read()).reservations) await ada(removeReservation, { body: { ...about(), id } })
}

describe('an options file', () => {
  test('is empty at first, with the features of the license file', async () => {
    const file = await read(MAIN)
    expect(file).toMatchObject({ text: '', revision: 0, versions: [], problems: [], installs: [] })
    const { body } = await ada(getOptionsFile, { body: server(MAIN) })
    expect((body.data as OptionsAnswer).daemons).toContain(file.daemon)
    expect((body.data as OptionsAnswer).serverName).toBe('lic-berlin-01')
    expect(file.features.every(({ versions }) => versions.length > 0)).toBe(true)
  })

  test('is saved to the letter, version by version, with author and audit entry', async () => {
    const text = `# ours\r\n${GROUPS}RESERVE 1 ${feature} GROUP crash\nOWN keyword  x\n`
    expect((await save(text, 0)).body.data).toEqual({
      version: 1,
      problems: [{ line: 5, severity: 'warning', text: 'OWN is no known keyword. The line is kept as it is.' }],
    })
    expect((await save(text, 1)).body.data).toMatchObject({ version: 1 })
    expect((await save(`${text}NOLOG IN\n`, 1)).body.data).toMatchObject({ version: 2 })
    expect((await save(text, 2, { restoredFrom: 1 })).body.data).toMatchObject({ version: 3 })
    const { versions, text: stored, revision } = await read()
    expect({ stored, revision }).toEqual({ stored: text, revision: 3 })
    expect(versions.map(({ version, savedBy, restoredFrom }) => [version, savedBy, restoredFrom])).toEqual([
      [3, ADA, 1],
      [2, ADA, null],
      [1, ADA, null],
    ])
    const second = await ada(getOptionsVersion, { body: { ...about(), version: 2 } })
    expect(second.body.data).toMatchObject({ version: 2, text: `${text}NOLOG IN\n` })
    const entries = await portal.db
      .selectFrom('audit_log')
      .select(['target', 'after'])
      .where('action', '=', saveOptionsFile.name)
      .where('outcome', '=', 'done')
      .orderBy('id')
      .execute()
    expect(entries).toHaveLength(3)
    expect(entries[2]?.target).toBe(`${daemon} on lic-lab-dongle`)
  })

  test('with an error is refused with line and reason, and nothing is saved', async () => {
    const before = await read()
    const { body, status } = await save(`${GROUPS}RESERVE 1 slover GROUP crash\nMAX x\n`, before.revision)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'FAILURE',
      code: 'OPTIONS_NOT_VALID',
      err: 'Line 3: The license file has no feature slover of this vendor daemon. Line 4: MAX needs a whole number above 0, a feature, a type such as GROUP, and a name.',
    })
    expect((await save(`MAX 1 ${feature} USER a\u0007`, before.revision)).body.code).toBe('OPTIONS_NOT_VALID')
    expect((await save(`MAX 1 ${feature} USER a\u0000`, before.revision)).status).toBe(400)
    expect(await read()).toEqual(before)
  })

  test('that somebody else has saved is a conflict with both texts', async () => {
    const { revision, text } = await read()
    const first = await save(`${text}# first\n`, revision)
    expect(first.status).toBe(200)
    const second = await save(`${text}# second\n`, revision)
    expect(second.status).toBe(409)
    expect(second.body).toMatchObject({
      code: 'STALE',
      data: { current: { text: `${text}# first\n`, revision: revision + 1 }, yours: { text: `${text}# second\n` } },
    })
  })

  test('that ten people save at once has one next version', async () => {
    const { revision } = await read()
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => save(`${GROUPS}# ${index}\n`, revision)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
    expect((await read()).revision).toBe(revision + 1)
    const { daemon: fresh } = await read(MAIN)
    const create = (text: string) =>
      ada(saveOptionsFile, { body: { ...server(MAIN), daemon: fresh, text, revision: 0 } })
    const made = await Promise.all(['# a\n', '# b\n', '# c\n'].map(create))
    expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('is exported, any version of it, with an audit entry', async () => {
    const version = await saved(`${GROUPS}# exported\n`)
    const newest = await ada(exportOptionsFile, { body: about() })
    expect(newest.body.text).toBe(`${GROUPS}# exported\n`)
    expect(newest.headers['content-disposition']).toContain(`${daemon}_v${version}.opt`)
    expect((await ada(exportOptionsFile, { body: { ...about(), version: 2 } })).body.text).toContain('NOLOG IN')
    expect((await ada(exportOptionsFile, { body: { ...about(), version: 999 } })).status).toBe(404)
  })
})

describe('a download by token', () => {
  test('has the file of today with its hash as ETag, and says 304 if it is the same', async () => {
    const version = await saved(`${GROUPS}# downloaded ü\n`)
    const { headers } = await giveApiToken(portal, { scopes: ['license-use:read'] })
    const nobody = await portal.as(null)
    const get = (more: object = {}) => nobody(downloadOptionsFile, { query: about(), headers: { ...headers, ...more } })
    const first = await get()
    expect(first.status).toBe(200)
    expect(first.headers['content-type']).toBe('text/plain; charset=utf-8')
    const [, rules = '', seal = ''] = /^([\s\S]*\n)(# licensing-portal .*\n)$/.exec(String(first.body.text)) ?? []
    const sha256 = createHash('sha256').update(rules).digest('hex')
    expect(first.headers.etag).toBe(`"${sha256}"`)
    expect(seal).toMatch(
      new RegExp(
        `^# licensing-portal daemon=${daemon} version=${version} edition=\\d+ day=${today} bytes=${Buffer.byteLength(rules)} sha256=${sha256}\n$`,
      ),
    )
    expect(rules).toBe(`${GROUPS}# downloaded ü\n`)
    const same = await get({ 'if-none-match': first.headers.etag })
    expect({ status: same.status, text: same.body.text }).toEqual({ status: 304, text: '' })
    expect((await get({ 'if-none-match': `"0", W/${first.headers.etag}` })).status).toBe(304)
    await saved(`${GROUPS}# another\n`)
    expect((await get({ 'if-none-match': first.headers.etag })).status).toBe(200)
  })

  test('needs the scope license-use, and a file', async () => {
    const nobody = await portal.as(null)
    const { headers } = await giveApiToken(portal, { scopes: ['usage:read'] })
    expect((await nobody(downloadOptionsFile, { query: about(), headers })).status).toBe(403)
    expect((await nobody(downloadOptionsFile, { query: about() })).status).toBe(401)
    const none = await ada(downloadOptionsFile, { query: { ...about(), daemon: 'nodaemon' } })
    expect(none.status).toBe(404)
  })
})

describe('a reservation', () => {
  test('is in the file of its days only, by the day of the account', async () => {
    await saved(GROUPS)
    await removeAll()
    const from = addDays(today, 1)
    const { body } = await reserve({ from, to: from })
    expect(body).toMatchObject({ status: 'SUCCESS', data: { feature, group: 'crash', seats: 2, revision: 1 } })
    const before = await read()
    expect(before.todayText).toBe(GROUPS)
    // A session ends in the meantime.
    const { headers } = await giveApiToken(portal, { days: 7 })
    const nobody = await portal.as(null)
    const later = async () =>
      ((await nobody(getOptionsFile, { body: server(), headers })).body.data as OptionsAnswer).file!
    try {
      portal.clock.forward(86_400_000)
      expect((await later()).todayText).toContain(`\nRESERVE 2 ${feature} GROUP crash\n`)
      portal.clock.forward(86_400_000)
      expect(await later()).toMatchObject({ todayText: GROUPS, reservations: [] })
    } finally {
      portal.clock.forward(-2 * 86_400_000)
    }
    expect((await read()).text).toBe(GROUPS)
  })

  test('counts as a change of the file, which the collector sees', async () => {
    const editionNow = async () =>
      /edition=(\d+)/.exec(String((await ada(downloadOptionsFile, { query: about() })).body.text))?.[1]
    const before = Number(await editionNow())
    await removeAll()
    const { id } = (await reserve()).body.data as SavedReservation
    await ada(removeReservation, { body: { ...about(), id } })
    expect(Number(await editionNow())).toBeGreaterThanOrEqual(before + 2)
  })

  test.each<[what: string, more: () => object, reason: string]>([
    ['more seats than there are', () => ({ seats: seats + 1 }), 'would be reserved'],
    ['a group that the file does not have', () => ({ group: 'other' }), 'The saved options file has no group other.'],
    ['a feature that nobody knows', () => ({ feature: 'slover' }), 'are not known'],
    ['days that are over', () => ({ from: '2026-01-01', to: '2026-01-02' }), 'These days are over.'],
  ])('of %s is refused', async (_, more, reason) => {
    await saved(GROUPS)
    const { body } = await reserve(more())
    expect(body).toMatchObject({ status: 'FAILURE', code: 'RESERVATION_REFUSED' })
    expect(body.err).toContain(reason)
  })

  test('that overlaps another one of its group is refused, and so is one of seats that RESERVE lines have', async () => {
    await removeAll()
    await saved(`${GROUPS}RESERVE ${seats - 2} ${feature} USER ann\n`)
    expect((await reserve({ seats: 1 })).body.status).toBe('SUCCESS')
    expect((await reserve({ seats: 1 })).body.err).toContain('has a reservation')
    expect((await reserve({ seats: 2, group: 'cfd' })).body.err).toContain(`${seats + 1} of ${seats} seats`)
    expect((await reserve({ seats: 1, group: 'cfd' })).body.status).toBe('SUCCESS')
    const { revision } = await read()
    const { body } = await save(`${GROUPS}RESERVE ${seats - 1} ${feature} USER ann\n`, revision)
    expect(body).toMatchObject({ code: 'OPTIONS_NOT_VALID' })
    expect(body.err).toContain('the calendar and the RESERVE lines would reserve')
    expect((await save('GROUP cfd chris\n', revision)).body.err).toContain('reservations of group crash')
  })

  test('is changed with its revision, and refused if somebody else has changed it', async () => {
    await saved(GROUPS)
    await removeAll()
    const made = (await reserve()).body.data as SavedReservation
    const change = (seats: number, revision: number) => reserve({ id: made.id, seats, revision })
    expect((await change(1, 1)).body.data).toMatchObject({ id: made.id, seats: 1, revision: 2 })
    const late = await change(3, 1)
    expect(late.status).toBe(409)
    expect(late.body).toMatchObject({
      code: 'STALE',
      data: { current: { seats: 1, revision: 2 }, yours: { seats: 3 } },
    })
    expect((await reserve({ id: '00000000-0000-4000-8000-000000000000', revision: 1 })).status).toBe(404)
  })

  test('is made by as many of twenty people at once as there are seats', async () => {
    await removeAll()
    const groups = Array.from({ length: 20 }, (_, index) => `g${index}`)
    await saved(groups.map((name) => `GROUP ${name} u\n`).join(''))
    const answers = await Promise.all(groups.map((group) => reserve({ group, seats: 1 })))
    const made = answers.filter(({ body }) => body.status === 'SUCCESS').length
    expect(made).toBe(Math.min(seats, 20))
    expect(answers.filter(({ body }) => body.code === 'RESERVATION_REFUSED')).toHaveLength(20 - made)
    expect((await read()).reservations).toHaveLength(made)
    await removeAll()
  })

  test('and a save of RESERVE lines at once never reserve more than the seats', async () => {
    await saved(GROUPS)
    const { revision } = await read()
    const [first, second] = await Promise.all([
      reserve({ seats }),
      save(`${GROUPS}RESERVE 1 ${feature} USER ann\n`, revision),
    ])
    const outcomes = [first.body.status, second.body.status].sort()
    expect(outcomes).toEqual(['FAILURE', 'SUCCESS'])
    await removeAll()
  })
})

describe('a report of a collector', () => {
  test('says which version runs where, and whether it is the one of today', async () => {
    const version = await saved(`${GROUPS}# installed\n`)
    const text = `${GROUPS}# installed\n`
    const sha256 = createHash('sha256').update(text).digest('hex')
    const report = (machine: string, more: object = {}) =>
      ada(reportOptionsInstall, {
        body: { ...about(), machine, version, day: today, sha256, outcome: 'installed', ...more },
      })
    expect((await report('lab-a')).body.status).toBe('SUCCESS')
    await report('lab-b', { sha256: '0'.repeat(64) })
    await report('lab-c', { outcome: 'failed', message: 'lmreread: cannot connect (-15,10)' })
    expect((await read()).installs).toMatchObject([
      { machine: 'lab-a', version, outcome: 'installed', isCurrent: true, message: null },
      { machine: 'lab-b', isCurrent: false },
      { machine: 'lab-c', outcome: 'failed', isCurrent: false, message: 'lmreread: cannot connect (-15,10)' },
    ])
    await saved(`${GROUPS}# newer\n`)
    expect((await read()).installs.map(({ isCurrent }) => isCurrent)).toEqual([false, false, false])
    for (let machine = 0; machine < 25; machine += 1) {
      portal.clock.forward(1000)
      await report(`container-${machine}`)
    }
    const { installs } = await read()
    expect(installs).toHaveLength(20)
    expect(installs.map(({ machine }) => machine)).not.toContain('lab-a')
  })
})

describe('what would have happened', () => {
  test('is counted from measured checkouts and denials of the last 30 days', async () => {
    const file = await read(MAIN)
    const found = file.features.find((one) => (one.seats ?? 0) >= 2 && one.versions.length > 0)!
    const day = addDays(today, -1)
    const [year, month, date] = day.split('-').map(Number)
    const [own, limit] = [found.feature, found.seats ?? 0]
    const line = (minute: number, said: string) => `1:${String(minute).padStart(2, '0')}:00 (${file.daemon}) ${said}`
    const taken = Array.from({ length: limit }, (_, index) => line(index + 1, `OUT: "${own}" greedy@pc${index}  `))
    const full = '(Licensed number of users already reached. (-4,342))'
    const text = [
      `1:00:00 (lmgrd) TIMESTAMP ${month}/${date}/${year}`,
      ...taken,
      line(40, `DENIED: "${own}" ann@pc  ${full}`),
      line(45, `DENIED: "${own}" bea@pc  ${full}`),
      line(50, `IN: "${own}" greedy@pc0  `),
      line(55, `OUT: "${own}" dan@pc  `),
      `2:00:00 (lmgrd) TIMESTAMP ${month}/${date}/${year}\n`,
    ].join('\n')
    await ada(sendObservations, { body: { ...server(MAIN), observations: [{ text }] } })
    const named = { ...server(MAIN), daemon: file.daemon }
    const whatIf = async (rules: string) =>
      (await ada(getOptionsWhatIf, { body: { ...named, text: rules } })).body.data as OptionsWhatIf
    const none = await whatIf('# nothing\n')
    expect(none.replay).toMatchObject({ avoided: 0, added: 0, features: [], leftOut: [] })
    const { denials, checkouts } = none.replay!
    expect({ denials: denials >= 2, checkouts: checkouts >= limit + 1 }).toEqual({ denials: true, checkouts: true })
    // One seat is kept for ann and bea: greedy gets one less, and both denials find it free.
    const reserved = await whatIf(`GROUP pair ann bea\nRESERVE 1 ${own} GROUP pair\n`)
    expect(reserved.replay?.features).toEqual([{ feature: own, avoided: 2, added: 1 }])
    const excluded = await whatIf(`EXCLUDE ${own} USER dan\nEXCLUDE ${own} PROJECT x\nMAX x\n`)
    expect(excluded.replay).toMatchObject({ features: [{ feature: own, avoided: 0, added: 1 }], leftOut: [2] })
    expect(excluded.problems).toMatchObject([{ line: 3, severity: 'error' }])
    const outsider = await portal.as(GRETA)
    expect((await outsider(getOptionsWhatIf, { body: { ...named, text: '' } })).status).toBe(404)
  })

  test('is not computed while users have pseudonyms', async () => {
    const settings = { hasPseudonyms: true, keptDays: 400 }
    await ada(saveLicenseUseSettings, { body: { customerNumber: CUSTOMER, settings, revision: 0 } })
    const { body } = await ada(getOptionsWhatIf, { body: { ...about(), text: '# nothing\n' } })
    expect(body.data).toMatchObject({ replay: null, hasPseudonyms: true })
  })
})

describe('options files are for those who may:', () => {
  const calls = () =>
    [
      [saveOptionsFile, { ...about(), text: '', revision: 0 }],
      [saveReservation, reservation()],
      [removeReservation, { ...about(), id: '00000000-0000-4000-8000-000000000000' }],
      [
        reportOptionsInstall,
        { ...about(), machine: 'lic', version: 1, day: today, sha256: '0'.repeat(64), outcome: 'installed' },
      ],
    ] as const

  test('a viewer reads and cannot change anything', async () => {
    const vic = await portal.as(VIC)
    expect((await vic(getOptionsFile, { body: server() })).status).toBe(200)
    for (const [operation, body] of calls()) expect((await vic(operation, { body })).status, operation.name).toBe(403)
  })

  test('nobody who is not signed in gets anything, and others do not find the account', async () => {
    const [nobody, greta] = [await portal.as(null), await portal.as(GRETA)]
    for (const [operation, body] of [...calls(), [getOptionsFile, server()] as const]) {
      expect((await nobody(operation, { body })).status, operation.name).toBe(401)
      expect((await greta(operation, { body })).status, operation.name).toBe(404)
    }
  })

  test('an unknown license server, vendor daemon or version is not found, and bad input is refused', async () => {
    expect((await ada(getOptionsFile, { body: server('00000000000b') })).status).toBe(404)
    expect((await ada(getOptionsFile, { body: { ...server(), daemon: 'nodaemon' } })).status).toBe(404)
    expect((await ada(getOptionsVersion, { body: { ...about(), version: 999 } })).status).toBe(404)
    expect((await save('# x\n', (await read()).revision, { restoredFrom: 999 })).status).toBe(404)
    expect((await save('# not that of it\n', (await read()).revision, { restoredFrom: 1 })).status).toBe(400)
    expect((await ada(getOptionsFile, { body: { ...server(), daemon: 'two words' } })).status).toBe(400)
    expect((await ada(saveOptionsFile, { body: { ...about(), text: 'x'.repeat(262_145), revision: 0 } })).status).toBe(
      400,
    )
    expect((await reserve({ weekdays: [] })).status).toBe(400)
  })
})
