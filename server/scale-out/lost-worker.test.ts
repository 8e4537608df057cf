import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { accountList } from '#contract/accounts/account-list.ts'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { getRecentAccounts, noteOpenedAccount } from '#contract/accounts/recent-accounts.ts'
import { listServers } from '#contract/activations/hosts/servers.ts'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import { getAccountHome } from '#contract/home/account-home.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { getFeatures } from '#contract/settings/features.ts'
import { getPreferences, savePreferences } from '#contract/settings/preferences.ts'
import { getUpkeep, type Upkeep } from '#contract/upkeep/upkeep.ts'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { refreshAccountCopy } from '#server/scale-out/account-copy.queries.ts'
import { ADA, type Call, NEW_HOST, OLIVIA, sellLicense } from '#server/testing/activations.ts'
import { type Answer, type CallParts, callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'

/*
 * The coordinator finds no worker at the address of a node that is dead. So a test gives the node another address, which
 * leaves the databases of other tests alone.
 */
/** Shares no license server with an account on another node. */
const CUSTOMER = '100006'

let portal: Portal
let ada: Call
let olivia: Call
/** Accounts whose node is dead. */
let lost: string[]

const signedIn = async (email: string): Promise<Call> => {
  const cookie = await signIn(portal.app, email)
  return (operation, parts = {}) => callOperation(portal.app, operation, cookie, parts)
}

const accountsIn = ({ body }: Answer) => (body.data as { AccountID: string }[]).map(({ AccountID }) => AccountID)

describe.runIf(inject('testNodes').length > 1)('while a worker is dead', () => {
  beforeAll(async () => {
    portal = await startPortal()
    const { rows } = await sql<{ customer: string; group: number }>`
      select customer_number as customer, p.groupid as group
        from account join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('account', customer_number)
       order by 1`.execute(portal.db)
    const living = rows.find(({ customer }) => customer === CUSTOMER)!.group
    lost = rows.filter(({ group }) => group !== living).map(({ customer }) => customer)
    // A contact who was added and one who was removed after the tables were distributed.
    await portal.db.deleteFrom('contact').where('customer_number', 'in', lost.slice(0, 2)).execute()
    const added = [
      { customer_number: lost[0]!, email: ADA, role: VIEWER },
      { customer_number: CUSTOMER, email: ADA, role: ADMINISTRATOR },
    ] as const
    await portal.db.insertInto('contact').values(added).execute()
    await refreshAccountCopy(portal.portal.db)
    await sql`update pg_dist_node set nodeport = 1 where groupid <> ${living} and groupid > 0`.execute(portal.db)
    ada = await signedIn(ADA)
    olivia = await signedIn(OLIVIA)
  })
  afterAll(() => portal.close())

  test('a person signs in, and sees all their accounts and roles', async () => {
    const { body } = await ada(getUserDetails)
    expect(body.data).toMatchObject({ email: ADA, roles: expect.arrayContaining(['user', 'portaledit', 'portalview']) })
    expect(accountsIn(await ada(accountList.page, { body: {} }))).toEqual(expect.arrayContaining([CUSTOMER, lost[0]]))
  })

  test.each<[string, Operation, CallParts]>([
    ['Home', getAccountHome, { body: { customerNumber: CUSTOMER } }],
    ['the account', getAccountInfo, { params: { customerNumber: CUSTOMER } }],
    ['features', getFeatures, {}],
    ['license servers', listServers, { body: { customerNumber: CUSTOMER } }],
    ['saved views', getPreferences, {}],
  ])('a person of another worker reads %s', async (_name, operation, parts) => {
    expect(await ada(operation, parts)).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
  })

  test('a person of another worker works', async () => {
    const activations = [{ id: await sellLicense(portal, { customer_number: CUSTOMER }), count: 1 }]
    const done = { status: 200, body: { status: 'SUCCESS' } }
    expect(
      await ada(createFulfillments, { body: { customerNumber: CUSTOMER, ...NEW_HOST, activations } }),
    ).toMatchObject(done)
    const view = { customerNumber: CUSTOMER, tableName: 'emailList', hiddenColumns: ['subject'] }
    expect(await ada(savePreferences, { body: { tables: [view] } })).toMatchObject(done)
    expect((await ada(getPreferences)).body.data).toContainEqual(view)
    expect(await ada(noteOpenedAccount, { body: { customerNumber: CUSTOMER } })).toMatchObject(done)
    expect(accountsIn(await ada(getRecentAccounts))).toEqual([CUSTOMER])
  })

  test('its own accounts answer 503', async () => {
    const answer = await olivia(getAccountInfo, { params: { customerNumber: lost[0]! } })
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
  })

  test('staff see which accounts cannot be reached', async () => {
    const listed = accountsIn(await olivia(accountList.page, { body: { limit: 100 } }))
    expect(listed.filter((number) => lost.includes(number))).not.toEqual([])
    const { nodes } = (await olivia(getUpkeep)).body.data as Upkeep
    expect(nodes?.map(({ answers }) => answers).sort()).toEqual([false, true])
    const dead = nodes?.find(({ answers }) => !answers)
    expect(dead).toMatchObject({ accountCount: lost.length })
    expect(dead?.accounts.map(({ customerNumber }) => customerNumber)).toEqual(lost.slice(0, 50))
  })

  test('metrics show which node does not answer, and the disks of the others', async () => {
    const { body } = await portal.app.inject('/metrics')
    const series = (name: string) =>
      [...body.matchAll(new RegExp(`^portal_node_${name}\\{node="(.+)"\\} (\\d+)`, 'gm'))].map(([, node, value]) => ({
        node,
        value: Number(value),
      }))
    expect(series('up').map(({ value }) => value)).toHaveLength(3)
    const dead = series('up').filter(({ value }) => value === 0)
    expect(dead).toEqual([{ node: expect.stringMatching(/:1$/), value: 0 }])
    const free = series('disk_free_bytes')
    expect(free.map(({ node }) => node)).not.toContain(dead[0]!.node)
    expect(free.filter(({ value }) => value > 0)).toHaveLength(2)
    expect(series('connections').every(({ value }) => value > 0)).toBe(true)
  })

  test('contacts who were removed before are not in the copy', async () => {
    const { rows } = await sql`select 1 from account_copy.contact where customer_number = ${lost[1]}`.execute(portal.db)
    expect(rows).toEqual([])
  })

  test('a person signs out, which the audit log has as well', async () => {
    const cookie = await signIn(portal.app, ADA)
    const headers = { cookie, 'x-requested-with': 'portal' }
    expect(await portal.app.inject({ method: 'POST', url: '/auth/logout', headers })).toMatchObject({ statusCode: 200 })
    const acts = await portal.db
      .selectFrom('audit_log')
      .select('action')
      .where('customer_number', '=', '')
      .where('email', '=', ADA)
      .orderBy('id')
      .execute()
    expect(acts.slice(-2).map(({ action }) => action)).toEqual(['sign-in', 'sign-out'])
  })
})
