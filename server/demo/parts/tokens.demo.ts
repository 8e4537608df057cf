import { createHash } from 'node:crypto'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { insertRows } from '#server/demo/insert-rows.ts'

const CUSTOMER = '100001'
const ADA = 'ada.admin@aerodyne.example'
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Tokens of one account: in use, replaced, expired and revoked. Nobody knows them. */
export const tokens: DemoPart = {
  name: 'tokens',
  async load(tx, { midnight, random }) {
    const draw = random('tokens')
    const at = (days: number) => new Date(midnight.getTime() + days * DAY)
    const token = (name: string, scopes: string[], created: number, expires: number, change: object = {}) => ({
      customer_number: CUSTOMER,
      id: draw.uuid(),
      secret_hash: createHash('sha256').update(draw.hex(64)).digest(),
      name,
      owner: ADA,
      scopes,
      addresses: [] as string[],
      created_at: at(created),
      expires_at: at(expires),
      last_used_at: null,
      last_address: null,
      revoked_at: null,
      replaced_by: null,
      warned_days: null,
      ...change,
    })
    const used = (days: number) => ({ last_used_at: at(days), last_address: '192.0.2.17' })
    const inventory = token('Software inventory', ['activations:read', 'entitlements:read'], -30, 60, {
      addresses: ['192.0.2.0/24'],
      ...used(-3 / 24),
    })
    await insertRows(tx, 'api_token', [
      inventory,
      token('Cost center reports', ['statements:read', 'usage:read'], -120, 200, used(-1)),
      token('Software inventory', ['activations:read', 'entitlements:read'], -120, -29, {
        ...used(-29),
        replaced_by: inventory.id,
      }),
      token('Migration of license servers', ['activations:write'], -90, 10, { ...used(-80), revoked_at: at(-79) }),
    ])
  },
}
