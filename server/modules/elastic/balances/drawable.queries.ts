import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Drawable } from '#domain/elastic/balances/draw-charge.ts'
import { namesCustomers } from '#server/db/named-customers.ts'
import { namedStatement } from '#server/db/named-statements.ts'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { bookedOn } from '#server/modules/entitlements/entitlements.public.ts'

/** The elastic entitlements of an account with what is left of each, as JSON. Amounts are texts, so that they stay exact. */
export const drawableJson = (customerNumber: RawBuilder<string>) => sql<Drawable[]>`coalesce((
  select json_agg(json_build_object(
           'activationId', e.activation_id, 'startDate', e.start_date, 'endDate', e.end_date, 'currency', e.currency,
           'rateTableVersion', e.rate_table_version,
           'left', (e.line_item_quantity * e.units_per_line - ${bookedOn(customerNumber)})::text))
    from entitlement e
   where e.customer_number = ${customerNumber} and e.kind = 'ELASTIC' and ${isListedEntitlement}), '[]')`

export type Drawing = {
  readonly customer_number: string
  readonly export_control_status: string
  readonly time_zone: string
  readonly entitlements: Drawable[]
}

/** What can be drawn on, in the zone whose days decide; lock the account first, or it changes meanwhile. */
export async function loadDrawing(db: Kysely<DB>, customerNumber: string): Promise<Drawing> {
  const [found] = await drawing.run(db, { customerNumber })
  if (!found) throw new Error(`account ${customerNumber} is gone`)
  return found
}

const drawing = namedStatement<{ customerNumber: string }, Drawing>('drawing', (v) => {
  const customer = sql<string>`${v.customerNumber}::text`
  return sql<Drawing>`
    select a.customer_number, a.export_control_status, a.time_zone, ${drawableJson(customer)} as entitlements
      from account a where a.customer_number = ${customer}`
})

export type Terms = Pick<Drawable, 'currency' | 'rateTableVersion'>

/** The terms of elastic entitlements in any state, by account and activation id. */
export async function loadTerms(
  db: Kysely<DB>,
  entitlements: readonly { readonly customerNumber: string; readonly activationId: string }[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Terms>>> {
  const customers = entitlements.map((one) => one.customerNumber)
  const { rows } = await sql<Terms & { customerNumber: string; activationId: string }>`
    select e.customer_number as "customerNumber", e.activation_id as "activationId", e.currency,
           e.rate_table_version as "rateTableVersion"
      from unnest(${customers}::text[],
                  ${entitlements.map((one) => one.activationId)}::text[]) as w (customer_number, activation_id)
      join entitlement e on e.customer_number = w.customer_number and e.activation_id = w.activation_id
     where e.kind = 'ELASTIC' and ${namesCustomers('e', customers)}`.execute(db)
  const found = new Map<string, Map<string, Terms>>()
  for (const { customerNumber, activationId, ...terms } of rows) {
    const known = found.get(customerNumber) ?? new Map<string, Terms>()
    found.set(customerNumber, known.set(activationId, terms))
  }
  return found
}

export type Rates = {
  readonly feature: string
  /** Units per hour by rate table. */
  readonly unitsPerHour: Readonly<Record<string, string>>
}

export const ratesJson = (productName: RawBuilder<string>) => sql<Rates | null>`(
  select json_build_object('feature', p.feature_names[1], 'unitsPerHour', coalesce((
           select json_object_agg(r.rate_table_version, r.units_per_hour::text)
             from elastic_rate r where r.part_number = p.part_number), '{}'))
    from product p where p.name = ${productName})`

/** Rates by the name of the product; names that the catalog does not have are absent. */
export async function loadRates(db: Kysely<DB>, productNames: readonly string[]): Promise<ReadonlyMap<string, Rates>> {
  const { rows } = await sql<{ name: string; rates: Rates | null }>`
    select n.name, ${ratesJson(sql`n.name`)} as rates from unnest(${[...productNames]}::text[]) as n (name)`.execute(db)
  return new Map(rows.flatMap(({ name, rates }) => (rates ? [[name, rates] as const] : [])))
}
