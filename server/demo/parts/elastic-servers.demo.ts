import { addDays } from '#domain/calendar/calendar-day.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { midnightOf } from '#server/demo/midnight.ts'
import { seededRandom } from '#server/demo/random.ts'
import { claimDeviceIds } from '#server/modules/elastic/credentials/device-ids.queries.ts'

/** Looks random, but the usage data can compute it. */
export function elasticServerId(customerNumber: string, purpose: 'main' | 'second' = 'main'): string {
  return `cls-${seededRandom(`elastic server ${customerNumber} ${purpose}`).hex(16)}`
}

/** Each account with elastic units has a server. One account has a second server in another country. */
export const elasticServers: DemoPart = {
  name: 'elastic servers',
  async load(tx, world) {
    const accounts = await tx
      .selectFrom('account')
      .innerJoin('entitlement', 'entitlement.customer_number', 'account.customer_number')
      .where('entitlement.kind', '=', 'ELASTIC')
      .select(['account.customer_number', 'account.name'])
      .distinct()
      .orderBy('account.customer_number')
      .execute()
    const created = midnightOf(addDays(world.today('UTC'), -800))
    const main = accounts.map(({ customer_number, name }) => ({
      customer_number,
      device_id: elasticServerId(customer_number),
      alias: `${name} Elastic`,
      created_at: created,
    }))
    const second = {
      customer_number: '100001',
      device_id: elasticServerId('100001', 'second'),
      alias: 'Aerodyne Motors Elastic – Test Bench',
      created_at: midnightOf(addDays(world.today('UTC'), -90)),
    }
    const servers = [...main, second]
    await claimDeviceIds(tx, servers)
    await insertRows(tx, 'elastic_server', servers)
  },
}
