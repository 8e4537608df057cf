import { SESSION_REFUSAL_CODES } from '#domain/elastic/sessions/session-refusal.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'

const HOUR = 3_600_000
const PER_ACCOUNT = 35
const USERS = ['anna', 'ben', 'CORP\\claire', 'dmitri']

/** Denied session starts of the last two weeks with every reason except export, which would have closed the account. */
export const elasticDenials: DemoPart = {
  name: 'elastic denials',
  async load(tx, world) {
    const reasons = SESSION_REFUSAL_CODES.filter((reason) => reason !== 'EXPORT')
    const reasonAt = (at: number) => reasons[at % reasons.length] as (typeof reasons)[number]
    const rows = ['100001', '100007'].flatMap((customerNumber) => {
      const random = world.random(`denials ${customerNumber}`)
      return Array.from({ length: PER_ACCOUNT }, (_, at) => ({
        customer_number: customerNumber,
        denied_at: new Date(world.midnight.getTime() - (at + random.fraction()) * 9 * HOUR),
        reason: reasonAt(at),
        server_id: elasticServerId(customerNumber),
        product: reasonAt(at) === 'UNKNOWN_PRODUCT' ? 'Fluid Flow 9' : at % 5 ? 'Fluid Flow Pro' : 'HPC Pack',
        product_count: 1 + (at % 3),
        user_name: USERS[at % USERS.length] ?? '',
        host: `ws-${at % 7}`,
        project: at % 3 ? 'Wing 42' : null,
        product_version: '2026 R1',
        external_ip: `198.51.100.${1 + (at % 20)}`,
      }))
    })
    await insertRows(tx, 'elastic_denial', rows)
  },
}
