import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDeviceIds } from '#server/modules/elastic/credentials/device-ids.queries.ts'
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

const insert = (customer_number: string, device_id: string) =>
  database.db.insertInto('elastic_server').values({ customer_number, device_id, alias: 'Elastic' }).execute()

onOnePostgres('a device id belongs to one account', async () => {
  await claimDeviceIds(database.db, [{ customer_number: 'C1', device_id: 'D1' }])
  await insert('C1', 'D1')
  const again = claimDeviceIds(database.db, [{ customer_number: 'C2', device_id: 'D1' }])
  await expect(again).rejects.toThrow('device_owner_pkey')
  await expect(insert('C2', 'D1')).rejects.toThrow('device_id_is_claimed')
})

onOnePostgres('a server without a claimed device id is refused', async () => {
  await expect(insert('C1', 'D2')).rejects.toThrow('device_id_is_claimed')
})
