import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { earlierDatabase } from '#server/testing/earlier-database.ts'

test('exports of earlier versions become tasks, and keep the time of their data', async () => {
  const { db, migrate } = await earlierDatabase('0025')
  await sql`insert into account (customer_number, name) values ('1', 'Aerodyne')`.execute(db)
  await sql`insert into device_owner (device_id, customer_number) values ('S', '1')`.execute(db)
  await sql`insert into elastic_server (customer_number, device_id, alias, usage_arrived_at)
            values ('1', 'S', 'S', '2026-11-15T10:00:00.123456Z')`.execute(db)
  await sql`insert into usage_export (customer_number, requested_by, request, file_name, state, total, written, bytes,
              requested_at, finished_at, kept_until, request_key, usage_as_of, failure)
            values ('1', 'a@b.example', '{"serverId": "S"}', 'a.csv', 'ready', 7, 7, 99, now(), now(),
                    now() + interval '1 day', '\\x01', '2026-11-15T10:00:00.123456Z', null),
                   ('1', 'a@b.example', '{}', 'b.csv', 'failed', 7, 3, 0, now(), now(), null, '\\x02', null, 'no-space'),
                   ('1', 'a@b.example', '{}', 'c.csv', 'waiting', null, 0, 0, now(), null, null, '\\x03', null, null)`.execute(
    db,
  )
  await migrate()
  const rows = await db.selectFrom('background_task').selectAll().orderBy('file_name').execute()
  expect(rows).toMatchObject([
    {
      kind: 'usage-export',
      // The file of this export is in a folder that is no longer read.
      state: 'expired',
      request: { serverId: 'S' },
      total: 7,
      done: 7,
      bytes: '99',
      as_of: '1794736800.123456',
    },
    { kind: 'usage-export', state: 'failed', done: 3, failure: 'no-space' },
    { kind: 'usage-export', state: 'waiting', total: null, done: 0 },
  ])
})

test('the migration moves exactly the undelivered emails of earlier versions to the outbox', async () => {
  const { db, migrate } = await earlierDatabase('0026')
  await sql`insert into account (customer_number, name) values ('1', 'Aerodyne')`.execute(db)
  const insert = (
    n: number,
    state: string,
    more: { due?: string; delivered?: string; resent?: string; deleted?: string },
  ) =>
    sql`insert into mail (customer_number, id, queued_at, message_id, recipients, subject, body_html, body_text, state,
          attempts, next_attempt_at, delivered_at, trouble, resent_at, deleted_at, deleted_by)
        values ('1', ${`00000000-0000-4000-8000-00000000000${n}`}, '2026-11-10', ${`<${n}>`}, '{a@b.example}', 'Hi', '', '',
          ${state}, ${n}, ${more.due}, ${more.delivered}, ${`trouble ${n}`}, ${more.resent}, ${more.deleted},
          ${more.deleted && 'a@b.example'})`.execute(db)
  await insert(1, 'queued', { due: '2026-11-16', resent: '2026-11-15' })
  await insert(2, 'failed', {})
  await insert(3, 'failed', { deleted: '2026-11-14' })
  await insert(4, 'queued', { due: '2026-11-16', deleted: '2026-11-14' })
  await insert(5, 'sent', { delivered: '2026-11-10' })
  await migrate()
  const rows = await db.selectFrom('outbox_message').selectAll().orderBy('id').execute()
  const mail = (n: number) => ({ customerNumber: '1', mailId: `00000000-0000-4000-8000-00000000000${n}` })
  const queued_at = rows[0]?.queued_at
  expect(rows.map(({ id: _, ...row }) => row)).toEqual(
    [
      { payload: mail(1), state: 'queued', attempts: 1, trouble: 'trouble 1' },
      { payload: mail(2), state: 'failed', attempts: 2, trouble: 'trouble 2' },
      { payload: mail(4), state: 'queued', attempts: 4, trouble: 'trouble 4' },
    ].map((row) => ({
      ...row,
      lane: 'mail',
      queued_at,
      next_attempt_at: row.state === 'queued' ? expect.any(Date) : null,
      resent_at: row.attempts === 1 ? expect.any(Date) : null,
    })),
  )
})
