import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAlert, editAlert, resolveAlert } from '#contract/messages/alert-authoring.ts'
import { alertList, categoryFilter, notExpiredFilter, resolvedFilter } from '#contract/messages/alert-list.ts'
import { activeNotifications, getNotification } from '#contract/messages/notifications.ts'
import {
  DESCRIPTION_REQUIRED,
  EXPIRES_TOO_EARLY,
  LINK_ADDRESS_INVALID,
  LINK_MISLEADING,
} from '#domain/messages/alert-draft.ts'
import { type Alert, isExpired, isResolved } from '#domain/messages/alerts.ts'
import { demoAlertId } from '#server/demo/parts/alerts.demo.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const HOUR = 3_600_000
const VIC = 'vic.viewer@aerodyne.example'
const OLIVIA = 'olivia.ops@vendor.example'
const ADAM = 'adam.admin@vendor.example'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

type AlertRecord = Alert & { severity: number; revision: number }
const inHours = (hours: number) => new Date(portal.clock.now().getTime() + hours * HOUR).toISOString()
const draft = () => ({
  category: 'WARNING',
  date: inHours(-1),
  expires: null as string | null,
  description: 'Slow',
  service: ['Licensing Portal'],
  links: [{ text: 'Status', url: 'https://status.vendor.example/' }],
})

async function list(filter?: unknown, sorting?: unknown): Promise<AlertRecord[]> {
  const call = await portal.as(VIC)
  const { status, body } = await call(alertList.page, {
    body: { ...(filter ? { filter } : {}), ...(sorting ? { sorting } : {}), limit: 1000 },
  })
  expect(status, body.err).toBe(200)
  return body.data as AlertRecord[]
}

async function create(change: Partial<ReturnType<typeof draft>> = {}): Promise<AlertRecord> {
  const call = await portal.as(ADAM)
  const { status, body } = await call(createAlert, { body: { ...draft(), ...change } })
  expect(status, body.err).toBe(200)
  return body.data as AlertRecord
}

const banner = async () => {
  const call = await portal.as(VIC)
  return ((await call(activeNotifications)).body.data as Alert[]).map((alert) => alert.id)
}

describe('the list of alerts', () => {
  test('lists alerts of every category, active and resolved, with and without expiry, newest first', async () => {
    const all = await list()
    const kinds = new Set(all.flatMap((alert) => [alert.category, alert.status, alert.expires === null]))
    expect(kinds).toEqual(new Set(['OK', 'INFO', 'WARNING', 'CRITICAL', 'ACTIVE', 'RESOLVED', true, false]))
    const dates = all.map((alert) => alert.date)
    expect(dates).toEqual(dates.toSorted().toReversed())
  })

  test('filters by resolved, not expired and category by the rules of the domain', async () => {
    const all = await list()
    const now = portal.clock.now()
    const ids = (alerts: AlertRecord[]) => alerts.map((alert) => alert.id).sort()
    expect(ids(await list(resolvedFilter(now)))).toEqual(ids(all.filter((alert) => isResolved(alert, now))))
    expect(ids(await list(notExpiredFilter(now)))).toEqual(ids(all.filter((alert) => !isExpired(alert, now))))
    const some = categoryFilter(['OK', 'WARNING'])
    expect(new Set((await list(some)).map((alert) => alert.category))).toEqual(new Set(['OK', 'WARNING']))
  })

  test('sorts by severity, filters by service, counts, and lists distinct services', async () => {
    const severities = (await list(undefined, [{ name: 'severity', direction: 'desc' }])).map((one) => one.severity)
    expect(severities).toEqual(severities.toSorted().toReversed())
    const call = await portal.as(VIC)
    const filter = {
      condition: 'ALL',
      criteria: [{ name: 'service', method: 'ARRAY_CONTAINS', value: 'Web Licenses' }],
    }
    expect((await list(filter)).map((alert) => alert.service)).toEqual([['Web Licenses']])
    expect((await call(alertList.count, { body: { filter } })).body.data).toBe(1)
    const services = (await call(alertList.distinct, { body: {} })).body.data
    expect(services).toEqual(expect.arrayContaining(['Email', 'Elastic Licensing', 'Web Licenses']))
  })

  test('continues with a token', async () => {
    const call = await portal.as(VIC)
    const all = (await list()).map((alert) => alert.id)
    const first = await call(alertList.page, { body: { limit: 4 } })
    const rest = await call(alertList.page, { body: { limit: 1000, token: first.body.token } })
    const pages = [...(first.body.data as Alert[]), ...(rest.body.data as Alert[])]
    expect(pages.map((alert) => alert.id)).toEqual(all)
  })

  test('names the field that it does not know', async () => {
    const call = await portal.as(VIC)
    const filter = { condition: 'ALL', criteria: [{ name: 'bogus', method: 'EQUALS', value: 1 }] }
    for (const operation of [alertList.page, alertList.count, alertList.distinct])
      expect(await call(operation, { body: { filter } })).toMatchObject({
        status: 400,
        body: { err: "filter.criteria[0]: unknown field 'bogus'" },
      })
  })
})

test('the banner shows alerts that are active, not expired and not announced too early', async () => {
  expect((await banner()).sort()).toEqual([1, 3, 6, 9].map(demoAlertId))
})

describe('one alert', () => {
  test('is answered with all its fields', async () => {
    const call = await portal.as(VIC)
    const { status, body } = await call(getNotification, { params: { id: demoAlertId(6) } })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      id: demoAlertId(6),
      category: 'INFO',
      severity: 1,
      revision: 1,
      links: [{ text: 'Status page', url: 'https://status.vendor.example/' }, { text: 'What to prepare' }],
    })
  })

  test('is 404 for an unknown id, and 400 for anything that is no id', async () => {
    const call = await portal.as(VIC)
    expect((await call(getNotification, { params: { id: UNKNOWN } })).status).toBe(404)
    expect((await call(getNotification, { params: { id: 'x' } })).status).toBe(400)
  })
})

describe('authors of alerts', () => {
  test('publish an alert, which is then in the list and in the banner', async () => {
    const alert = await create({ description: ' Slow ', service: ['A ', 'A', 'B'] })
    expect(alert).toMatchObject({ status: 'ACTIVE', revision: 1, description: 'Slow', service: ['A', 'B'] })
    expect(await banner()).toContain(alert.id)
    expect((await list()).map((one) => one.id)).toContain(alert.id)
  })

  test('edit an alert: the banner changes, and the audit log keeps both versions', async () => {
    const alert = await create()
    const call = await portal.as(OLIVIA)
    const { body } = await call(editAlert, {
      params: { id: alert.id },
      body: { ...draft(), revision: 1, category: 'CRITICAL', description: 'Down' },
    })
    expect(body.data).toMatchObject({ revision: 2, category: 'CRITICAL', description: 'Down' })
    const trace = await portal.db
      .selectFrom('audit_log')
      .select(['action', 'email', 'before', 'after'])
      .where('target', '=', alert.id)
      .orderBy('id')
      .execute()
    expect(trace).toMatchObject([
      { action: 'alerts/create', email: ADAM, before: null, after: { description: 'Slow' } },
      { action: 'alerts/edit', email: OLIVIA, before: { description: 'Slow' }, after: { description: 'Down' } },
    ])
  })

  test('get 409 with both versions when somebody else edited the alert first', async () => {
    const alert = await create()
    const olivia = await portal.as(OLIVIA)
    const adam = await portal.as(ADAM)
    const edit = (description: string) => ({
      params: { id: alert.id },
      body: { ...draft(), revision: 1, description },
    })
    const answers = await Promise.all([olivia(editAlert, edit('Hers')), adam(editAlert, edit('His'))])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
    const [won, lost] = answers[0]?.status === 200 ? ['Hers', 'His'] : ['His', 'Hers']
    expect(answers.find((answer) => answer.status === 409)?.body).toMatchObject({
      status: 'FAILURE',
      err: 'This alert was changed by somebody else in the meantime.',
      data: { current: { description: won, revision: 2 }, yours: { description: lost } },
    })
    const again = won === 'Hers' ? olivia : adam
    expect((await again(editAlert, edit(won ?? ''))).body.data, 'saved already').toMatchObject({ revision: 2 })
  })

  test.each([
    ['without an expiry', 0, null],
    ['with one to come', 0, 5],
    ['before it has begun', 48, 50],
  ])('resolve an alert %s, which sets its expiry to now', async (_, startsIn, expiresIn) => {
    const alert = await create({ date: inHours(startsIn), expires: expiresIn === null ? null : inHours(expiresIn) })
    const call = await portal.as(ADAM)
    const { body } = await call(resolveAlert, { params: { id: alert.id }, body: { revision: 1 } })
    expect(body.data).toMatchObject({ status: 'RESOLVED', revision: 2, expires: inHours(0) })
    expect(isResolved(body.data as Alert, portal.clock.now())).toBe(true)
    expect(await banner()).not.toContain(alert.id)
    const twice = await call(resolveAlert, { params: { id: alert.id }, body: { revision: 1 } })
    expect(twice.body.data, 'resolved already').toMatchObject({ revision: 2 })
  })

  test('keep an expiry that has passed when they resolve an alert', async () => {
    const alert = await create({ date: inHours(-9), expires: inHours(-8) })
    const call = await portal.as(ADAM)
    const { body } = await call(resolveAlert, { params: { id: alert.id }, body: { revision: 1 } })
    expect(body.data).toMatchObject({ status: 'RESOLVED', expires: inHours(-8) })
  })

  test('get 409 when they resolve an alert that has changed in the meantime', async () => {
    const alert = await create()
    const call = await portal.as(ADAM)
    await call(editAlert, { params: { id: alert.id }, body: { ...draft(), revision: 1, description: 'New' } })
    expect((await call(resolveAlert, { params: { id: alert.id }, body: { revision: 1 } })).status).toBe(409)
  })

  test.each([
    [{ description: '  ' }, DESCRIPTION_REQUIRED],
    [{ expires: '2020-01-01T00:00:00Z' }, EXPIRES_TOO_EARLY],
    [{ links: [{ text: 'x', url: 'javascript:alert(1)' }] }, LINK_ADDRESS_INVALID],
    [{ links: [{ text: 'x', url: 'https://vendor.example@evil.example/' }] }, LINK_MISLEADING],
    [{ category: 'FATAL' }, 'body.category'],
    [{ date: 'yesterday' }, 'body.date'],
  ])('%j is refused: %s', async (change, words) => {
    const call = await portal.as(ADAM)
    const answer = await call(createAlert, { body: { ...draft(), ...change } })
    expect(answer).toMatchObject({ status: 400, body: { status: 'FAILURE', err: expect.stringContaining(words) } })
  })

  test('get 404 for an unknown alert', async () => {
    const call = await portal.as(ADAM)
    const params = { id: UNKNOWN }
    expect((await call(editAlert, { params, body: { ...draft(), revision: 1 } })).status).toBe(404)
    expect((await call(resolveAlert, { params, body: { revision: 1 } })).status).toBe(404)
  })

  test.each([
    [null, 401],
    [VIC, 403],
    ['ada.admin@aerodyne.example', 403],
    ['sam.support@vendor.example', 403],
    ['sara.sales@vendor.example', 403],
  ])('do not include %s: every change is refused with %i', async (email, status) => {
    const call = await portal.as(email)
    const params = { id: demoAlertId(1) }
    expect((await call(createAlert, { body: draft() })).status).toBe(status)
    expect((await call(editAlert, { params, body: { ...draft(), revision: 1 } })).status).toBe(status)
    expect((await call(resolveAlert, { params, body: { revision: 1 } })).status).toBe(status)
  })
})

test('reading alerts needs a session', async () => {
  const call = await portal.as(null)
  for (const operation of [alertList.page, alertList.count, alertList.distinct])
    expect((await call(operation, { body: {} })).status).toBe(401)
  expect((await call(activeNotifications)).status).toBe(401)
  expect((await call(getNotification, { params: { id: demoAlertId(1) } })).status).toBe(401)
})
