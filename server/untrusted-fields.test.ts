import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { callerOf, OPERATIONS_IN_ROWS } from '#server/testing/samples/samples.ts'

/** Claims of older clients about identity and time in every body: accepted, and ignored. */
const UNTRUSTED = [
  { customerEmail: 'mallory@evil.example', customerName: 'Somebody Else', time: '1999-12-31T23:59:59.000Z' },
  { customerEmail: '', customerName: '', time: 946_684_799_000 },
  { customerEmail: null, customerName: null, time: null },
]

const SIGNED_IN = [...new Set(OPERATIONS_IN_ROWS.map(({ operation }) => callerOf(operation)))]

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

test.each(
  OPERATIONS_IN_ROWS.filter(({ operation: { access, body, wire } }) => body && !wire && access.kind !== 'service'),
)('$name accepts customerEmail, customerName and time', async ({ operation, row }) => {
  const call = await portal.as(callerOf(operation))
  const { kind } = row
  const sample = row.sample('100001')
  // A sample with an unknown id gets 404.
  const allowed = typeof kind === 'object' && 'finds' in kind && kind.finds === false ? [404] : [200, 409]
  for (const untrusted of UNTRUSTED) {
    const answer = await call(operation, { ...sample, body: { ...(sample.body as object), ...untrusted } })
    expect(answer.body.err ?? '', JSON.stringify(untrusted)).not.toMatch(/customerEmail|customerName|\btime\b/)
    expect(allowed).toContain(answer.status)
  }
})

test.each(
  OPERATIONS_IN_ROWS.filter(
    ({ operation }) => operation.query && !operation.media && !operation.wire && operation.access.kind !== 'service',
  ),
)('$name accepts customerEmail, customerName and time in its query', async ({ operation, row }) => {
  const call = await portal.as(callerOf(operation))
  const { kind } = row
  const sample = row.sample('100001')
  const allowed = typeof kind === 'object' && 'finds' in kind ? [404] : [200]
  const untrusted = { customerEmail: 'mallory@evil.example', customerName: 'Somebody Else', time: '2' }
  const answer = await call(operation, { ...sample, query: { ...sample.query, ...untrusted } })
  expect(allowed, answer.body.err).toContain(answer.status)
})

test('the audit log takes person and time from the session and the server’s clock', async () => {
  const rows = await portal.db
    .selectFrom('audit_log')
    .select(['action', 'email', 'at', 'after'])
    .where('email', '<>', 'Unknown')
    .execute()
  expect(rows.length).toBeGreaterThan(0)
  const callers = new Map(OPERATIONS_IN_ROWS.map(({ name, operation }) => [name, callerOf(operation)]))
  for (const { action, email, at, after } of rows) {
    expect({ action, email, at }).toEqual({
      action,
      email: callers.get(action) ?? SIGNED_IN.find((one) => one === email),
      at: portal.clock.now(),
    })
    expect(JSON.stringify(after)).not.toMatch(/mallory|Somebody Else|1999-12-31/)
  }
})
