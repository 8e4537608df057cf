import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { OPERATIONS } from '#contract/operations.ts'
import { askRequest } from '#contract/requests/requests.ts'
import { assignWebLicenses } from '#contract/web-licenses/web-assignments.ts'
import { startWebCheckout } from '#contract/web-licenses/web-checkouts.ts'
import { saveWebhook } from '#contract/webhooks/webhooks.ts'
import { saveRetention } from '#server/audit/retention.queries.ts'
import { JOBS } from '#server/background.ts'
import type { Services } from '#server/services.ts'
import { defineJob } from '#server/tasks/job.ts'
import { OLIVIA, VIC } from '#server/testing/activations.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { addMeteredAccount, sessionRequest } from '#server/testing/metering.ts'
import { type Answer, type Portal, startPortal } from '#server/testing/portal.ts'
import { callEveryOperation } from '#server/testing/scale-out/every-operation.ts'
import { type PlanNode, unnamedTables } from '#server/testing/scale-out/named-customers.ts'
import { PORTAL_WIDE_OPERATIONS, PORTAL_WIDE_STATEMENTS } from '#server/testing/scale-out/portal-wide.ts'
import { type Recorded, recordStatements } from '#server/testing/scale-out/recorded-statements.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { addWebAccount, OPTICS, userOf } from '#server/testing/web-licenses.ts'

const SIGN_IN = 'sign-in'
/** What a portal does by itself: it delivers, seals and looks for work. */
const BACKGROUND = 'background'
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Other statements are those of transactions, or copy rows into a table. */
const HAS_PLAN = /^[(]?\s*(select|insert|update|delete|merge|with|values)\b/i
const ADVICE =
  'Name the customer in these relations (customer_number = $n), in subqueries and laterals too; or give the reason in server/testing/scale-out/portal-wide.ts.'

const SENDER = {
  send: async () => ({ result: { kind: 'answer' as const, status: 200 }, headers: {}, body: '' }),
  close() {},
}
const METERED = 'NC-1'
const WEB = 'NC-2'
const RETENTION_DAYS = 30
const SETTINGS = { AUDIT_RETENTION_DAYS: String(RETENTION_DAYS) }
const ATTEMPT = { signal: new AbortController().signal, isLast: true }

type Unnamed = { operations: string[]; relations: string[]; statement: string }

/** Every operation is called, every job runs, and PostgreSQL is asked for the plan of every statement that was sent. Citus has other plans. */
describe.skipIf(inject('testNodes').length > 1)('a statement of a customer', () => {
  let statements: ReturnType<typeof recordStatements>
  let portal: Portal
  let parents: Map<string, string>
  /** The newest entry of the audit log before the first call. */
  let lastEntry = '0'
  /** What each operation answered last before it succeeded; nothing of those that have. */
  const refused = new Map<string, Answer | undefined>(OPERATIONS.map(({ name }) => [name, undefined]))
  const succeeded = new Set<string>()
  beforeAll(async () => {
    statements = recordStatements()
    let services: Services | undefined
    const keepServices = defineJob({
      queue: 'services',
      cron: null,
      async atStart(given) {
        services = given
      },
      run: async () => {},
    })
    const background = [...JOBS, keepServices]
    portal = await statements.during(BACKGROUND, () => startPortal(SETTINGS, { background, webhookSender: SENDER }))
    const newest = await sql<{ id: string }>`select coalesce(max(id), 0) as id from audit_log`.execute(portal.db)
    lastEntry = newest.rows[0]!.id
    await statements.during(SIGN_IN, () => portal.as(OLIVIA))
    await callEveryOperation(portal, async ({ name }, make) => {
      const answer = await statements.during(name, make)
      if (answer.status < 300 && !JSON.stringify(answer.body).includes('"FAILURE"')) succeeded.add(name)
      else refused.set(name, answer)
      return answer
    })
    await leaveWork(portal)
    // What is silent, due, ending or old by then.
    for (const pause of [0, HOUR, 10 * DAY, 40 * DAY]) {
      portal.clock.forward(pause)
      for (const job of JOBS.filter(({ cron }) => cron))
        await statements.during(job.queue, () => job.run({} as never, services!, ATTEMPT))
    }
    // Jobs make months, too.
    const { rows } = await sql<{ part: string; table: string }>`
      select inhrelid::regclass::text as part, inhparent::regclass::text as table from pg_inherits`.execute(portal.db)
    parents = new Map(rows.map(({ part, table }) => [part, table]))
  })
  afterAll(async () => {
    statements.close()
    await portal.close()
  })

  async function unnamedIn(statement: string, values: readonly unknown[] = []): Promise<string[]> {
    const { rows } = await portal.pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (verbose, costs off, format json) ${statement}`,
      [...values],
    )
    return unnamedTables(rows[0]!['QUERY PLAN'][0]!.Plan, (relation) => parents.get(relation) ?? relation)
  }

  /** The statements that do not name one customer, except for portal-wide ones. */
  async function listUnnamed(recorded: readonly Recorded[]): Promise<Unnamed[]> {
    const wide = new Set(PORTAL_WIDE_OPERATIONS.flatMap(({ operations }) => operations))
    const found = new Map<string, Unnamed>()
    for (const { during, text, values } of recorded) {
      const statement = plainText(text)
      if (wide.has(during) || !HAS_PLAN.test(statement)) continue
      if (PORTAL_WIDE_STATEMENTS.some((one) => statement.includes(one.text))) continue
      const known = found.get(statement)
      if (known && !known.operations.includes(during)) known.operations.push(during)
      if (!known)
        found.set(statement, { operations: [during], relations: await unnamedIn(statement, values), statement })
    }
    return [...found.values()].filter(({ relations }) => relations.length > 0)
  }

  test('is recorded while every operation succeeds', () => {
    const failed = [...refused].filter(([name]) => !succeeded.has(name))
    expect(failed).toEqual([])
    expect(statements.recorded.length).toBeGreaterThan(OPERATIONS.length)
  })

  test('is recorded while the portal works by itself', () => {
    const recorded = new Set(statements.recorded.map(({ during }) => during))
    const expected = [BACKGROUND, ...JOBS.filter(({ cron }) => cron).map(({ queue }) => queue)]
    expect(expected.filter((name) => !recorded.has(name))).toEqual([])
  })

  test('names the customer in every relation, as a parameter', async () => {
    expect(await listUnnamed(statements.recorded), ADVICE).toEqual([])
  })

  /** This test is in this file because every operation has been called before it. */
  test('a call that writes is in the audit log, unless its operation says what keeps it instead', async () => {
    const { rows } = await sql<{ action: string }>`
      select distinct action from audit_log where outcome = 'done' and id > ${lastEntry}`.execute(portal.db)
    // Business operations manage every customer, so there is nobody whom they could take out.
    const audited = new Set(['fulfillments/override', ...rows.map(({ action }) => action)])
    const wrong = OPERATIONS.filter(({ name, writes, audit }) => writes && audited.has(name) === 'none' in audit)
    expect(
      wrong.map(({ name }) => name),
      'Write an entry with call.audit, or declare with `audit: { none: … }` what keeps the change instead',
    ).toEqual([])
  })

  test('a statement that names no customer is found', async () => {
    await statements.during('getaccountinfo', () =>
      sql`select count(*) from host h where h.customer_number = any (${['100001']})`.execute(portal.db),
    )
    const calls = statements.recorded.filter(({ during }) => during === 'getaccountinfo')
    expect(await listUnnamed(calls.slice(-1))).toEqual([
      {
        operations: ['getaccountinfo'],
        relations: ['host'],
        statement: 'select count(*) from host h where h.customer_number = any ($1)',
      },
    ])
  })

  test.each([
    [
      'is named once and joined',
      `from host h join host_seats s using (customer_number) where h.customer_number = '1'`,
      [],
    ],
    ['is named in a partitioned table', `from usage_transaction where customer_number = '1'`, []],
    ['is one of several', `from account where customer_number in ('1', '2')`, ['account']],
    ['is an alternative', `from account where customer_number = '1' or name = '2'`, ['account']],
    ['is not named in a partitioned table', `from usage_transaction where session_id = '1'`, ['usage_transaction']],
    [
      'comes from the row outside',
      `from host h cross join lateral (select count(*) from host_seats s where s.customer_number = h.customer_number) s
        where h.customer_number = '1'`,
      ['host_seats'],
    ],
    [
      'comes from a reference table',
      `from activation_owner o join entitlement e using (customer_number) where o.activation_id = '1'`,
      ['entitlement'],
    ],
    [
      'is another one elsewhere',
      `from account where customer_number = '1' and exists (select 1 from host where customer_number = '2')`,
      ['several customers: 1, 2'],
    ],
  ])('whose customer %s', async (_, text, relations) => {
    expect(await unnamedIn(`select * ${text}`)).toEqual(relations)
  })

  test('that may be portal-wide is one that is sent', () => {
    const known = OPERATIONS.map(({ name }) => name as string)
    const listed = PORTAL_WIDE_OPERATIONS.flatMap(({ operations }) => operations)
    expect(listed.filter((name) => !known.includes(name))).toEqual([])
    const sent = statements.recorded.map(({ text }) => plainText(text))
    expect(PORTAL_WIDE_STATEMENTS.filter(({ text }) => !sent.some((one) => one.includes(text)))).toEqual([])
  })
})

/** What jobs look for: nobody goes on with it, and the clock is turned. */
async function leaveWork(portal: Portal): Promise<void> {
  await saveRetention(portal.pool, RETENTION_DAYS)
  await giveApiToken(portal, { days: 12 })
  await addMeteredAccount(portal.db, METERED)
  await addWebAccount(portal.db, WEB, [{ id: 'shared', model: 'Shared Web' }])
  const [nobody, olivia, vic] = [await portal.as(null), await portal.as(OLIVIA), await portal.as(VIC)]
  const { headers } = await giveServiceKey(portal, 'Work')
  const url = 'https://hooks.example.com/work'
  const wanted = { kind: 'web-license', item: `${WEB}-shared`, quantity: 1, reason: '', target: userOf('bob') }
  const answers = [
    await olivia(assignWebLicenses, {
      body: { customerNumber: WEB, activationIds: [`${WEB}-shared`], emails: [userOf('ann')] },
    }),
    await nobody(startSession, { headers, body: sessionRequest(METERED) }),
    await nobody(startWebCheckout, {
      headers,
      body: { customerNumber: WEB, product: OPTICS, username: userOf('ann'), host: 'ws1' },
    }),
    await olivia(saveWebhook, {
      body: { customerNumber: '100001', url, events: ['entitlement.ending', 'balance.low'] },
    }),
    await vic(askRequest, { body: { customerNumber: WEB, ...wanted } }),
  ]
  expect(answers.map(({ body }) => body)).toEqual(answers.map(() => expect.objectContaining({ status: 'SUCCESS' })))
}

/** On one line, without comments and without `explain`, by which the portal estimates how many rows there are. */
const plainText = (text: string) =>
  text
    .replaceAll(/--.*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^explain [(][^)]*[)] /, '')
