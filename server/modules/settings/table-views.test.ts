import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addView, changeView, listViews, type NamedView, removeView } from '#contract/settings/table-views.ts'
import { MAX_VIEWS, NOT_SHARED } from '#domain/settings/table-views.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
const VIC = 'vic.viewer@aerodyne.example'
const CORA = 'cora.coordinator@aerodyne.example'
const GRETA = 'greta.generator@partner.example'
const customerNumber = '100001'
const table = { customerNumber, tableName: 'emailList' }
const view = { filterModel: { subject: { filterType: 'text', type: 'contains', filter: 'license' } } }

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

const add = async (email: string, name: string, more: object = {}) =>
  (await portal.as(email))(addView, { body: { ...table, name, view, ...more } })
const added = async (...parts: Parameters<typeof add>) => (await add(...parts)).body.data as NamedView
const change = async (email: string, id: string, more: object) =>
  (await portal.as(email))(changeView, { body: { customerNumber, id, ...more } })
const remove = async (email: string, id: string) =>
  (await portal.as(email))(removeView, { body: { customerNumber, id } })
async function namesSeenBy(email: string, tableName = 'emailList'): Promise<string[]> {
  const { body } = await (await portal.as(email))(listViews, { body: { customerNumber, tableName } })
  return (body.data as NamedView[]).map(({ name }) => name)
}

describe('a named view', () => {
  test('comes back as it was saved, and is seen by its owner alone', async () => {
    const saved = await added(ADA, '  Licenses  ')
    expect(saved).toEqual({ id: saved.id, name: 'Licenses', owner: ADA, isOwn: true, isShared: false, view })
    expect(await namesSeenBy(ADA)).toEqual(['Licenses'])
    expect(await namesSeenBy(ADA, 'fsaHistory')).toEqual([])
    expect(await namesSeenBy(VIC)).toEqual([])
    expect((await change(VIC, saved.id, { name: 'Mine' })).status).toBe(404)
    expect((await remove(VIC, saved.id)).status).toBe(404)
  })

  test('is renamed, replaced and removed by its owner', async () => {
    const { id } = await added(ADA, 'Old name')
    const next = { sortModel: [{ colId: 'date', sort: 'asc', sortIndex: 0 }] }
    expect((await change(ADA, id, { name: 'New name' })).body.data).toMatchObject({ name: 'New name', view })
    expect((await change(ADA, id, { view: next })).body.data).toMatchObject({ name: 'New name', view: next })
    expect((await remove(ADA, id)).status).toBe(200)
    expect(await namesSeenBy(ADA)).not.toContain('New name')
    expect((await remove(ADA, id)).status).toBe(404)
  })

  test('that is shared is seen by colleagues, who cannot change it', async () => {
    const { id } = await added(VIC, 'For all')
    await change(VIC, id, { isShared: true })
    const { body } = await (await portal.as(CORA))(listViews, { body: table })
    expect(body.data).toEqual([{ id, name: 'For all', owner: VIC, isOwn: false, isShared: true, view }])
    expect((await change(CORA, id, { name: 'Taken over' })).status).toBe(403)
    await change(VIC, id, { isShared: false })
    expect(await namesSeenBy(CORA)).toEqual([])
  })

  test('that is shared is removed by an administrator, not by a viewer, and the audit log says so', async () => {
    const { id } = await added(CORA, 'Old habits', { isShared: true })
    expect((await remove(VIC, id)).status).toBe(403)
    expect((await remove(ADA, id)).status).toBe(200)
    const entries = await portal.db
      .selectFrom('audit_log')
      .select(['email', 'before', 'outcome'])
      .where('target', '=', id)
      .where('action', '=', 'tableviews/remove')
      .orderBy('id')
      .execute()
    expect(entries).toMatchObject([
      { email: VIC, before: null, outcome: 'refused' },
      { email: ADA, before: { owner: CORA, name: 'Old habits' }, outcome: 'done' },
    ])
  })

  test('has a name that its owner uses once per table, in any case', async () => {
    const { id } = await added(ADA, 'Once')
    const taken = {
      status: 409,
      body: { err: 'You already have a view named "ONCE" for this table. Choose another name.' },
    }
    expect(await add(ADA, 'ONCE')).toMatchObject(taken)
    expect((await change(ADA, id, { name: 'once' })).status).toBe(200)
    const other = await added(ADA, 'Twice')
    expect(await change(ADA, other.id, { name: 'ONCE' })).toMatchObject(taken)
    expect((await add(ADA, 'Once', { tableName: 'fsaHistory' })).status).toBe(200)
    expect((await add(VIC, 'Once')).status).toBe(200)
  })

  test('that two tabs save at the same time under one name is saved once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(ADA, 'At the same time')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
  })

  test('is refused beyond the limit for a table', async () => {
    for (let count = 0; count < MAX_VIEWS; count++)
      expect((await add(CORA, `View ${count}`, { tableName: 'webUsers' })).status).toBe(200)
    expect(await add(CORA, 'One more', { tableName: 'webUsers' })).toMatchObject({ status: 409 })
  })

  test('is refused above 16 kB', async () => {
    const filterModel = { subject: { filter: 'x'.repeat(17_000) } }
    expect((await add(ADA, 'Large', { view: { filterModel } })).status).toBe(413)
  })
})

test.each([
  ['nobody', null, {}, 401],
  ['somebody of another account', GRETA, {}, 404],
  ['an empty name', ADA, { name: '  ' }, 400],
  ['a name of 61 characters', ADA, { name: 'x'.repeat(61) }, 400],
  ['an unknown table', ADA, { tableName: 'shoppingList' }, 400],
  ['an unknown field of a view', ADA, { view: { color: 'red' } }, 400],
])('refuses to add a view: %s', async (_, email, body, status) => {
  expect((await (await portal.as(email))(addView, { body: { ...table, name: 'Refused', view, ...body } })).status).toBe(
    status,
  )
})

test('a view of another account is not there, whatever the id', async () => {
  const { id } = await added(ADA, 'Of the first account', { isShared: true })
  const elsewhere = { customerNumber: '100002', id }
  const ada = await portal.as(ADA)
  expect((await ada(changeView, { body: { ...elsewhere, name: 'x' } })).status).toBe(404)
  expect((await ada(removeView, { body: elsewhere })).status).toBe(404)
  const { body } = await ada(listViews, { body: { ...elsewhere, id: undefined, tableName: 'emailList' } })
  expect(body.data).toEqual([])
  const greta = await portal.as(GRETA)
  for (const call of [listViews, changeView, removeView])
    expect((await greta(call, { body: { customerNumber, id, tableName: 'emailList' } })).status).toBe(404)
})

describe('a named view of a table without an account', () => {
  const OLIVIA = 'olivia.ops@vendor.example'
  const alerts = { tableName: 'alertList' }
  const namesOf = async (email: string) => {
    const { body } = await (await portal.as(email))(listViews, { body: alerts })
    return (body.data as NamedView[]).map(({ name }) => name)
  }

  test('is added, changed and removed by its owner, and seen by nobody else', async () => {
    const olivia = await portal.as(OLIVIA)
    const saved = (await olivia(addView, { body: { ...alerts, name: 'Outages', view } })).body.data as NamedView
    expect(saved).toEqual({ id: saved.id, name: 'Outages', owner: OLIVIA, isOwn: true, isShared: false, view })
    expect((await olivia(addView, { body: { ...alerts, name: 'OUTAGES', view } })).status).toBe(409)
    expect(await namesOf(OLIVIA)).toEqual(['Outages'])
    expect(await namesOf(ADA)).toEqual([])
    const ada = await portal.as(ADA)
    expect((await ada(changeView, { body: { id: saved.id, name: 'Mine' } })).status).toBe(404)
    expect((await ada(removeView, { body: { id: saved.id } })).status).toBe(404)
    const renamed = await olivia(changeView, { body: { id: saved.id, name: 'Open outages' } })
    expect(renamed.body.data).toMatchObject({ name: 'Open outages', view })
    expect((await olivia(removeView, { body: { id: saved.id } })).status).toBe(200)
    expect(await namesOf(OLIVIA)).toEqual([])
  })

  test('is not a view of an account, and cannot be shared', async () => {
    const ada = await portal.as(ADA)
    const { id } = (await ada(addView, { body: { ...alerts, name: 'Own', view } })).body.data as NamedView
    const { body } = await ada(listViews, { body: { ...alerts, customerNumber } })
    expect(body.data).toEqual([])
    expect(await ada(changeView, { body: { id, isShared: true } })).toMatchObject({
      status: 400,
      body: { err: NOT_SHARED },
    })
    expect((await ada(addView, { body: { ...alerts, name: 'All', view, isShared: true } })).status).toBe(400)
    expect((await (await portal.as(null))(listViews, { body: alerts })).status).toBe(401)
  })
})
