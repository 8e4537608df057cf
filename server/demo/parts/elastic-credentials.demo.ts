import { readIpRules } from '#domain/elastic/credentials/ip-rules.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { seededRandom } from '#server/demo/random.ts'
import { saveIpRules, saveUsernames } from '#server/modules/elastic/credentials/credentials.queries.ts'
import { PIN_SECRET, sealPin } from '#server/modules/elastic/credentials/pin.seal.ts'

/** The account that shows how a missing PIN is created. */
const WITHOUT_PIN = '100007'

/** Every installation has the same PIN, so that examples can use it. */
export function demoPin(serverId: string): string {
  return String(seededRandom(`elastic PIN ${serverId}`).integer(0, 999_999)).padStart(6, '0')
}

const USERNAMES = ['anna.adler', 'ben.hansen', 'AERODYNE\\svc_batch']

/** Rules that cover the addresses from which the demo usage comes. */
const IP_RULES = [
  { name: 'Headquarters', address: '203.0.113.0/24' },
  { name: 'Wind tunnel', address: '198.51.100.17/24' },
  { name: 'Compute cluster', address: '192.0.2.0/24' },
  { name: 'Branch office (IPv6)', address: '2001:DB8:1::/48' },
]

/**
 * Every elastic server has a PIN, except on one account. The main server of 100001 has IP rules, its second one
 * usernames.
 */
export const elasticCredentials: DemoPart = {
  name: 'elastic credentials',
  async load(tx, world) {
    const secret = await world.secrets.load(tx, PIN_SECRET)
    const servers = await tx
      .selectFrom('elastic_server')
      .select(['customer_number', 'device_id'])
      .where('customer_number', '<>', WITHOUT_PIN)
      .execute()
    const pins = servers.map(({ customer_number, device_id }) => ({
      customer_number,
      device_id,
      sealed_pin: sealPin(secret, { customerNumber: customer_number, deviceId: device_id }, demoPin(device_id)),
      saved_by: 'Automated Action',
      saved_at: world.midnight,
    }))
    await insertRows(tx, 'elastic_pin', pins)

    const customerNumber = '100001'
    const read = readIpRules(IP_RULES)
    if ('error' in read) throw new Error(read.error)
    await saveIpRules(tx, { customerNumber, deviceId: elasticServerId(customerNumber) }, read.rules)
    await saveUsernames(tx, { customerNumber, deviceId: elasticServerId(customerNumber, 'second') }, USERNAMES)
  },
}
