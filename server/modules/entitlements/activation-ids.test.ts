import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimActivationIds } from '#server/modules/entitlements/activation-ids.queries.ts'
import { freshDatabase, onCitus } from '#server/testing/database.ts'

/** On a cluster the claims are on the coordinator, and foreign keys do not reach them there (docs/scale-out.md). */
const onOnePostgres = test.skipIf(onCitus())

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
  await database.db
    .insertInto('account')
    .values(['C1', 'C2'].map((customer_number) => ({ customer_number, name: customer_number })))
    .execute()
})
afterAll(() => database.close())

const claim = (customer_number: string, activation_id: string) =>
  claimActivationIds(database.db, [{ customer_number, activation_id }])

const insert = (customer_number: string, activation_id: string) =>
  database.db
    .insertInto('entitlement')
    .values({
      customer_number,
      activation_id,
      entitlement_id: 'E1',
      part_number: 'P1',
      product_name: 'Solver',
      license_model: 'Network',
      line_item_quantity: 1,
      start_date: '2026-01-01',
      end_date: '2026-12-31',
    })
    .execute()

onOnePostgres('an activation id belongs to one account', async () => {
  await claim('C1', 'A1')
  await insert('C1', 'A1')
  await expect(claim('C2', 'A1')).rejects.toThrow('activation_owner_pkey')
  await expect(insert('C2', 'A1')).rejects.toThrow('activation_id_is_claimed')
})

onOnePostgres('an entitlement without a claimed activation id is refused', async () => {
  await expect(insert('C1', 'A2')).rejects.toThrow('activation_id_is_claimed')
})

onOnePostgres('an activation id in use cannot be released or handed over', async () => {
  await claim('C1', 'A3')
  await insert('C1', 'A3')
  const owner = database.db.deleteFrom('activation_owner').where('activation_id', '=', 'A3')
  await expect(owner.execute()).rejects.toThrow('activation_id_is_claimed')
  const moved = database.db
    .updateTable('activation_owner')
    .set({ customer_number: 'C2' })
    .where('activation_id', '=', 'A3')
  await expect(moved.execute()).rejects.toThrow('activation_id_is_claimed')
})
