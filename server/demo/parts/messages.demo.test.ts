import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALERT_CATEGORIES, isExpired } from '#domain/messages/alerts.ts'
import { NAMED_ACCOUNTS } from '#server/demo/named-accounts.ts'
import { alerts } from '#server/demo/parts/alerts.demo.ts'
import { emails } from '#server/demo/parts/emails.demo.ts'
import { seededRandom } from '#server/demo/random.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

const midnight = new Date('2026-11-15T00:00:00Z')
let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  await db
    .insertInto('account')
    .values(NAMED_ACCOUNTS.map(({ customerNumber, name }) => ({ customer_number: customerNumber, name })))
    .execute()
  await db.transaction().execute(async (tx) => {
    const world = {
      midnight,
      secrets: UNWRAPPED,
      today: () => '2026-11-15',
      random: seededRandom,
      usageTransactions: 0,
    }
    await alerts.load(tx, world)
    await emails.load(tx, world)
  })
})
afterAll(() => database.close())

test('alerts cover every category and status, with a future, a past and no expiry', async () => {
  const rows = await database.db.selectFrom('alert').selectAll().execute()
  for (const category of ALERT_CATEGORIES)
    for (const status of ['ACTIVE', 'RESOLVED'])
      expect(
        rows.some((row) => row.category === category && row.status === status),
        `${category} ${status}`,
      ).toBe(true)
  const expiries = rows.map((row) => {
    const expires = row.expires_at?.toISOString() ?? null
    return expires === null ? 'none' : isExpired({ expires }, midnight) ? 'past' : 'to come'
  })
  expect(new Set(expiries)).toEqual(new Set(['none', 'past', 'to come']))
})

test('emails cover every kind and fill several pages, and none is queued', async () => {
  const rows = await database.db.selectFrom('mail').selectAll().execute()
  const ofAerodyne = rows.filter((row) => row.customer_number === '100001')
  expect(ofAerodyne).toHaveLength(300)
  for (const [kind, has] of Object.entries({
    hostile: (row: (typeof rows)[number]) => row.body_html.includes('<script>'),
    'with a picture': (row: (typeof rows)[number]) => row.body_html.includes('data:image/png'),
    'plain text': (row: (typeof rows)[number]) => row.body_html === '',
    failed: (row: (typeof rows)[number]) => row.state === 'failed' && row.trouble !== '',
    'to several': (row: (typeof rows)[number]) => row.recipients.length > 1,
  }))
    expect(ofAerodyne.some(has), kind).toBe(true)
  expect(rows.filter((row) => row.state === 'queued')).toEqual([])
  const messages = await database.db.selectFrom('outbox_message').select(['id', 'state']).execute()
  const failed = rows.filter((row) => row.state === 'failed').map(({ id }) => ({ id, state: 'failed' }))
  expect(new Set(messages)).toEqual(new Set(failed))
  expect(rows.filter((row) => row.queued_at > midnight)).toEqual([])
  const attached = await database.db.selectFrom('mail_attachment').select('mail_id').execute()
  expect(attached.length).toBeGreaterThan(20)
})
