import { sql } from 'kysely'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { TRIAD } from '#server/demo/fulfillments-hosts.ts'
import { insertRows } from '#server/demo/insert-rows.ts'

const CUSTOMER = '100001'
const HOUR = 3_600_000
const DAYS = 20

/** Three people wait for a feature whose seats are all in use. */
export const seatLines: DemoPart = {
  name: 'lines for seats',
  async load(tx, { midnight, random }) {
    const { rows } = await sql<{ feature: string }>`
      select feature from license_feature
       where customer_number = ${CUSTOMER} and host_id = ${TRIAD.id} and in_use = seat_limit and in_use > 0 order by 1 limit 1`.execute(
      tx,
    )
    const [full] = rows
    if (!full) return
    const draw = random('lines for seats')
    const people = [
      { name: 'cora.coordinator', priority: 'normal', hours: 5 },
      { name: 'vic.viewer', priority: 'normal', hours: 3 },
      { name: 'ada.admin', priority: 'low', hours: 9 },
    ] as const
    await insertRows(
      tx,
      'license_wait',
      people.map(({ name, priority, hours }, index) => ({
        customer_number: CUSTOMER,
        wait_id: draw.uuid(),
        feature: full.feature,
        host_id: index === 1 ? TRIAD.id : null,
        seats: index === 2 ? 2 : 1,
        email: `${name}@aerodyne.example`,
        is_mailed: true,
        user_name: name,
        priority,
        number: index + 1,
        joined_at: new Date(midnight.getTime() - hours * HOUR),
        until: new Date(midnight.getTime() + DAYS * 24 * HOUR),
        state: 'waiting',
        held_before: '{}',
      })),
    )
  },
}
