import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Hit, MAX_HITS, search } from '#contract/search/search.ts'
import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { MAIN_HOST, TRIAD } from '#server/demo/fulfillments-hosts.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
const OLIVIA = 'olivia.ops@vendor.example'
const ADAM = 'adam.admin@vendor.example'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

async function find(email: string, text: string, customerNumber?: string): Promise<Hit[]> {
  const answer = await (await portal.as(email))(search, { body: { text, customerNumber } })
  expect(answer).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
  return answer.body.data as Hit[]
}

const kindsOf = (hits: readonly Hit[]) => [...new Set(hits.map(({ kind }) => kind))]

async function anEntitlement(customerNumber: string, kind = 'SSL') {
  return (
    portal.db
      .selectFrom('entitlement')
      .select(['activation_id', 'product_name', 'order_id', 'po_number', 'entitlement_id'])
      .where('customer_number', '=', customerNumber)
      .where('kind', '=', kind as 'SSL')
      .where('state', '=', 'Deployed')
      .where('is_manual', '=', false)
      // What was ordered from a spending account shares the order of the contract.
      .where('fsa_id', 'is', null)
      .orderBy('activation_id')
      .executeTakeFirstOrThrow()
  )
}

describe('searching the selected account', () => {
  test.each([
    ['a part of a name', 'berlin-01'],
    ['an id', MAIN_HOST.id],
    ['an id with separators', '3C:EC:EF:4B:7D:10'],
    ['an id in three groups', '3cec.ef4b.7d10'],
    ['an id with its label and blanks', 'Host ID: 3c ec ef 4b 7d 10'],
  ])('finds a host by %s', async (_, text) => {
    expect((await find(ADA, text, '100001')).filter(({ kind }) => kind === 'host')).toEqual([
      {
        kind: 'host',
        customerNumber: '100001',
        customerName: 'Aerodyne Motors',
        id: MAIN_HOST.id,
        title: MAIN_HOST.name,
        type: null,
        detail: '',
      },
    ])
  })

  test.each([
    ['in words of their email address', 'ada admin'],
    ['in capital letters', 'ADA.ADMIN'],
    ['with a name before it', `Ada <${ADA}>`],
  ])('finds a contact %s', async (_, text) => {
    expect(await find(ADA, text, '100001')).toMatchObject([{ kind: 'contact', id: ADA, detail: ADMINISTRATOR }])
  })

  test('finds a web user by name and email address', async () => {
    const { email, name } = await portal.db
      .selectFrom('web_user')
      .select(['email', 'name'])
      .where('customer_number', '=', '100001')
      .where('name', '<>', '')
      .orderBy('email')
      .executeTakeFirstOrThrow()
    for (const text of [name, email]) {
      const users = (await find(ADA, text, '100001')).filter(({ kind }) => kind === 'web user')
      expect(users.map(({ id }) => id)).toContain(email)
    }
  })

  test('finds the elastic license server by its id', async () => {
    const id = elasticServerId('100001')
    expect(await find(ADA, `Server ID: ${id}`, '100001')).toMatchObject([{ kind: 'elastic server', id }])
  })

  test('finds an address and a user that were denied lately, with how often', async () => {
    const deny = (external_ip: string, daysAgo: number) =>
      portal.db
        .insertInto('elastic_denial')
        .values({
          customer_number: '100001',
          denied_at: new Date(portal.clock.now().getTime() - daysAgo * 24 * 3600 * 1000),
          reason: 'ADDRESS_NOT_ALLOWED',
          server_id: elasticServerId('100001'),
          product: 'Acoustics Response',
          product_count: 1,
          user_name: 'Eve.Denied',
          host: 'ws-1',
          external_ip,
        })
        .execute()
    await deny('198.18.44.7', 0)
    await deny('198.18.44.7', 29)
    await deny('198.18.44.8', 40)
    const found = { kind: 'denied address', id: '198.18.44.7', detail: 'Denied 2 times in 30 days' }
    expect(await find(ADA, 'IP address: 198.18.44', '100001')).toMatchObject([found])
    expect(await find(ADA, '198.18.44', '100002')).toEqual([])
    const user = { kind: 'denied user', id: 'Eve.Denied', detail: 'Denied 2 times in 30 days' }
    expect(await find(ADA, 'Username: eve.den', '100001')).toMatchObject([user])
    expect(await find(ADA, 'eve.denied', '100002')).toEqual([])
  })

  test('finds a product by its part number, as it is pasted', async () => {
    const { part_number, product_name } = await portal.db
      .selectFrom('entitlement')
      .select(['part_number', 'product_name'])
      .where('customer_number', '=', '100001')
      .where('kind', '=', 'SSL')
      .where('state', '=', 'Deployed')
      .orderBy('activation_id')
      .executeTakeFirstOrThrow()
    for (const text of [`Part number: ${part_number}`, part_number.toLowerCase()]) {
      const hits = await find(ADA, text, '100001')
      expect(hits).toMatchObject([
        { kind: 'product', id: product_name, detail: expect.stringContaining(`Part number ${part_number}, `) },
      ])
    }
    expect(await find(ADA, part_number)).toEqual([])
  })

  test('finds a project that was used lately', async () => {
    const { project } = await portal.db
      .selectFrom('usage_project_day')
      .select('project')
      .where('customer_number', '=', '100001')
      .where('project', '<>', '')
      .orderBy('day', 'desc')
      .executeTakeFirstOrThrow()
    const hits = (await find(ADA, project.toUpperCase(), '100001')).filter(({ kind }) => kind === 'project')
    expect(hits[0]).toMatchObject({ id: project, detail: expect.stringMatching(/^\d+ sessions? in 90 days$/) })
    expect(await find(ADA, project)).toEqual([])
  })

  test.each([
    ['"%s"', 'activation_id'],
    ['Activation ID: %s', 'activation_id'],
    ['Order %s', 'order_id'],
  ] as const)('finds an entitlement by %j, as it is pasted', async (pasted, field) => {
    const sold = await anEntitlement('100001')
    const hits = await find(ADA, pasted.replace('%s', sold[field]), '100001')
    expect(hits.map(({ id }) => id)).toContain(sold.activation_id)
  })

  test('finds an entitlement by a part of its activation id, and by its order', async () => {
    const { activation_id, product_name, order_id } = await anEntitlement('100001')
    const found = { kind: 'entitlement', id: activation_id, title: product_name, type: 'SSL' }
    expect(await find(ADA, activation_id.slice(9, 30), '100001')).toMatchObject([{ ...found, detail: '' }])
    expect(await find(ADA, order_id.toLowerCase(), '100001')).toMatchObject([{ ...found, detail: `Order ${order_id}` }])
  })

  test('finds a product by any part of its name, once, with its entitlements', async () => {
    const hits = (await find(ADA, 'FLOW', '100001')).filter(({ kind }) => kind === 'product')
    expect(hits.length).toBeGreaterThan(0)
    expect(new Set(hits.map(({ id, type }) => `${id} ${type}`)).size).toBe(hits.length)
    for (const hit of hits) {
      expect(hit.title.toLowerCase()).toContain('flow')
      expect(hit.detail).toMatch(/^\d+ entitlements?$/)
    }
  })

  test('finds accounts by the beginning of their number and by a part of their name', async () => {
    const names = (hits: Hit[]) => hits.filter(({ kind }) => kind === 'account').map(({ title }) => title)
    expect(names(await find(ADA, '10000'))).toEqual(['Aerodyne Motors', 'Aerodyne Racing'])
    expect(names(await find(ADA, 'racing'))).toEqual(['Aerodyne Racing'])
  })
})

describe('searching data of others', () => {
  test('a contact finds nothing of another account, whatever the text', async () => {
    const { activation_id, order_id, po_number } = await anEntitlement('100003')
    const texts = [activation_id, order_id, po_number, 'b42e99f10a27', '100003', 'Partner', 'greta.generator']
    for (const text of [...texts, elasticServerId('100007')]) {
      expect(await find(ADA, text, '100001')).toEqual([])
      expect(await find(ADA, text)).toEqual([])
    }
  })

  test('a contact without a selected account finds accounts only', async () => {
    expect(await find(ADA, MAIN_HOST.id)).toEqual([])
    expect(kindsOf(await find(ADA, 'aero'))).toEqual(['account'])
  })

  test('a contact of an account without access finds its elastic units only', async () => {
    const hal = 'hal.heritage@heritage.example'
    const { activation_id, product_name } = await anEntitlement('100008')
    expect(await find(hal, activation_id, '100008')).toEqual([])
    expect((await find(hal, product_name, '100008')).filter(({ type }) => type === 'SSL')).toEqual([])
    expect(await find(hal, 'lic-pumps', '100008')).toEqual([])
    const elastic = await anEntitlement('100008', 'ELASTIC')
    expect(kindsOf(await find(hal, elastic.activation_id, '100008'))).toEqual(['entitlement'])
  })

  test('the staff role admin finds no leases or hosts where access is disabled, support does', async () => {
    const { activation_id } = await anEntitlement('100008')
    expect(await find(ADAM, activation_id)).toEqual([])
    expect(kindsOf(await find('sam.support@vendor.example', activation_id))).toEqual(['entitlement'])
    expect(await find(ADAM, '0a1b2c3d')).toEqual([])
    expect(kindsOf(await find(OLIVIA, '0a1b2c3d'))).toEqual(['host'])
  })

  test('staff find nothing on an account that export compliance closes but the account itself', async () => {
    const { activation_id, order_id } = await anEntitlement('100004')
    for (const text of [activation_id, order_id, 'ella.export']) expect(await find(OLIVIA, text)).toEqual([])
    expect(kindsOf(await find(OLIVIA, '100004'))).toEqual(['account'])
  })

  test('wildcards are plain characters', async () => {
    for (const text of ['%%', '__', '\\%', "';--"]) expect(await find(OLIVIA, text, '100001')).toEqual([])
  })

  test('an entitlement that the portal does not list is not found', async () => {
    const { rows } = await portal.pool.query<{ activation_id: string }>(
      "select activation_id from entitlement where is_manual and customer_number = '100001' limit 1",
    )
    expect(rows).toHaveLength(1)
    expect(await find(OLIVIA, rows[0]?.activation_id ?? '', '100001')).toEqual([])
  })
})

describe('staff search over all accounts', () => {
  test.each([
    ['host id', 'b42e99f1', 'host', 'b42e99f10a27'],
    ['host id with separators', 'B4-2E-99-F1-0A-27', 'host', 'b42e99f10a27'],
    ['second id of a triad', 'a0369f1c2e02', 'host', TRIAD.id],
    ['elastic server id', elasticServerId('100007'), 'elastic server', elasticServerId('100007')],
    ['beginning of an email address', 'NINA.nim', 'contact', 'nina.nimbus@nimbus.example'],
  ])('staff find rows of any account by %s', async (_, text, kind, id) => {
    const hits = await find(OLIVIA, text)
    expect(kindsOf(hits)).toEqual([kind])
    expect(hits.map((hit) => hit.id)).toContain(id)
  })

  test('business operations find the email address of a grant', async () => {
    const hits = await find(OLIVIA, 'GRETA.gen')
    expect(kindsOf(hits)).toEqual(['grant'])
    expect(hits[0]).toMatchObject({ id: 'greta.generator@partner.example', detail: 'FNP license generator' })
    expect(await find('sam.support@vendor.example', 'greta.gen')).toEqual([])
  })

  test('staff find a web user by email address, with what they may use', async () => {
    const { email, entitlements } = await portal.db
      .selectFrom('web_seat')
      .select(({ fn }) => ['email', fn.countAll<string>().as('entitlements')])
      .where('customer_number', '=', '100001')
      .groupBy('email')
      .having(({ fn }) => fn.countAll(), '>', 1)
      .orderBy('email')
      .executeTakeFirstOrThrow()
    const users = (await find('sam.support@vendor.example', email)).filter(({ kind }) => kind === 'web user')
    expect(users).toMatchObject([{ customerNumber: '100001', id: email }])
    expect(users[0]?.detail).toContain(`${entitlements} web entitlements`)
  })

  test('staff find an account by its support address', async () => {
    const { support_email } = await portal.db
      .selectFrom('account')
      .select('support_email')
      .where('customer_number', '=', '100007')
      .executeTakeFirstOrThrow()
    const hits = (await find(OLIVIA, support_email)).filter(({ kind }) => kind === 'support address')
    expect(hits.map(({ customerNumber }) => customerNumber)).toContain('100007')
  })

  test('staff find entitlements by activation id, order, purchase order and entitlement id', async () => {
    const sold = await anEntitlement('100007', 'ELASTIC')
    const texts = [sold.activation_id, sold.activation_id.slice(0, 18).toUpperCase(), sold.order_id, sold.po_number]
    for (const text of [...texts, sold.entitlement_id]) {
      const hits = await find(OLIVIA, text)
      expect(hits).toContainEqual(
        expect.objectContaining({
          kind: 'entitlement',
          customerNumber: '100007',
          customerName: 'Nimbus Cloud Labs',
          id: sold.activation_id,
          type: 'ELASTIC',
        }),
      )
    }
  })

  test('shows a few of each kind, and the same thing once', async () => {
    const hits = await find(OLIVIA, 'SO-', '100001')
    expect(hits).toHaveLength(MAX_HITS)
    const { activation_id } = await anEntitlement('100001')
    expect(await find(OLIVIA, activation_id, '100001')).toHaveLength(1)
  })
})

test.each([
  ['nobody', null, { text: 'aero' }, 401],
  ['an account that the caller does not see', ADA, { text: 'aero', customerNumber: '100003' }, 404],
  ['an account that does not exist', OLIVIA, { text: 'aero', customerNumber: '999999' }, 404],
  ['an export denial', OLIVIA, { text: 'aero', customerNumber: '100004' }, 403],
  ['a text of one character', OLIVIA, { text: 'a' }, 400],
  ['a text of 101 characters', OLIVIA, { text: 'a'.repeat(101) }, 400],
  ['no text', OLIVIA, {}, 400],
  ['an unknown field', OLIVIA, { text: 'aero', everything: true }, 400],
])('refuses %s', async (_, email, body, status) => {
  expect((await (await portal.as(email))(search, { body })).status).toBe(status)
})

test('spaces around the text do not count, and spaces alone find nothing', async () => {
  expect(await find(ADA, '   ')).toEqual([])
  expect(kindsOf(await find(ADA, ' aero '))).toEqual(['account'])
})
