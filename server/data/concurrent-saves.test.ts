import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import { ADA, seatsIn } from '#server/testing/activations.ts'
import { type DataPortal, startDataPortal } from '#server/testing/data.ts'

/** Writers and readers at the same time. */
let portal: DataPortal
beforeAll(async () => {
  portal = await startDataPortal()
  await portal.save('accounts', [{ customerNumber: ACCOUNT, name: 'Races' }])
  await portal.save('contacts', [{ customerNumber: ACCOUNT, email: ADA, role: 'Licensing Portal Administrator' }])
})
afterAll(() => portal.close())

const ACCOUNT = '920001'
const sold = (activationId: string, quantity = 10) => ({
  activationId,
  customerNumber: ACCOUNT,
  entitlementId: `ENT-${activationId}`,
  partNumber: 'ANS0010110',
  licenseModel: 'Network',
  quantity,
  startDate: '2020-01-01',
  endDate: '2099-12-31',
})

test('batches with the same records in any order never deadlock, and each record is created once', async () => {
  const ids = Array.from({ length: 60 }, (_, at) => `race-${at}`)
  for (const quantity of [10, 11]) {
    const orders = [ids, ids.toReversed(), [...ids.slice(30), ...ids.slice(0, 30)], ids.filter((_, at) => at % 2 === 0)]
    const answers = await Promise.all(
      orders.map((order) =>
        portal.save(
          'entitlements',
          order.map((id) => sold(id, quantity)),
        ),
      ),
    )
    const results = Map.groupBy(answers.flat(), ({ id }) => id)
    for (const id of ids) {
      const [first, ...others] =
        results
          .get(id)
          ?.map(({ result }) => result)
          .sort() ?? []
      expect(first).toBe(quantity === 10 ? 'created' : 'changed')
      expect(new Set(others)).toEqual(new Set(['unchanged']))
    }
  }
  expect(await portal.countAudits('service/entitlements')).toBe(2 * ids.length)
})

test('batches of several accounts sell the same products at once, while the catalog changes', async () => {
  const accounts = ['920002', '920003', '920004', '920005']
  await portal.save(
    'accounts',
    accounts.map((customerNumber) => ({ customerNumber, name: 'Races' })),
  )
  const [product] = (await portal.listAll('products')).filter(({ partNumber }) => partNumber === 'ANS0010110')
  const { changedAt: _, ...fields } = product!
  for (let round = 0; round < 5; round++) {
    const batch = (writer: number) =>
      accounts.map((customerNumber, at) => ({ ...sold(`sold-${round}-${writer}-${at}`), customerNumber }))
    const batches = accounts.map((__, writer) => batch(writer).slice(writer).concat(batch(writer).slice(0, writer)))
    const [answers] = await Promise.all([
      Promise.all(batches.map((one) => portal.save('entitlements', one))),
      portal.save('products', [{ ...fields, featureNames: [`round_${round}`] }]),
    ])
    expect(answers.flat().map(({ result }) => result)).toEqual(Array(accounts.length ** 2).fill('created'))
  }
})

test('a product that is being sold is not removed', async () => {
  for (let round = 0; round < 8; round++) {
    const partNumber = `RACE${round}`
    const record = { partNumber, name: `Race ${round}`, itemNumber: `race-${round}`, daemon: 'ansyslmd' }
    expect(await portal.save('products', [{ ...record, isNodeLocked: false, featureNames: ['race'] }])).toMatchObject([
      { result: 'created' },
    ])
    const [[sale], [removal]] = await Promise.all([
      portal.save('entitlements', [{ ...sold(`removed-${round}`), partNumber }]),
      portal.revoke('products', [partNumber]),
    ])
    expect([
      ['created', 'IN_USE'],
      ['UNKNOWN_PRODUCT', 'removed'],
    ]).toContainEqual([sale?.code ?? sale?.result, removal?.code ?? removal?.result])
  }
})

test('seats that are activated while the quantity drops never exceed it', async () => {
  const asAda = await portal.as(ADA)
  for (let round = 0; round < 8; round++) {
    const one = sold(`drop-${round}`)
    await portal.save('entitlements', [one])
    const [activated, [dropped]] = await Promise.all([
      asAda(createFulfillments, {
        body: {
          customerNumber: ACCOUNT,
          serverName: 'race-host',
          serverId: '0242ac11aa01',
          serverIdType: 'ETHERNET',
          activations: [{ id: one.activationId, count: 6 }],
        },
      }),
      portal.save('entitlements', [{ ...one, quantity: 5 }]),
    ])
    const { kept } = await seatsIn(portal, one.activationId)
    const outcome = [activated.body.code ?? activated.body.status, dropped?.code ?? dropped?.result, kept]
    expect([
      ['SUCCESS', 'QUANTITY_IN_USE', 6],
      ['SEAT_GONE', 'changed', 0],
    ]).toContainEqual(outcome)
  }
})

test('a reader who asks with `until` of the last answer sees every change, also of slow writers', async () => {
  const seen = new Set<string>()
  let until = new Date(Date.now() - 1000).toISOString()
  const look = async () => {
    const since = until
    const first = await portal.page('entitlements', { changedSince: since, limit: '7' })
    until = first.until
    for (const row of await portal.changes('entitlements', since, 7)) seen.add(String(row.activationId))
  }
  /** Writes at once and commits late, while others write and commit. */
  const slowly = (id: string, release: Promise<void>) =>
    portal.db.transaction().execute(async (tx) => {
      await sql`insert into activation_owner values (${id}, ${ACCOUNT})`.execute(tx)
      const { activationId, customerNumber, entitlementId, partNumber, licenseModel, quantity, startDate, endDate } =
        sold(id)
      await tx
        .insertInto('entitlement')
        .values({
          customer_number: customerNumber,
          activation_id: activationId,
          entitlement_id: entitlementId,
          part_number: partNumber,
          product_name: 'x',
          license_model: licenseModel,
          line_item_quantity: quantity,
          start_date: startDate,
          end_date: endDate,
        })
        .execute()
      written.resolve()
      await release
    })
  const written = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const slow = slowly('slow-1', release.promise)
  await written.promise
  const fast = ['fast-1', 'fast-2', 'fast-3']
  for (const id of fast) {
    await portal.save('entitlements', [sold(id)])
    await look()
  }
  expect([...seen]).toEqual(expect.arrayContaining(fast))
  expect(seen.has('slow-1')).toBe(false)
  release.resolve()
  await slow
  await look()
  expect(seen.has('slow-1')).toBe(true)
})

test('readers miss no change of many writers', async () => {
  const writers = Array.from({ length: 6 }, (_, writer) =>
    Array.from({ length: 12 }, (_, at) => `many-${writer}-${at}`),
  )
  const seen = new Set<string>()
  let until = new Date(Date.now() - 1000).toISOString()
  const look = async () => {
    const first = await portal.page('entitlements', { changedSince: until, limit: '5' })
    for (const row of await portal.changes('entitlements', until, 50)) seen.add(String(row.activationId))
    until = first.until
  }
  let isWriting = true
  const reading = (async () => {
    while (isWriting) await look()
  })()
  await Promise.all(
    writers.map(async (ids) => {
      for (let at = 0; at < ids.length; at += 3)
        await portal.save(
          'entitlements',
          ids.slice(at, at + 3).map((id) => sold(id)),
        )
    }),
  )
  isWriting = false
  await reading
  await look()
  expect(writers.flat().filter((id) => !seen.has(id))).toEqual([])
})
