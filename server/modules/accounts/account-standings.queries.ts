import { type Kysely, sql } from 'kysely'
import type { ContactRole } from '#domain/access/roles.ts'
import type { OrgType, Standing } from '#domain/access/standing.ts'
import type { DB } from '#server/db/schema.ts'
import { LISTED_ENTITLEMENT } from '#server/identity/listed-entitlements.queries.ts'

/** An account that a call is about without naming it, and the caller's standing on it. */
export type KnownAccount = {
  readonly standing: Standing
  readonly name: string
  readonly timeZone: string
}

/** Returns every account that exists, whether or not the person sees it: ask `can` before using one. */
export async function findStandings(
  db: Kysely<DB>,
  email: string,
  customerNumbers: readonly string[],
): Promise<ReadonlyMap<string, KnownAccount>> {
  const [one] = customerNumbers
  const isOne = customerNumbers.length === 1
  // A single account is named in every relation, so that it is read on its own node.
  const own = isOne ? sql`${one}` : sql`a.customer_number`
  const { rows } = await sql<StandingRow>`
    select a.customer_number, a.name, a.time_zone, a.org_type, a.export_control_status, a.is_access_disabled,
           (select c.role from contact c where c.customer_number = ${own} and c.email = ${email}) as contact_role,
           array(select g.kind from account_grant g where g.customer_number = ${own} and g.email = ${email}) as grants,
           exists (select 1 from entitlement e where e.customer_number = ${own}
              and e.kind in ('SSL', 'CONCURRENT', 'SUBSCRIPTION') and ${sql.raw(LISTED_ENTITLEMENT)}) as ssl
      from account a where a.customer_number = ${isOne ? own : sql`any (${[...customerNumbers]})`}`.execute(db)
  return new Map(rows.map((row) => [row.customer_number, toKnownAccount(row)]))
}

type StandingRow = {
  customer_number: string
  name: string
  time_zone: string
  org_type: OrgType
  export_control_status: string
  is_access_disabled: boolean
  contact_role: ContactRole | null
  grants: string[]
  ssl: boolean
}

/** Loads only the holdings that decide on activations. */
function toKnownAccount(row: StandingRow): KnownAccount {
  return {
    name: row.name,
    timeZone: row.time_zone,
    standing: {
      customerNumber: row.customer_number,
      contactRole: row.contact_role,
      isSalesAccess: row.grants.includes('sales-access'),
      isFNPLicenseGenerator: row.grants.includes('fnp-license-generator'),
      isAccessDisabled: row.is_access_disabled,
      exportControlStatus: row.export_control_status,
      orgType: row.org_type,
      holdings: { elastic: 0, ssl: row.ssl, fsa: false, sharedWeb: false, namedUser: false },
    },
  }
}

/** What people may do on one account, by their email. Staff roles are left out. */
export async function findStandingsOn(
  db: Kysely<DB>,
  customerNumber: string,
  emails: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  const { rows } = await sql<StandingRow & { email: string }>`
    select p.email, a.customer_number, a.name, a.time_zone, a.org_type, a.export_control_status, a.is_access_disabled,
           (select c.role from contact c where c.customer_number = ${customerNumber} and c.email = p.email) as contact_role,
           array(select g.kind from account_grant g where g.customer_number = ${customerNumber} and g.email = p.email) as grants,
           exists (select 1 from entitlement e where e.customer_number = ${customerNumber}
              and e.kind in ('SSL', 'CONCURRENT', 'SUBSCRIPTION') and ${sql.raw(LISTED_ENTITLEMENT)}) as ssl
      from account a cross join unnest(${[...emails]}::text[]) as p (email) where a.customer_number = ${customerNumber}`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.email, toKnownAccount(row).standing]))
}

/** Email addresses of the administrators of an account. */
export async function listAdministrators(db: Kysely<DB>, customerNumber: string): Promise<string[]> {
  const rows = await db
    .selectFrom('contact')
    .select('email')
    .where('customer_number', '=', customerNumber)
    .where('role', 'in', ['Licensing Portal Administrator', 'Ansys Support Coordinator (Administrator)'])
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}
