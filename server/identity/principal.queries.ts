import { hash } from 'node:crypto'
import { type ClaimRolesState, type ContactRole, claimRolesState } from '#domain/access/roles.ts'
import { type Actor, actor, type OrgType, type Standing } from '#domain/access/standing.ts'
import type { Pool } from '#server/db/database.ts'
import { LISTED_ENTITLEMENT } from '#server/db/listed-entitlements.queries.ts'

/**
 * Session, person and standing on the named accounts in a single round trip: it runs before every call, so it is a named
 * statement that each connection plans once. Answers one row per account that exists, and one row if none does.
 */
const loadCallerText = (isNamed: string) => `
  select s.email, s.claim_roles, s.claim_roles_checked_at, s.last_seen_at, s.expires_at,
         array(select r.role from staff_role r where r.email = s.email) as staff_roles,
         a.customer_number, a.time_zone, a.org_type, a.export_control_status, a.is_access_disabled,
         (select c.role from contact c where c.customer_number = a.customer_number and c.email = s.email) as contact_role,
         exists (select from account_grant g where g.customer_number = a.customer_number and g.email = s.email
                 and g.kind = 'sales-access') as is_sales_access,
         exists (select from account_grant g where g.customer_number = a.customer_number and g.email = s.email
                 and g.kind = 'fnp-license-generator') as is_fnp_license_generator,
         (select count(*)::int from entitlement e where e.customer_number = a.customer_number
            and e.kind = 'ELASTIC' and ${LISTED_ENTITLEMENT}) as elastic,
         exists (select from entitlement e where e.customer_number = a.customer_number
            and e.kind in ('SSL', 'CONCURRENT', 'SUBSCRIPTION') and ${LISTED_ENTITLEMENT}) as ssl,
         exists (select from entitlement e where e.customer_number = a.customer_number
            and e.kind = 'FSA' and ${LISTED_ENTITLEMENT}) as fsa,
         exists (select from entitlement e where e.customer_number = a.customer_number
            and e.kind = 'CONCURRENT' and ${LISTED_ENTITLEMENT}) as shared_web,
         exists (select from entitlement e where e.customer_number = a.customer_number
            and e.kind = 'SUBSCRIPTION' and ${LISTED_ENTITLEMENT}) as named_user
    from session s left join account a on a.customer_number ${isNamed}
   where s.id_hash = $1`
const LOAD_CALLER = { name: 'load-caller', text: loadCallerText('= $2') }
const LOAD_CALLER_ON_SEVERAL = { name: 'load-caller-on-several', text: loadCallerText('= any ($2::text[])') }

type CallerRow = {
  email: string
  claim_roles: string[]
  claim_roles_checked_at: Date | null
  staff_roles: string[]
  last_seen_at: Date
  expires_at: Date
  customer_number: string | null
  time_zone: string
  org_type: OrgType
  export_control_status: string
  is_access_disabled: boolean
  contact_role: ContactRole | null
  is_sales_access: boolean
  is_fnp_license_generator: boolean
  elastic: number
  ssl: boolean
  fsa: boolean
  shared_web: boolean
  named_user: boolean
}

export type Caller = {
  readonly actor: Actor
  /** The accounts that the call names, as far as they exist, whether or not the actor may see them. */
  readonly standings: ReadonlyMap<string, Standing>
  /** Set where the call names a single account. */
  readonly standing: Standing | undefined
  /** The zone of that account: its days are whole days there. */
  readonly timeZone: string | undefined
  readonly lastSeenAt: Date
  readonly expiresAt: Date
  readonly claimRoles: ClaimRolesState
}

/** A session and its person, as stored. */
export type SignInSessionFacts = {
  readonly email: string
  readonly staffRoles: readonly string[]
  readonly claimRoles: readonly string[]
  readonly claimRolesCheckedAt: Date | null
  readonly lastSeenAt: Date
  readonly expiresAt: Date
}

/** What the database says of a person on an account; undefined where there is no such account. */
export type AccountFacts = { readonly standing: Standing; readonly timeZone: string } | undefined

export type CallerFacts = { readonly session: SignInSessionFacts; readonly accounts: ReadonlyMap<string, AccountFacts> }

export const hashOfId = (id: string): Buffer => hash('sha256', id, 'buffer')

export async function loadCallerFacts(
  pool: Pool,
  sessionHash: Buffer,
  customerNumbers: readonly string[],
): Promise<CallerFacts | undefined> {
  const { rows } = await pool.query<CallerRow>(
    customerNumbers.length > 1
      ? { ...LOAD_CALLER_ON_SEVERAL, values: [sessionHash, customerNumbers] }
      : { ...LOAD_CALLER, values: [sessionHash, customerNumbers[0] ?? null] },
  )
  const row = rows[0]
  if (!row) return undefined
  const found = new Map(rows.map((one) => [one.customer_number, one]))
  return {
    session: {
      email: row.email,
      staffRoles: row.staff_roles,
      claimRoles: row.claim_roles,
      claimRolesCheckedAt: row.claim_roles_checked_at,
      lastSeenAt: row.last_seen_at,
      expiresAt: row.expires_at,
    },
    accounts: new Map(customerNumbers.map((number) => [number, accountFacts(found.get(number), number)])),
  }
}

/** Who calls, at a moment: roles from a claim count for some minutes only. */
export function callerAt({ session, accounts }: CallerFacts, now: Date): Caller {
  const claimRoles = claimRolesState(session.claimRoles, session.claimRolesCheckedAt, now)
  const found = [...accounts.values()].filter((account) => account !== undefined)
  const single = accounts.size === 1 ? found[0] : undefined
  return {
    actor: actor(session.email, [...session.staffRoles, ...(claimRoles === 'stale' ? [] : session.claimRoles)]),
    standings: new Map(found.map(({ standing }) => [standing.customerNumber, standing])),
    standing: single?.standing,
    timeZone: single?.timeZone,
    lastSeenAt: session.lastSeenAt,
    expiresAt: session.expiresAt,
    claimRoles,
  }
}

function accountFacts(row: CallerRow | undefined, customerNumber: string): AccountFacts {
  if (!row) return undefined
  const standing = {
    customerNumber,
    contactRole: row.contact_role,
    isSalesAccess: row.is_sales_access,
    isFNPLicenseGenerator: row.is_fnp_license_generator,
    isAccessDisabled: row.is_access_disabled,
    exportControlStatus: row.export_control_status,
    orgType: row.org_type,
    holdings: {
      elastic: row.elastic,
      ssl: row.ssl,
      fsa: row.fsa,
      sharedWeb: row.shared_web,
      namedUser: row.named_user,
    },
  }
  return { standing, timeZone: row.time_zone }
}
