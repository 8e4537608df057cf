import { type Insertable, type Kysely, type SqlBool, sql, type Transaction } from 'kysely'
import type { Term } from '#domain/entitlements/term.ts'
import type { WebLicenseKind } from '#domain/web-licenses/web-license.ts'
import type { DB } from '#server/db/schema.ts'
import { LISTED_ENTITLEMENT } from '#server/identity/listed-entitlements.queries.ts'
import { endOfCheckout } from '#server/modules/web-licenses/seats.queries.ts'

/** Facts about the account that decide on a checkout; undefined if there is no such account. */
export async function findCheckoutAccount(
  db: Kysely<DB>,
  customerNumber: string,
): Promise<{ exportControlStatus: string; timeZone: string } | undefined> {
  return db
    .selectFrom('account')
    .select(['export_control_status as exportControlStatus', 'time_zone as timeZone'])
    .where('customer_number', '=', customerNumber)
    .executeTakeFirst()
}

export type ProductEntitlement = {
  readonly activationId: string
  readonly kind: WebLicenseKind
  readonly quantity: number
  readonly term: Term
  readonly isAssigned: boolean
}

/**
 * The web entitlements of a product, and whether the user is assigned to them. Their quantities are locked until the
 * end of the transaction.
 */
export async function lockProductEntitlements(
  tx: Transaction<DB>,
  { customerNumber, product, email }: { customerNumber: string; product: string; email: string },
): Promise<ProductEntitlement[]> {
  type Row = Omit<ProductEntitlement, 'term'> & { start_date: string; end_date: string | null }
  const { rows } = await sql<Row>`
    select e.activation_id as "activationId", e.kind, e.line_item_quantity as quantity, e.start_date, e.end_date,
           exists (select 1 from web_seat s where s.customer_number = ${customerNumber}
                      and s.activation_id = e.activation_id and s.email = ${email}) as "isAssigned"
      from entitlement e
     where e.customer_number = ${customerNumber} and e.kind in ('SUBSCRIPTION', 'CONCURRENT')
       and ${sql.raw<SqlBool>(LISTED_ENTITLEMENT)} and e.product_name = ${product}
     order by e.activation_id for share of e`.execute(tx)
  return rows.map(({ start_date, end_date, ...one }) => ({
    ...one,
    term: { startDate: start_date, endDate: end_date },
  }))
}

/**
 * Running checkouts of entitlements, locked until the end of the transaction, so that nobody else can take the seat.
 */
export async function lockRunningCounts(
  tx: Transaction<DB>,
  customerNumber: string,
  activationIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ activation_id: string; running: number }>`
    select u.activation_id, u.running from web_license_use u
     where u.customer_number = ${customerNumber} and u.activation_id = any (${activationIds})
     order by u.activation_id for update`.execute(tx)
  return new Map(rows.map((row) => [row.activation_id, row.running]))
}

export async function insertCheckout(tx: Transaction<DB>, checkout: Insertable<DB['web_checkout']>): Promise<void> {
  await tx.insertInto('web_checkout').values(checkout).execute()
}

type CheckoutKey = { readonly customerNumber: string; readonly checkoutId: string }
export type KeptCheckout = { readonly exportControlStatus: string; readonly timeZone: string; readonly term: Term }

/** Undefined if the checkout is unknown or over; otherwise the facts that decide whether it may continue. */
export async function saveCheckoutHeartbeat(
  tx: Transaction<DB>,
  { customerNumber, checkoutId }: CheckoutKey,
  { now, oldest }: { now: Date; oldest: Date },
): Promise<KeptCheckout | undefined> {
  type Row = { export_control_status: string; time_zone: string; start_date: string; end_date: string | null }
  const { rows } = await sql<Row>`
    update web_checkout c set last_heartbeat_at = greatest(c.last_heartbeat_at, ${now})
      from account a, entitlement e
     where c.customer_number = ${customerNumber} and c.checkout_id = ${checkoutId}
       and c.ends_at = 'infinity' and c.last_heartbeat_at > ${oldest}
       and a.customer_number = c.customer_number
       and e.customer_number = c.customer_number and e.activation_id = c.activation_id
    returning a.export_control_status, a.time_zone, e.start_date, e.end_date`.execute(tx)
  const [row] = rows
  return (
    row && {
      exportControlStatus: row.export_control_status,
      timeZone: row.time_zone,
      term: { startDate: row.start_date, endDate: row.end_date },
    }
  )
}

export type EndedCheckout = { readonly status: string; readonly hours: number }

/** Ends a running checkout; undefined if it is unknown or over. */
export async function endCheckout(
  tx: Transaction<DB>,
  { customerNumber, checkoutId }: CheckoutKey,
  now: Date,
): Promise<EndedCheckout | undefined> {
  const { rows } = await sql<EndedCheckout>`
    update web_checkout c set ${endOfCheckout('Completed', now)}
     where c.customer_number = ${customerNumber} and c.checkout_id = ${checkoutId} and c.ends_at = 'infinity'
    returning c.status, c.hours::float8 as hours`.execute(tx)
  return rows[0]
}

/** A checkout that may be over; hours are null while it runs. */
export async function findCheckout(
  db: Kysely<DB>,
  { customerNumber, checkoutId }: CheckoutKey,
): Promise<{ status: string; hours: number | null } | undefined> {
  const { rows } = await sql<{ status: string; hours: number | null }>`
    select c.status, c.hours::float8 as hours from web_checkout c
     where c.customer_number = ${customerNumber} and c.checkout_id = ${checkoutId}`.execute(db)
  return rows[0]
}

/** Ends the checkouts of some entitlements that sent no heartbeat for too long. Answers how many. */
export async function endSilentCheckouts(
  tx: Transaction<DB>,
  customerNumber: string,
  { activationIds, now, oldest }: { activationIds?: readonly string[]; now: Date; oldest: Date },
): Promise<number> {
  const { rows } = await sql<{ number: string }>`
    update web_checkout c set ${endOfCheckout('Completed', now)}
     where c.customer_number = ${customerNumber} and c.ends_at = 'infinity' and c.last_heartbeat_at <= ${oldest}
       and (${activationIds ?? null}::text[] is null or c.activation_id = any (${activationIds ?? []}))
    returning c.checkout_number as number`.execute(tx)
  return rows.length
}

export async function listAccountsWithSilentCheckouts(db: Kysely<DB>, oldest: Date): Promise<string[]> {
  const { rows } = await sql<{ customer_number: string }>`
    select distinct c.customer_number from web_checkout c
     where c.ends_at = 'infinity' and c.last_heartbeat_at <= ${oldest} order by 1`.execute(db)
  return rows.map((row) => row.customer_number)
}

export async function countRunningWebCheckouts(db: Kysely<DB>, customerNumber: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from web_checkout c
     where c.customer_number = ${customerNumber} and c.ends_at = 'infinity'`.execute(db)
  return rows[0]?.count ?? 0
}
