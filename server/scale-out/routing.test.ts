import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { hostHistoryList } from '#contract/activations/history/history.ts'
import { listServers } from '#contract/activations/hosts/servers.ts'
import { deactivateServer } from '#contract/activations/plans/start-plans.ts'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import { elasticServerRecords } from '#contract/data/elastic-servers.ts'
import { entitlementRecords } from '#contract/data/entitlements.ts'
import { recordOperations } from '#contract/data/record-operations.ts'
import { endSession, sendHeartbeat, startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { getStatement } from '#contract/elastic/statements/statements.ts'
import { sendUsage } from '#contract/elastic/usage/send-usage.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { orderEntitlements } from '#contract/fsa/order-entitlements.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { webSeatList } from '#contract/web-licenses/web-lists.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { openDatabase } from '#server/db/database.ts'
import { productNamed } from '#server/demo/products.ts'
import { ADA, type Call, NEW_HOST, OLIVIA, sellLicense } from '#server/testing/activations.ts'
import { demoDatabase } from '#server/testing/database.ts'
import { openContract } from '#server/testing/fsa.ts'
import { activate, newHost } from '#server/testing/host-plans.ts'
import { addMeteredAccount, sentTransaction, sessionRequest } from '#server/testing/metering.ts'
import { type CallParts, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { type Recorded, recordStatements } from '#server/testing/scale-out/recorded-statements.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

/*
 * What a call costs the nodes of a sharded installation: which statements the portal sends while it runs, into how many tasks
 * Citus splits each of them, and what the coordinator says to the workers.
 */

const CUSTOMER = '100001'
/** Citus runs the two inserts of an audit row one after the other, and cannot explain that. */
const HAS_PLAN = /^\s*(?!with added as [(]\s*insert into audit_log)(select|insert|update|delete|with)\b/i

/** Shares no license server. */
const NOT_SHARING = '100006'
let portal: Portal
let ada: Call
let olivia: Call
let service: Call
let recorder: ReturnType<typeof recordStatements>
let explain: (statement: Recorded) => Promise<string>

describe.runIf(inject('testNodes').length > 1)('on a sharded database', () => {
  beforeAll(async () => {
    recorder = recordStatements()
    const database = await demoDatabase()
    const { connection } = database.portal
    await database.pool.query(`grant set on parameter citus.log_remote_commands to ${connection.user}`)
    const { pool, db } = openDatabase({
      ...connection,
      options: '-c citus.log_remote_commands=on -c client_min_messages=notice',
    })
    portal = await startPortal({}, {}, { ...database, portal: { connection, pool, db } })
    const { headers } = await giveServiceKey(portal, 'Metering', {
      scopes: ['usage', 'sessions', 'entitlements', 'accounts'],
    })
    const nobody = await portal.as(null)
    ada = await portal.as(ADA)
    olivia = await portal.as(OLIVIA)
    service = (operation, parts = {}) => nobody(operation, { ...parts, headers: { ...headers, ...parts.headers } })
    explain = async ({ text, values }) => {
      const { rows } = await pool.query(`explain (costs off) ${text}`, [...values])
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    await addMeteredAccount(database.db, 'M1')
  })
  afterAll(async () => {
    recorder.close()
    await portal.close()
  })

  /** Calls twice: what the first call loads and the portal remembers is not recorded. */
  async function record(call: Call, operation: Operation, parts: () => CallParts | Promise<CallParts>) {
    await call(operation, await parts())
    const own = await parts()
    const before = { sent: recorder.recorded.length, told: recorder.told.length }
    const answer = await recorder.during(operation.name, () => call(operation, own))
    const sent = recorder.recorded.slice(before.sent)
    const told = recorder.told.slice(before.told)
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ status: 'SUCCESS' })
    const plans: [text: string, counts: string[]][] = []
    for (const statement of sent.filter(({ text }) => HAS_PLAN.test(text))) {
      const counts = [...(await explain(statement)).matchAll(/Task Count: (\d+)/g)].map(([, count]) => count ?? '')
      // A statement without tables is no task. One with several counts has parts that Citus runs before it.
      if (counts.length > 0) plans.push([statement.text.replace(/\s+/g, ' '), counts])
    }
    return {
      /** Statements that are not one task. */
      spread: plans.filter(([, counts]) => counts.join() !== '1'),
      tasks: plans.length,
      nodes: new Set(told.map(({ node }) => node)).size,
      isTwoPhase: told.some(({ command }) => command.startsWith('PREPARE TRANSACTION')),
    }
  }

  const ON_ONE_NODE = { spread: [], tasks: expect.toSatisfy((count) => count > 0), nodes: 1, isTwoPhase: false }
  const sessionOf = async () => {
    const { body } = await service(startSession, { body: sessionRequest('M1') })
    return { params: { sessionId: (body.data as { sessionId: string }).sessionId } }
  }

  test('a sign-in needs no worker', async () => {
    const before = recorder.told.length
    await recorder.during('sign-in', () => signIn(portal.app, ADA))
    expect(recorder.recorded.at(-1)).toMatchObject({ during: 'sign-in', text: expect.stringContaining('audit_log') })
    expect(recorder.told.slice(before)).toEqual([])
  })

  test.each<[string, () => Call, Operation, () => CallParts | Promise<CallParts>]>([
    ['a page', () => ada, usageList.page, () => ({ body: { customerNumber: CUSTOMER, limit: 20 } })],
    ['a page with subqueries', () => ada, webSeatList.page, () => ({ body: { customerNumber: CUSTOMER, limit: 20 } })],
    [
      'license servers, none of them shared',
      () => olivia,
      listServers,
      () => ({ body: { customerNumber: NOT_SHARING } }),
    ],
    [
      'their history',
      () => olivia,
      hostHistoryList.page,
      () => ({ body: { customerNumber: NOT_SHARING, state: 'Active' } }),
    ],
    [
      'an activation',
      () => ada,
      createFulfillments,
      async () => ({
        body: { customerNumber: CUSTOMER, ...NEW_HOST, activations: [{ id: await sellLicense(portal), count: 1 }] },
      }),
    ],
    ['a usage batch', () => service, sendUsage, () => ({ body: { transactions: [sentTransaction(portal, 'M1')] } })],
    ['a session start', () => service, startSession, () => ({ body: sessionRequest('M1') })],
    ['a heartbeat', () => service, sendHeartbeat, sessionOf],
    ['the end of a session', () => service, endSession, sessionOf],
    [
      'a statement',
      () => ada,
      getStatement,
      () => ({ body: { customerNumber: CUSTOMER, from: '2026-10-01', to: '2026-10-31' } }),
    ],
  ])('%s is one task per statement, on one node, without two phases', async (_name, call, operation, parts) => {
    expect(await record(call(), operation, parts)).toEqual(ON_ONE_NODE)
  })

  let records = 0
  const sold = () => {
    const activationId = `routed-${++records}`
    const { partNumber } = productNamed('Structural Mechanics Pro')
    const about = { entitlementId: `ENT-${activationId}`, partNumber, licenseModel: 'Network', quantity: 1 }
    return { ...about, activationId, customerNumber: CUSTOMER, startDate: '2026-01-01' }
  }
  const order = async () => {
    const today = dayIn('Europe/Berlin', portal.clock.now())
    const term = { startdate: today, enddate: addDays(today, 29), ansysprice: '1900.00', ansyscurrency: 'USD' }
    const fsaID = await openContract(portal)
    const products = [{ ansysbpn: 'ANS0010110', ansysquantity: 1, ...term }]
    return { body: { ansyshasfsa: true, customerNumber: CUSTOMER, fsaID, products } }
  }
  const busyHost = async () => {
    const host = newHost()
    const id = await sellLicense(portal, { customer_number: NOT_SHARING })
    await activate(olivia, NOT_SHARING, host, { [id]: 1 })
    return { body: { customerNumber: NOT_SHARING, hostId: host.serverId, hostIdType: host.serverIdType } }
  }

  // Otherwise the death of one worker would stop these calls for the customers of all others.
  test.each<[string, () => Call, Operation, () => CallParts | Promise<CallParts>]>([
    [
      "an entitlement of the vendor's systems, with its claim and its product",
      () => service,
      recordOperations(entitlementRecords).save,
      () => ({ body: { records: [sold()] } }),
    ],
    [
      "an elastic license server of the vendor's systems, with its claim",
      () => service,
      recordOperations(elasticServerRecords).save,
      () => ({ body: { records: [{ customerNumber: CUSTOMER, serverId: `routed-${++records}`, alias: 'Routed' }] } }),
    ],
    ['an order from a spending account', () => ada, orderEntitlements, order],
    ['a plan that holds a license server', () => olivia, deactivateServer, busyHost],
  ])('%s needs no node but that of its customer', async (_name, call, operation, parts) => {
    expect(await record(call(), operation, parts)).toMatchObject({ nodes: 1 })
  })
})
