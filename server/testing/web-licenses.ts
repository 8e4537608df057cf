import { type Kysely, sql } from 'kysely'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import type { WebLicenseKind } from '#domain/web-licenses/web-license.ts'
import type { DB } from '#server/db/schema.ts'
import { claimActivationIds } from '#server/modules/entitlements/entitlements.public.ts'

type Sold = {
  readonly id: string
  readonly model?: 'Named User' | 'Shared Web' | 'Network'
  readonly quantity?: number
  readonly product?: string
  readonly from?: string
  readonly to?: string
}

/** Demo people who administer and view every account that `addWebAccount` makes. */
export const WEB_ADMIN = 'ada.admin@aerodyne.example'
export const WEB_VIEWER = 'vic.viewer@aerodyne.example'
export const OPTICS = 'Optical Ray Studio'

/** An account with web entitlements, users `ann`, `bob`, `cid` and `dan` of `@web.example`, an administrator and a viewer. */
export async function addWebAccount(
  db: Kysely<DB>,
  customerNumber: string,
  sold: readonly Sold[],
  timeZone = 'UTC',
): Promise<void> {
  await db
    .insertInto('account')
    .values({ customer_number: customerNumber, name: customerNumber, time_zone: timeZone, org_type: 'Direct' })
    .execute()
  await db
    .insertInto('contact')
    .values([
      { customer_number: customerNumber, email: WEB_ADMIN, role: ADMINISTRATOR },
      { customer_number: customerNumber, email: WEB_VIEWER, role: VIEWER },
    ])
    .execute()
  const rows = sold.map(({ id, model = 'Named User', quantity = 2, product = OPTICS, from, to }) => ({
    customer_number: customerNumber,
    activation_id: `${customerNumber}-${id}`,
    entitlement_id: `ENT-${customerNumber}-${id}`,
    part_number: 'OPT0010110',
    product_name: product,
    license_model: model,
    line_item_quantity: quantity,
    start_date: from ?? '2020-01-01',
    end_date: to ?? '2099-12-31',
  }))
  if (rows.length > 0) await claimActivationIds(db, rows)
  if (rows.length > 0) await db.insertInto('entitlement').values(rows).execute()
  await db
    .insertInto('web_user')
    .values(
      ['ann', 'bob', 'cid', 'dan'].map((name) => ({
        customer_number: customerNumber,
        email: userOf(name),
        name: `${name[0]?.toUpperCase()}${name.slice(1)}`,
        added_at: new Date(),
        added_by: 'a test',
      })),
    )
    .execute()
}

/** A finished checkout: the entitlement `id` of `addWebAccount`, a user, and when. */
type Ended = {
  readonly id: string
  readonly kind?: WebLicenseKind
  readonly user: string
  readonly from: string
  readonly to: string
}

/** Finished checkouts on an account of `addWebAccount`. */
export async function addCheckouts(db: Kysely<DB>, customerNumber: string, ended: readonly Ended[]): Promise<void> {
  const rows = ended.map(({ id, kind = 'CONCURRENT', user, from, to }) => ({
    customer_number: customerNumber,
    checkout_id: `${customerNumber}.${crypto.randomUUID()}`,
    activation_id: `${customerNumber}-${id}`,
    product: OPTICS,
    kind,
    email: userOf(user),
    host: 'ws1',
    status: 'Completed' as const,
    started_at: new Date(from),
    last_heartbeat_at: new Date(from),
    ends_at: new Date(to),
  }))
  await db.insertInto('web_checkout').values(rows).execute()
}

export const userOf = (name: string) => `${name}@web.example`

/** Seats and running checkouts of an entitlement: as they are counted, and as the rows say. */
export async function webUseOf(db: Kysely<DB>, activationId: string) {
  const { rows } = await sql<{ seats: number; running: number; kept: [number, number] }>`
    select (select count(*)::int from web_seat s where s.activation_id = ${activationId}) as seats,
           (select count(*)::int from web_checkout c
             where c.activation_id = ${activationId} and c.ends_at = 'infinity') as running,
           (select json_build_array(u.seats, u.running) from web_license_use u where u.activation_id = ${activationId}) as kept`.execute(
    db,
  )
  return rows[0]
}
