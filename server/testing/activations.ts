import type { Selectable } from 'kysely'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { RawActivation } from '#domain/activations/seats/activation-row.ts'
import type { DB } from '#server/db/schema.ts'
import { productNamed } from '#server/demo/products.ts'
import { claimActivationIds } from '#server/modules/entitlements/entitlements.public.ts'
import type { Answer, Portal } from '#server/testing/portal.ts'

export const ADA = 'ada.admin@aerodyne.example'
export const VIC = 'vic.viewer@aerodyne.example'
export const OLIVIA = 'olivia.ops@vendor.example'
export const GRETA = 'greta.generator@partner.example'

export const NEW_HOST: HostIdentity = { serverName: 'lic-new-01', serverId: '0242ac110002', serverIdType: 'ETHERNET' }
export const hostOf = ({ serverId, serverIdType }: HostIdentity) => ({ hostId: serverId, hostIdType: serverIdType })

export type Call = Awaited<ReturnType<Portal['as']>>
export const rowsOf = (answer: Answer) => answer.body.data as (RawActivation & { customerNumber: string })[]

let made = 0

/** A new entitlement, so that tests do not take each other's seats. */
export async function sellLicense(
  { db }: Pick<Portal, 'db'>,
  change: Partial<Selectable<DB['entitlement']>> = {},
): Promise<string> {
  const product = productNamed(change.product_name ?? 'Structural Mechanics Pro')
  const activation_id = `test-${++made}-${'0'.repeat(8)}`
  const { kind: _, ends_on: __, is_borrowable: ___, activated_count: ____, ...own } = change
  const customer_number = change.customer_number ?? '100001'
  await claimActivationIds(db, [{ customer_number, activation_id }])
  await db
    .insertInto('entitlement')
    .values({
      customer_number,
      activation_id,
      entitlement_id: `e-${made}`,
      part_number: product.partNumber,
      product_name: product.name,
      license_model: 'Network',
      line_item_quantity: 10,
      start_date: '2020-01-01',
      end_date: '2099-12-31',
      ...own,
    })
    .execute()
  return activation_id
}

/** Seats per entitlement and host: as the database keeps them, and as the ledger says. */
export async function seatsIn({ db }: Pick<Portal, 'db'>, activationId: string) {
  const ledger = await db
    .selectFrom('fulfillment')
    .select(({ fn }) => fn.sum<string>('fulfill_count').as('seats'))
    .where('activation_id', '=', activationId)
    .executeTakeFirstOrThrow()
  const kept = await db
    .selectFrom('entitlement')
    .select('activated_count')
    .where('activation_id', '=', activationId)
    .executeTakeFirstOrThrow()
  return { ledger: Number(ledger.seats ?? 0), kept: kept.activated_count }
}
