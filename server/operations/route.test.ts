import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFeatures, setFeatures } from '#contract/settings/features.ts'
import { savePreferences } from '#contract/settings/preferences.ts'
import { TABLE_NAMES } from '#contract/settings/table-names.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

const audited = async () =>
  Number(
    (await sql<{ n: string }>`select count(*) as n from audit_log where action = 'setFeatures'`.execute(portal.db))
      .rows[0]?.n,
  )

describe('an Idempotency-Key', () => {
  test('replays the first answer and does nothing twice', async () => {
    const ada = await portal.as(ADA)
    const call = { body: { features: ['home', 'elastic'] }, headers: { 'idempotency-key': 'first' } }
    const before = await audited()
    const first = await ada(setFeatures, call)
    await ada(setFeatures, { body: { features: ['home'] } })
    const again = await ada(setFeatures, call)
    expect(again).toMatchObject({ status: 200, body: first.body })
    expect(await audited()).toBe(before + 2)
    const names = ((await ada(getFeatures)).body.data as { name: string; enabled: boolean }[]).filter(
      (one) => one.enabled,
    )
    expect(names.map((one) => one.name)).toEqual(['home'])
  })

  test('gets 409 with another body', async () => {
    const ada = await portal.as(ADA)
    const headers = { 'idempotency-key': 'second' }
    await ada(setFeatures, { body: { features: ['home'] }, headers })
    expect(await ada(setFeatures, { body: { features: [] }, headers })).toMatchObject({
      status: 409,
      body: { err: 'This Idempotency-Key was used for another request' },
    })
  })

  test('replays a refusal too', async () => {
    const ada = await portal.as(ADA)
    const call = { body: { features: ['f1202990', 'web-assignments'] }, headers: { 'idempotency-key': 'third' } }
    const first = await ada(setFeatures, call)
    expect(first.body).toMatchObject({ status: 'FAILURE', code: 'FEATURE_CONFLICT' })
    await sql`delete from feature_conflict`.execute(portal.db)
    expect((await ada(setFeatures, call)).body).toEqual(first.body)
    await sql`insert into feature_conflict values ('f1202990', 'web-assignments')`.execute(portal.db)
  })

  test('belongs to one person', async () => {
    const headers = { 'idempotency-key': 'shared' }
    for (const email of [ADA, 'vic.viewer@aerodyne.example'])
      expect(
        (
          await (
            await portal.as(email)
          )(setFeatures, { body: { features: [email === ADA ? 'home' : 'elastic'] }, headers })
        ).status,
      ).toBe(200)
  })

  test('acts once when it is sent many times at once', async () => {
    const ada = await portal.as(ADA)
    const before = await audited()
    const call = { body: { features: ['home', 'ssl'] }, headers: { 'idempotency-key': 'race' } }
    const answers = await Promise.all(Array.from({ length: 8 }, () => ada(setFeatures, call)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    expect(await audited()).toBe(before + 1)
  })

  test('is forgotten after 24 hours', async () => {
    const ada = await portal.as(ADA)
    const headers = { 'idempotency-key': 'old' }
    await ada(setFeatures, { body: { features: ['home'] }, headers })
    const longAgo = new Date(portal.clock.now().getTime() - 25 * 3_600_000)
    await portal.db.updateTable('idempotent_answer').set({ created_at: longAgo }).execute()
    expect((await ada(setFeatures, { body: { features: [] }, headers })).status).toBe(200)
  })

  test('is refused if it is malformed', async () => {
    const ada = await portal.as(ADA)
    for (const key of ['', 'x'.repeat(201), 'with space'])
      expect((await ada(setFeatures, { body: { features: [] }, headers: { 'idempotency-key': key } })).status).toBe(400)
  })
})

describe('a call that changes something', () => {
  test.each([
    ['without the header', { 'x-requested-with': 'XMLHttpRequest' }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['from a sandboxed page', { origin: 'null' }],
  ])('%s is refused', async (_, headers) => {
    const ada = await portal.as(ADA)
    expect(
      (await ada(setFeatures, { body: { features: [] }, headers: headers as Record<string, string> })).status,
    ).toBe(403)
  })

  test('a call from this portal is accepted', async () => {
    const ada = await portal.as(ADA)
    const headers = { origin: portal.config.origin, 'sec-fetch-site': 'same-origin' }
    expect((await ada(setFeatures, { body: { features: ['home'] }, headers })).status).toBe(200)
  })
})

test('the audit log keeps who, from where, what, before and after, and cannot be changed', async () => {
  const ada = await portal.as(ADA)
  await ada(setFeatures, { body: { features: ['home'] } })
  await ada(setFeatures, { body: { features: ['elastic'] } })
  const row = await portal.db
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    email: ADA,
    address: '127.0.0.1',
    action: 'setFeatures',
    before: ['home'],
    after: ['elastic'],
    outcome: 'done',
    request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  for (const statement of [sql`update audit_log set email = ''`, sql`delete from audit_log`, sql`truncate audit_log`])
    await expect(statement.execute(portal.db)).rejects.toThrow(/append-only/)
})

test('a call that fails is rolled back as a whole', async () => {
  const olivia = await portal.as('olivia.ops@vendor.example')
  const filterModel = { Product: { filter: 'x'.repeat(60_000) } }
  const views = (customerNumber: string) =>
    TABLE_NAMES.slice(0, 15).map((tableName) => ({ customerNumber, tableName, filterModel }))
  expect((await olivia(savePreferences, { body: { tables: views('100001') } })).status).toBe(200)
  // Writes a row and then fails.
  expect((await olivia(savePreferences, { body: { tables: views('100003') } })).status).toBe(413)
  const kept = await portal.db.selectFrom('table_preference').select('customer_number').distinct().execute()
  expect(kept).toEqual([{ customer_number: '100001' }])
})
