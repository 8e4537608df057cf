import type { DemoPart } from '#server/demo/demo-part.ts'
import { insertRows } from '#server/demo/insert-rows.ts'

const CUSTOMER = '100001'
const VIEWER = 'vic.viewer@aerodyne.example'
const ADMINISTRATOR = 'ada.admin@aerodyne.example'
const DAY = 86_400_000

/** Requests of one viewer that are decided: nothing waits on Home. */
export const requests: DemoPart = {
  name: 'requests',
  async load(tx, { midnight, random }) {
    const draw = random('requests')
    const daysAgo = (days: number) => new Date(midnight.getTime() - days * DAY)
    const asked = (days: number) => ({
      customer_number: CUSTOMER,
      request_id: draw.uuid(),
      requested_by: VIEWER,
      requested_at: daysAgo(days),
      expires_at: daysAgo(days - 30),
      decided_at: daysAgo(days - 1),
      revision: 2,
    })
    const license = { kind: 'web-license', item: 'demo', product: 'Optical Ray Studio', quantity: 1 } as const
    const user = { target: VIEWER, target_name: VIEWER }
    await insertRows(tx, 'license_request', [
      {
        ...asked(20),
        ...license,
        ...user,
        reason: 'Lens study of the head lamps',
        state: 'approved',
        decided_by: ADMINISTRATOR,
        decision: null,
        granted_quantity: 1,
      },
      {
        ...asked(12),
        ...license,
        ...user,
        reason: 'A second license for tests',
        state: 'declined',
        decided_by: ADMINISTRATOR,
        decision: 'One license is enough for both.',
        granted_quantity: null,
      },
    ])
  },
}
