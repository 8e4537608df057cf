import { type Kysely, sql } from 'kysely'
import { defineList, type RowOf } from '#server/lists/list-source.ts'

/** A list with a field of every type, over a separate table, to test the engine. */
export const sampleList = defineList({
  name: 'sample',
  fields: {
    Id: { column: 's.id', type: 'number', nullable: false },
    Product: { column: 's.product', type: 'text', distinct: 'loose' },
    Code: { column: 's.code', type: 'text', nullable: false },
    Charge: { column: 's.charge', type: 'number' },
    Count: { column: 's.count', type: 'number', nullable: false },
    StartTime: { column: 's.start_time', type: 'instant', nullable: false },
    EndTime: { column: 's.end_time', type: 'instant', missingIsFuture: true },
    /** Like EndTime, but kept as infinity while it is missing. */
    Expires: { column: 's.expires', type: 'instant', missingIsFuture: true, missingIsInfinity: true },
    /** Kept to the microsecond, unlike the others. */
    Arrived: { column: 's.arrived', type: 'instant', sortable: false, distinct: 'loose' },
    EndDate: { column: 's.end_date', type: 'day' },
    Active: { column: 's.is_active', type: 'boolean' },
    'CA[ENT|services]': { column: 's.services', type: 'text-list' },
    Links: { column: 's.links', type: 'json' },
  },
  key: ['Id'],
  defaultSort: [{ name: 'StartTime', direction: 'desc' }],
  looseWithin: ['Charge', 'Expires'],
  from: sql`sample s`,
  scope: ({ customerNumber }: { customerNumber: string }) => sql`s.customer_number = ${customerNumber}`,
})
export type SampleRow = RowOf<typeof sampleList>

export const CUSTOMER = { customerNumber: '100001' }

export async function createSample<D>(db: Kysely<D>): Promise<void> {
  await sql`
    create table sample (
      customer_number text collate "C" not null,
      id bigint not null,
      product text collate "C",
      code text not null,
      charge numeric(24, 6),
      count integer not null,
      start_time timestamptz(3) not null,
      end_time timestamptz(3),
      expires timestamptz(3) not null default 'infinity',
      arrived timestamptz,
      end_date date,
      is_active boolean,
      services text[],
      links jsonb,
      primary key (customer_number, id)
    )`.execute(db)
}

/** Stores the rows for the sample customer; another customer has the same rows, which nobody may see. */
export async function fillSample<D>(db: Kysely<D>, rows: readonly SampleRow[]): Promise<void> {
  await sql`truncate sample`.execute(db)
  await sql`
    insert into sample
    select customer, r."Id", r."Product", r."Code", r."Charge", r."Count", r."StartTime", r."EndTime",
      coalesce(r."Expires", 'infinity'),
      r."Arrived" + r."Id" % 7 * interval '1 microsecond',
      r."EndDate", r."Active", r."CA[ENT|services]", nullif(r."Links", 'null')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      "Id" bigint, "Product" text, "Code" text, "Charge" numeric, "Count" integer, "StartTime" timestamptz,
      "EndTime" timestamptz, "Expires" timestamptz, "Arrived" timestamptz, "EndDate" date, "Active" boolean, "CA[ENT|services]" text[],
      "Links" jsonb)
    cross join (values (${CUSTOMER.customerNumber}), ('100002')) as customers(customer)`.execute(db)
}
