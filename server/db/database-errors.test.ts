import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getFeatures, setFeatures } from '#contract/settings/features.ts'
import { isDatabaseUnavailable, isNodeLost } from '#server/db/database-errors.ts'
import { PORTAL_ROLE } from '#server/embedded/cluster.ts'
import { onCitus } from '#server/testing/database.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
const UNAVAILABLE = /^The portal is not ready to answer\. .* reference id \[[0-9a-f]{32}\]$/

let portal: Portal
let ada: Awaited<ReturnType<Portal['as']>>
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  await sql`create sequence attempts`.execute(portal.db)
  await sql`grant usage on sequence attempts to ${sql.id(PORTAL_ROLE)}`.execute(portal.db)
})
afterAll(() => portal.close())
beforeEach(() => sql`alter sequence attempts restart`.execute(portal.db))

/** Makes PostgreSQL fail every save of features with this statement for the given number of attempts. */
async function failSaves(statement: string, attempts: number): Promise<void> {
  await sql`drop trigger if exists fail on person_feature`.execute(portal.db)
  // A sequence is not rolled back: it counts the attempts of all transactions.
  await sql
    .raw(
      `create or replace function fail() returns trigger language plpgsql as $$ begin
        if nextval('attempts') <= ${attempts} then ${statement}; end if;
        return null; end $$;
       create trigger fail after insert on person_feature for each statement execute function fail()`,
    )
    .execute(portal.db)
}

async function attemptsMade(): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select case when is_called then last_value else 0 end as n from attempts`.execute(portal.db)
  return Number(rows[0]?.n)
}

const save = (features: string[], headers = {}) => ada(setFeatures, { body: { features }, headers })
const enabled = async () =>
  ((await ada(getFeatures)).body.data as { name: string; enabled: boolean }[])
    .filter((one) => one.enabled)
    .map((one) => one.name)

// The errors are made by a trigger and a sequence, which are on one node.
describe.skipIf(onCitus()).each([
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
])('a save that meets %s', (_, code) => {
  test('is retried without the caller noticing', async () => {
    await failSaves(`raise sqlstate '${code}'`, 1)
    expect(await save(['home', 'ssl'])).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
    expect(await attemptsMade()).toBe(2)
    expect(await enabled()).toEqual(expect.arrayContaining(['home', 'ssl']))
  })

  test('is retried under the same Idempotency-Key', async () => {
    await failSaves(`raise sqlstate '${code}'`, 1)
    const headers = { 'idempotency-key': `again-${code}` }
    expect((await save(['home'], headers)).status).toBe(200)
    expect((await save(['home'], headers)).status).toBe(200)
    expect(await attemptsMade()).toBe(2)
  })

  test('a second time gets 503 and changes nothing', async () => {
    const before = await enabled()
    await failSaves(`raise sqlstate '${code}'`, 1000)
    const answer = await save(['elastic'])
    expect(answer).toMatchObject({ status: 503, body: { status: 'FAILURE', err: expect.stringMatching(UNAVAILABLE) } })
    expect(await attemptsMade()).toBe(2)
    expect(await enabled()).toEqual(before)
  })
})

test.skipIf(onCitus()).each([
  ['a full disk', `raise sqlstate '53100'`],
  ['no memory left', `raise sqlstate '53200'`],
  ['no connection left', `raise sqlstate '53300'`],
  ['a database that is read-only', `raise sqlstate '25006'`],
  ['a lost connection', 'perform pg_terminate_backend(pg_backend_pid())'],
])('%s gets 503 at the first attempt', async (_, statement) => {
  await failSaves(statement, 1000)
  const answer = await save(['elastic'])
  expect(answer).toMatchObject({ status: 503, body: { status: 'FAILURE', err: expect.stringMatching(UNAVAILABLE) } })
  expect(await attemptsMade()).toBe(1)
})

test.each([
  ['no server at any address of the host', () => new AggregateError([network('connect'), network('connect')])],
  ['no server at the address', () => network('connect')],
  ['a connection that the driver gave up', () => new Error('Connection terminated due to connection timeout')],
  ['no free connection', () => new Error('timeout exceeded when trying to connect')],
  ['a pool that is being closed', () => new Error('Cannot use a pool after calling end on the pool')],
  ['a lost node of a cluster', () => new Error('failure on connection marked as essential: 10.0.0.1:5432')],
  ['a node that ends within a statement', () => new Error('SSL SYSCALL error: EOF detected')],
])('%s counts as unavailable', (_, error) => expect(isDatabaseUnavailable(error())).toBe(true))

test.each<[string, boolean, Error]>([
  [
    'a node that refuses connections',
    true,
    Object.assign(new Error('connection to the remote node'), { code: '08006' }),
  ],
  ['a node that ends within a statement', true, new Error('server closed the connection unexpectedly')],
  ['a database that is away', false, network('connect')],
  ['a statement that took too long', false, Object.assign(new Error('canceling statement'), { code: '57014' })],
])('%s counts as a lost node: %s', (_, isLost, error) => expect(isNodeLost(error)).toBe(isLost))

test.each([
  ['a missing file', Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' })],
  ['a missing table', Object.assign(new Error('relation does not exist'), { code: '42P01' })],
  ['a mistake of ours', new TypeError('undefined is not a function')],
])('%s does not count as unavailable', (_, error) => expect(isDatabaseUnavailable(error)).toBe(false))

function network(syscall: string): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall })
}
