import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getLicenseUseSettings, saveLicenseUseSettings } from '#contract/license-use/license-use.ts'
import { sendObservations } from '#contract/license-use/observations.ts'
import * as waiting from '#contract/license-use/waiting/waiting.ts'
import { advanceAllLines } from '#server/modules/license-use/waiting/advance-lines.ts'
import { ADA, GRETA, OLIVIA, VIC } from '#server/testing/activations.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { lmstatOutput, type ShownHolder } from '#server/testing/lmstat-output.ts'
import { type Answer, type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
const SERVER = '3cecef4b7d10'
const OTHER_SERVER = '9-77e0d1f5'
const CORA = 'cora.coordinator@aerodyne.example'
const MINUTE = 60_000
let portal: Portal
let ada: Awaited<ReturnType<Portal['as']>>
let vic: typeof ada
let cora: typeof ada
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  vic = await portal.as(VIC)
  cora = await portal.as(CORA)
})
afterAll(() => portal.close())

let made = 0
/** A feature of its own for each test, which a license server reports with two seats that others hold. */
async function newFeature(holders: ShownHolder[] = TAKEN, serverId = SERVER): Promise<string> {
  made += 1
  const feature = `solver${made}`
  await report(feature, holders, serverId)
  return feature
}
const MAX: ShownHolder = ['max', '1:00']
const TAKEN: ShownHolder[] = [MAX, ['moritz', '1:00']]

async function report(feature: string, holders: readonly ShownHolder[], serverId = SERVER): Promise<Answer> {
  await pass(1)
  const text = lmstatOutput({ at: portal.clock.now(), feature, seats: 2, holders })
  const answer = await ada(sendObservations, { body: { customerNumber, serverId, observations: [{ text }] } })
  expect(answer.body).toMatchObject({ data: [{ outcome: 'stored' }] })
  return answer
}

const inMinutes = (minutes: number) => new Date(portal.clock.now().getTime() + minutes * MINUTE).toISOString()
const join = (call: typeof ada, feature: string, more: object = {}) =>
  call(waiting.joinLine, { body: { customerNumber, feature, until: inMinutes(480), ...more } })
const placeOf = (answer: Answer) => answer.body.data as waiting.WaitingPlace
const one = async (id: string) => placeOf(await ada(waiting.getPlace, { body: { customerNumber, id } }))
const leave = (call: typeof ada, id: string) => call(waiting.leaveLine, { body: { customerNumber, id } })
/** Time passes. People whose sign-in is idle for long would be signed out. */
async function pass(minutes: number) {
  for (let left = minutes; left > 0; left -= 5) {
    portal.clock.forward(Math.min(5, left) * MINUTE)
    for (const call of [ada, vic, cora]) await call(getLicenseUseSettings, { body: { customerNumber } })
  }
}
const tick = async (minutes: number) => {
  await pass(minutes)
  return advanceAllLines({ db: portal.portal.db, clock: portal.clock, config: portal.config })
}
async function lineOf(call: typeof ada, feature: string): Promise<waiting.WaitingRow[]> {
  const filter = { condition: 'ALL', criteria: [{ name: 'feature', method: 'EQUALS', value: feature }] }
  return (await call(waiting.waitingList.page, { body: { customerNumber, filter } })).body.data as waiting.WaitingRow[]
}
/** Emails that wait to be sent or were sent; they are not among those of the account. */
async function mailsTo(email: string, text: string) {
  const rows = await portal.db.selectFrom('outbox_message').select('payload').where('lane', '=', 'mail').execute()
  const mails = rows.flatMap(({ payload }) => {
    const { mail } = payload as { mail?: { to: string[]; subject: string; text: string } }
    return mail ? [mail] : []
  })
  return mails.filter(({ to, subject }) => to.includes(email) && subject.includes(text))
}
const actsOn = (feature: string) =>
  portal.db.selectFrom('audit_log').select(['email', 'text']).where('target', '=', feature).orderBy('at').execute()

describe('the line of a feature', () => {
  test('tells the first person of a free seat, then the next, and sees who has checked out', async () => {
    const feature = await newFeature()
    const first = placeOf(await join(vic, feature))
    expect(first).toMatchObject({ state: 'waiting', place: 1, userName: 'vic.viewer', seats: 1, offer: null })
    const second = placeOf(await join(cora, feature))
    expect(second).toMatchObject({ state: 'waiting', place: 2 })
    expect(await mailsTo(VIC, feature)).toEqual([])

    await report(feature, [MAX])
    const { offer } = await one(first.id)
    expect(offer).toEqual({ serverId: SERVER, serverName: 'lic-berlin-01', endsAt: inMinutes(10) })
    expect(await one(second.id)).toMatchObject({ state: 'waiting', place: 2 })
    const [mail] = await mailsTo(VIC, `A seat of ${feature} is free for you`)
    expect(mail?.text).toContain('lic-berlin-01')
    expect(await mailsTo(CORA, feature)).toEqual([])

    // The next report shows the person, and no seat is free for the second one.
    await report(feature, [MAX, ['Vic.Viewer', '9:00']])
    expect(await one(first.id)).toMatchObject({ state: 'checked-out', place: null, offer: null })
    expect(await one(second.id)).toMatchObject({ state: 'waiting', place: 1 })
    expect(await mailsTo(VIC, 'no longer in line')).toEqual([])

    await report(feature, [MAX])
    expect(await one(second.id)).toMatchObject({ state: 'offered' })
    await tick(10)
    expect(await one(second.id)).toMatchObject({ state: 'offered' })
    await tick(2)
    expect(await one(second.id)).toMatchObject({ state: 'missed', place: null })
    expect(await mailsTo(CORA, `no longer in line for a seat of ${feature}`)).toHaveLength(1)
    expect((await actsOn(feature)).map(({ email, text }) => `${email}: ${text}`)).toEqual([
      `${VIC}: Got in line for a seat of ${feature}`,
      `${CORA}: Got in line for a seat of ${feature}`,
      `operator: Told the first in line of a seat of ${feature} on lic-berlin-01`,
      `operator: Ended a place in line for a seat of ${feature}: the user has checked out`,
      `operator: Told the first in line of a seat of ${feature} on lic-berlin-01`,
      `operator: Ended a place in line for a seat of ${feature}: nobody checked out in time`,
    ])
  })

  test('tells the next person at the first report after an offer has ended, once', async () => {
    const feature = await newFeature()
    const first = placeOf(await join(vic, feature))
    const second = placeOf(await join(cora, feature))
    await report(feature, [MAX])
    await pass(10)
    await report(feature, [MAX])
    expect(await one(first.id)).toMatchObject({ state: 'missed' })
    expect(await one(second.id)).toMatchObject({ state: 'offered' })
    await Promise.all([report(feature, [MAX]), tick(0), tick(0)])
    expect(await mailsTo(CORA, 'free for you')).toHaveLength((await mailsTo(CORA, 'free for you')).length)
    expect(await mailsTo(CORA, `seat of ${feature} is free`)).toHaveLength(1)
    expect(await mailsTo(VIC, `seat of ${feature} is free`)).toHaveLength(1)
  })

  test('tells a person at once if a seat is free when they get in line', async () => {
    const feature = await newFeature([MAX])
    expect(placeOf(await join(vic, feature))).toMatchObject({ state: 'offered', place: 1 })
  })

  test('tells nobody by an old report', async () => {
    const feature = await newFeature([MAX])
    await pass(11)
    expect(placeOf(await join(vic, feature))).toMatchObject({ state: 'waiting', place: 1 })
  })

  test('tells those with a higher priority first, as administrators decide', async () => {
    const feature = await newFeature()
    const first = placeOf(await join(vic, feature))
    const second = placeOf(await join(cora, feature))
    const body = { customerNumber, id: second.id, priority: 'high' }
    expect((await vic(waiting.setPriority, { body })).status).toBe(403)
    expect(placeOf(await ada(waiting.setPriority, { body }))).toMatchObject({ place: 1 })
    expect(await one(first.id)).toMatchObject({ place: 2 })
    await report(feature, [MAX])
    expect(await one(second.id)).toMatchObject({ state: 'offered' })
    expect(await one(first.id)).toMatchObject({ state: 'waiting' })
    expect((await actsOn(feature)).map(({ text }) => text)).toContain(
      `Changed the priority in the line for a seat of ${feature}: high`,
    )
  })

  test('is left by the person, whose free seat goes to the next one', async () => {
    const feature = await newFeature()
    const first = placeOf(await join(vic, feature))
    const second = placeOf(await join(cora, feature))
    await report(feature, [MAX])
    expect(placeOf(await leave(vic, first.id))).toMatchObject({ state: 'withdrawn', place: null })
    expect(await one(second.id)).toMatchObject({ state: 'offered' })
    expect((await leave(vic, first.id)).body).toMatchObject({ status: 'FAILURE', code: 'NOT_IN_LINE' })
  })

  test('is left by others only if administrators take them out, who tell them', async () => {
    const feature = await newFeature()
    const own = placeOf(await join(vic, feature))
    const foreign = placeOf(await join(ada, feature))
    expect((await leave(vic, foreign.id)).status).toBe(403)
    expect(placeOf(await leave(ada, own.id))).toMatchObject({ state: 'withdrawn' })
    expect(await mailsTo(VIC, `no longer in line for a seat of ${feature}`)).toHaveLength(1)
  })

  test('is left at the end of the time', async () => {
    const feature = await newFeature()
    const { id } = placeOf(await join(vic, feature, { until: inMinutes(30) }))
    await tick(29)
    expect(await one(id)).toMatchObject({ state: 'waiting' })
    await tick(1)
    expect(await one(id)).toMatchObject({ state: 'expired' })
    expect(await mailsTo(VIC, `waited for a seat of ${feature} is over`)).toHaveLength(1)
  })

  test('is left by who loses their access, without an email', async () => {
    const feature = await newFeature()
    const email = 'hal.heritage@heritage.example'
    const role = 'Licensing Portal Viewer'
    await portal.db.insertInto('contact').values({ customer_number: customerNumber, email, role }).execute()
    const { id } = placeOf(await join(await portal.as(email), feature))
    await tick(1)
    expect(await one(id)).toMatchObject({ state: 'waiting' })
    await portal.db
      .deleteFrom('contact')
      .where('customer_number', '=', customerNumber)
      .where('email', '=', email)
      .execute()
    await report(feature, [])
    expect(await one(id)).toMatchObject({ state: 'no-access' })
    expect(await mailsTo(email, feature)).toEqual([])
  })

  test('is for one license server or for any', async () => {
    const feature = await newFeature()
    await report(feature, TAKEN, OTHER_SERVER)
    const named = placeOf(await join(vic, feature, { serverId: SERVER }))
    const any = placeOf(await join(cora, feature))
    expect(named.serverId).toBe(SERVER)
    await report(feature, [MAX], OTHER_SERVER)
    expect(await one(named.id)).toMatchObject({ state: 'waiting' })
    expect(await one(any.id)).toMatchObject({ state: 'offered', offer: { serverId: OTHER_SERVER } })
  })

  test('shows everybody their own place, and of others only the user names', async () => {
    const feature = await newFeature()
    await join(vic, feature)
    await join(cora, feature, { userName: 'CoCo', seats: 2 })
    expect(await lineOf(vic, feature)).toMatchObject([
      { place: 1, user: 'vic.viewer', isOwn: true, stateText: 'Waiting', serverName: null },
      { place: 2, user: 'CoCo', isOwn: false, seats: 2 },
    ])
    expect(JSON.stringify(await lineOf(vic, feature))).not.toContain('@')
    const olivia = await portal.as(OLIVIA)
    expect(await lineOf(olivia, feature)).toHaveLength(2)
    const csv = await ada(waiting.waitingList.exportCsv, { body: { customerNumber } })
    expect(csv.body.text).toContain('"Feature","Place","User","State","Seats"')
    expect(csv.body.text).toContain(`"${feature}",2,"CoCo","Waiting",2`)
  })
})

describe('getting in line', () => {
  test.each<[what: string, body: object, code: string]>([
    ['a second time', {}, 'ALREADY_WAITING'],
    ['a second time in capitals', { userName: 'VIC.VIEWER' }, 'ALREADY_WAITING'],
    ['for more seats than there are', { userName: 'other', seats: 3 }, 'TOO_MANY_SEATS'],
    ['until the past', { userName: 'other', until: '2020-01-01T00:00:00Z' }, 'INVALID_TIME'],
    ['for months', { userName: 'other', until: '2999-01-01T00:00:00Z' }, 'INVALID_TIME'],
  ])('%s is refused', async (_what, body, code) => {
    const feature = await newFeature()
    await join(vic, feature)
    expect((await join(vic, feature, body)).body).toMatchObject({ status: 'FAILURE', code })
  })

  test.each<[what: string, body: object, status: number]>([
    ['an unknown feature', { feature: 'nothing' }, 404],
    ['an unknown license server', { serverId: '0000000000ff' }, 404],
    ['a server without the feature', { serverId: OTHER_SERVER }, 404],
    ['no seats', { seats: 0 }, 400],
    ['an empty name', { userName: ' ' }, 400],
    ['no time', { until: 'soon' }, 400],
    ['an account that does not exist', { customerNumber: '999999' }, 404],
  ])('for %s is answered with %s', async (_what, body, status) => {
    const feature = await newFeature()
    expect((await join(vic, feature, body)).status).toBe(status)
  })

  test('is for people of the account: not for strangers, staff or nobody', async () => {
    const feature = await newFeature()
    expect((await join(await portal.as(GRETA), feature)).status).toBe(404)
    expect((await join(await portal.as(OLIVIA), feature)).status).toBe(403)
    expect((await join(await portal.as(null), feature)).status).toBe(401)
  })

  test('of 20 people at once gives everybody a place of their own', async () => {
    const feature = await newFeature()
    const users = Array.from({ length: 20 }, (_, index) => `user${index}`)
    const answers = await Promise.all(users.map((userName) => join(vic, feature, { userName })))
    expect(answers.map((answer) => placeOf(answer).place).sort((a, b) => Number(a) - Number(b))).toEqual(
      users.map((_, index) => index + 1),
    )
    const twice = await Promise.all([1, 2, 3].map(() => join(vic, feature, { userName: 'same' })))
    expect(twice.map(({ body }) => body.status).sort()).toEqual(['FAILURE', 'FAILURE', 'SUCCESS'])
  })

  test('ends at so many places of one person', async () => {
    const feature = await newFeature()
    const ends = []
    for (let count = 0; count < 101; count += 1) ends.push((await join(ada, feature, { userName: `job${count}` })).body)
    expect(ends.at(-1)).toMatchObject({ code: 'LINE_FULL' })
    for (const { id, isOwn } of await lineOf(ada, feature)) if (isOwn) await leave(ada, id)
  })

  test('by token works for a job scheduler, without emails', async () => {
    const feature = await newFeature()
    const { headers } = await giveApiToken(portal, { scopes: ['license-use:write'] })
    const nobody = await portal.as(null)
    const body = { customerNumber, feature, until: inMinutes(60), userName: 'batch' }
    const { id } = placeOf(await nobody(waiting.joinLine, { body, headers }))
    await report(feature, [MAX])
    const answer = await nobody(waiting.getPlace, { body: { customerNumber, id }, headers })
    expect(placeOf(answer)).toMatchObject({ state: 'offered', offer: { serverId: SERVER } })
    expect(await mailsTo(ADA, feature)).toEqual([])
    expect((await nobody(waiting.leaveLine, { body: { customerNumber, id }, headers })).status).toBe(200)
    const reader = await giveApiToken(portal, { scopes: ['license-use:read'] })
    expect((await nobody(waiting.joinLine, { body, headers: reader.headers })).status).toBe(403)
  })
})

describe('asking the holder', () => {
  const ask = (call: typeof ada, feature: string, userName: string) =>
    call(waiting.askHolder, { body: { customerNumber, serverId: SERVER, feature, userName } })
  const hoursAgo = (hours: number) => `${(portal.clock.now().getUTCHours() + 24 - hours) % 24}:00`

  test('sends one email a day to who holds a seat for long, and shows no address', async () => {
    const since = hoursAgo(9)
    const feature = await newFeature([
      ['Ada.Admin', since],
      ['max', since],
    ])
    const asked = await ask(vic, feature, 'Ada.Admin')
    expect(asked.body).toMatchObject({ status: 'SUCCESS', data: null })
    const [mail] = await mailsTo(ADA, `${VIC} asks you for a seat of ${feature}`)
    expect(mail?.text).toContain('You hold it since')
    expect((await ask(cora, feature, 'Ada.Admin')).body).toMatchObject({ status: 'FAILURE', code: 'ASKED_TODAY' })
    expect((await actsOn(feature)).map(({ text }) => text)).toEqual([`Asked Ada.Admin for a seat of ${feature}`])
    expect(JSON.stringify((await ask(vic, feature, 'max')).body)).toContain('ADDRESS_NOT_KNOWN')
    const emails = await portal.db
      .selectFrom('mail')
      .select('subject')
      .where('subject', 'like', `%${feature}%`)
      .execute()
    expect(emails).toEqual([])
  })

  test('refuses who holds none, or not for long', async () => {
    const feature = await newFeature([['cora.coordinator', hoursAgo(1)]])
    expect((await ask(vic, feature, 'cora.coordinator')).body).toMatchObject({ code: 'HELD_TOO_SHORT' })
    expect((await ask(vic, feature, 'nobody')).body).toMatchObject({ code: 'NOT_A_HOLDER' })
    expect((await ask(vic, 'nothing', 'nobody')).status).toBe(404)
    expect((await ask(await portal.as(OLIVIA), feature, 'nobody')).status).toBe(403)
    expect((await ask(await portal.as(null), feature, 'nobody')).status).toBe(401)
  })
})

describe('metrics', () => {
  test('tell Prometheus the seats of every feature by token', async () => {
    const feature = await newFeature([MAX])
    await join(vic, feature, { userName: 'a "quoted" \\ name' })
    await join(vic, feature, { userName: 'second', seats: 2, serverId: SERVER })
    const { headers } = await giveApiToken(portal, { scopes: ['license-use:read'] })
    const nobody = await portal.as(null)
    const answer = await nobody(waiting.getMetrics, { query: { customerNumber }, headers })
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    const labels = `{feature="${feature}",server="lic-berlin-01",server_id="${SERVER}"}`
    for (const line of [
      '# TYPE license_seats gauge',
      `license_seats${labels} 2`,
      `license_seats_in_use${labels} 1`,
      `license_seats_free${labels} 1`,
      `license_seats_reserved${labels} 0`,
      `license_seats_waiting${labels} 2`,
      `license_seats_waiting{feature="${feature}",server="any",server_id="any"} 1`,
    ])
      expect(answer.body.text).toContain(`${line}\n`)
    expect((await nobody(waiting.getMetrics, { query: { customerNumber } })).status).toBe(401)
    expect((await nobody(waiting.getMetrics, { query: { customerNumber: '100003' }, headers })).status).toBe(404)
  })
})

test('with pseudonyms nobody in line is named, checkouts are seen, and no holder can be asked', async () => {
  const feature = await newFeature()
  const own = placeOf(await join(vic, feature))
  const { body } = await ada(saveLicenseUseSettings, {
    body: { customerNumber, settings: { hasPseudonyms: true, keptDays: 400, offerMinutes: 5 }, revision: 0 },
  })
  expect(body.data).toMatchObject({ hasPseudonyms: true, offerMinutes: 5, askHours: 8 })
  const later = placeOf(await join(cora, feature))
  expect((await join(vic, feature)).body).toMatchObject({ code: 'ALREADY_WAITING' })
  const line = await lineOf(ada, feature)
  expect(line.map(({ user }) => user).every((user) => user.startsWith('user-'))).toBe(true)
  await report(feature, [MAX])
  expect(await one(own.id)).toMatchObject({ state: 'offered', offer: { endsAt: inMinutes(5) } })
  await report(feature, [MAX, ['vic.viewer', '9:00']])
  expect(await one(own.id)).toMatchObject({ state: 'checked-out' })
  expect(await one(later.id)).toMatchObject({ state: 'waiting', place: 1 })
  const asked = await vic(waiting.askHolder, { body: { customerNumber, serverId: SERVER, feature, userName: 'max' } })
  expect(asked.body).toMatchObject({ code: 'HOLDERS_HIDDEN' })
})
