import type { Page } from '@playwright/test'
import type { Kysely } from 'kysely'
import { post } from '#e2e/support/hosts.ts'
import type { DB } from '#server/db/schema.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { saveUsernames } from '#server/modules/elastic/credentials/credentials.queries.ts'
import { insertDenial } from '#server/modules/elastic/sessions/denials.queries.ts'

export const CUSTOMER = '100001'
export const DENIED = 'paul.weber'
export const OLD_SERVER = 'lic-old'
/** Permanent, and its maintenance has ended: it cannot be rehosted. */
export const HELD_BACK = 'Multiphysics Coupling Hub'
const MOVED = ['Additive Build Process', 'Fluid Meshing', 'Optical Sensor Simulator']

/** A user was denied yesterday, because only other usernames are allowed. */
export async function addDenial(db: Kysely<DB>, now: Date): Promise<void> {
  const deviceId = elasticServerId(CUSTOMER)
  await db.transaction().execute(async (tx) => {
    await saveUsernames(tx, { customerNumber: CUSTOMER, deviceId }, ['anna.adler', 'ben.hansen'])
    await insertDenial(tx, {
      customer_number: CUSTOMER,
      denied_at: new Date(now.getTime() - 24 * 3_600_000),
      reason: 'USER_NOT_ALLOWED',
      server_id: deviceId,
      product: 'Fluid Flow Pro',
      product_count: 1,
      user_name: DENIED,
      host: 'ws-8',
      project: null,
      product_version: '2026 R1',
      external_ip: '203.0.113.8',
    })
  })
}

/** A license server with four products. Staff may still activate the one whose maintenance has ended. */
export async function addOldServer(staff: Page): Promise<void> {
  const customerNumber = CUSTOMER
  const { data } = await post(staff, '/api/fulfillments/allentitlements', { customerNumber })
  const entitlements = data as Record<'ProductName' | 'ActivationId' | 'IsActivationPermanent', string>[]
  const find = (product: string, isPermanent: boolean) =>
    entitlements.find((one) => one.ProductName === product && one.IsActivationPermanent === String(isPermanent))
  const found = [...MOVED.map((product) => find(product, false)), find(HELD_BACK, true)]
  const activations = found.map((one) => ({ id: one?.ActivationId, count: 1 }))
  const host = { customerNumber, serverName: OLD_SERVER, serverId: '02a1b2c3d4ff', serverIdType: 'ETHERNET' }
  await post(staff, '/api/fulfillments/create', { ...host, activations })
  await post(staff, '/api/fulfillments/license', host)
}
