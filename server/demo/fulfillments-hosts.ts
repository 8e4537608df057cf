import type { Insertable } from 'kysely'
import type { HostIdType } from '#domain/entitlements/fulfillment.ts'
import type { DB } from '#server/db/schema.ts'
import { UNSEEN_PARTNER_ACCOUNT } from '#server/demo/named-accounts.ts'

export type DemoHost = {
  readonly name: string
  readonly id: string
  readonly type: HostIdType
  /** Inactive: it once held seats. Unknown: imported, and never held any. */
  readonly state: 'active' | 'inactive' | 'unknown'
  readonly port?: number
}

/** The machine that belongs to both accounts. */
export const TRACK: DemoHost = { name: 'lic-track-01', id: '00155d3a9c41', type: 'ETHERNET', state: 'active' }
export const HARBOR: DemoHost = { name: 'lic-harbor', id: 'b42e99f10a27', type: 'ETHERNET', state: 'active' }
export const FOUNDRY: DemoHost = { name: 'lic-foundry', id: '9-3ac158e0', type: 'FLEXID', state: 'active' }

export const MAIN_HOST: DemoHost = { name: 'lic-berlin-01', id: '3cecef4b7d10', type: 'ETHERNET', state: 'active' }
export const TRIAD: DemoHost = {
  name: 'lic-core-a,lic-core-b,lic-core-c',
  id: 'a0369f1c2e01,a0369f1c2e02,a0369f1c2e03',
  type: 'ETHERNET',
  state: 'active',
  port: 2325,
}
export const DONGLE: DemoHost = { name: 'lic-lab-dongle', id: '9-1f04b7c2', type: 'FLEXID', state: 'active' }
export const WORKSTATION: DemoHost = { name: 'ws-042', id: '5e0c71aa', type: 'DISK_SERIAL_NUM', state: 'active' }
export const REPLACED: DemoHost = { name: 'lic-berlin-00', id: '001e67d40b92', type: 'ETHERNET', state: 'inactive' }

export const DEMO_HOSTS: Readonly<Record<string, readonly DemoHost[]>> = {
  '100001': [
    MAIN_HOST,
    TRIAD,
    DONGLE,
    WORKSTATION,
    TRACK,
    REPLACED,
    {
      name: 'old-core-a,old-core-b,old-core-c',
      id: '1a2b3c4d,1a2b3c4e,1a2b3c4f',
      type: 'DISK_SERIAL_NUM',
      state: 'inactive',
    },
    { name: 'lic-imported', id: '9-77e0d1f5', type: 'FLEXID', state: 'unknown' },
  ],
  '100002': [TRACK, { name: 'lic-pit-lane', id: '6045bd8812f3', type: 'ETHERNET', state: 'active' }],
  '100003': [HARBOR, FOUNDRY, { name: 'lic-training', id: '00e04c680f3d', type: 'ETHERNET', state: 'inactive' }],
  [UNSEEN_PARTNER_ACCOUNT]: [HARBOR, FOUNDRY],
  '100006': [{ name: 'lic-osaka', id: '74563c9d10b8', type: 'ETHERNET', state: 'active' }],
  '100008': [{ name: 'lic-pumps', id: '0a1b2c3d', type: 'DISK_SERIAL_NUM', state: 'active' }],
}

export function hostRows(customerNumber: string, addedAt: Date): Insertable<DB['host']>[] {
  return (DEMO_HOSTS[customerNumber] ?? []).map(({ name, id, type, port = 1055 }) => ({
    customer_number: customerNumber,
    host_id_type: type,
    host_id: id,
    host_name: name,
    port,
    added_at: addedAt,
  }))
}
