import { hash } from 'node:crypto'
import { type ClaimRolesState, type ContactRole, claimRolesState } from '#domain/access/roles.ts'
import { type Actor, actor, isStaff, type OrgType, type Standing } from '#domain/access/standing.ts'
import type { Pool } from '#server/db/database.ts'
import { LISTED_ENTITLEMENT } from '#server/identity/listed-entitlements.queries.ts'

/** Two statements run before every call, so they are named and each connection plans them once. */
const LOAD_SESSION = {
  name: 'load-session',
  text: `
  select s.email, s.claim_roles, s.claim_roles_checked_at, s.last_seen_at, s.expires_at, s.authenticated_at, s.viewing_as, s.account_provider,
         (select d.customer_number from proven_domain d
           where d.domain = split_part(s.email, '@', 2) and d.is_enforced and d.break_glass is distinct from s.email) as enforced_by,
         array(select r.role from staff_role r where r.email = s.email) as staff_roles
    from session s where s.id_hash = $1`,
}

/** `isNamed` names the account in every relation, so that a single account is read on its own node. */
const loadStandingText = (isNamed: (number: string) => string) => `
  select a.customer_number, a.time_zone, a.org_type, a.export_control_status, a.is_access_disabled,
         (select c.role from contact c where ${isNamed('c.customer_number')} and c.email = $1) as contact_role,
         exists (select 1 from account_grant g where ${isNamed('g.customer_number')} and g.email = $1
                 and g.kind = 'sales-access') as is_sales_access,
         exists (select 1 from account_grant g where ${isNamed('g.customer_number')} and g.email = $1
                 and g.kind = 'fnp-license-generator') as is_fnp_license_generator,
         (select count(*)::int from entitlement e where ${isNamed('e.customer_number')}
            and e.kind = 'ELASTIC' and ${LISTED_ENTITLEMENT}) as elastic,
         exists (select 1 from entitlement e where ${isNamed('e.customer_number')}
            and e.kind in ('SSL', 'CONCURRENT', 'SUBSCRIPTION') and ${LISTED_ENTITLEMENT}) as ssl,
         exists (select 1 from entitlement e where ${isNamed('e.customer_number')}
            and e.kind = 'FSA' and ${LISTED_ENTITLEMENT}) as fsa,
         exists (select 1 from entitlement e where ${isNamed('e.customer_number')}
            and e.kind = 'CONCURRENT' and ${LISTED_ENTITLEMENT}) as shared_web,
         exists (select 1 from entitlement e where ${isNamed('e.customer_number')}
            and e.kind = 'SUBSCRIPTION' and ${LISTED_ENTITLEMENT}) as named_user
    from account a where `
const LOAD_STANDING = {
  name: 'load-standing',
  text: `${loadStandingText((number) => `${number} = $2`)} a.customer_number = $2`,
}
const LOAD_STANDINGS = {
  name: 'load-standings',
  text: `${loadStandingText((number) => `${number} = a.customer_number`)} a.customer_number = any ($2::text[])`,
}

type SessionRow = {
  email: string
  claim_roles: string[]
  claim_roles_checked_at: Date | null
  staff_roles: string[]
  last_seen_at: Date
  expires_at: Date
  authenticated_at: Date | null
  viewing_as: string | null
  account_provider: string | null
  enforced_by: string | null
}
type StandingRow = {
  customer_number: string
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
  /** The named accounts that exist, whether or not the actor may see them. */
  readonly standings: ReadonlyMap<string, Standing>
  /** Set where the call names a single account. */
  readonly standing: Standing | undefined
  /** The zone of that account: its days are whole days there. */
  readonly timeZone: string | undefined
  readonly lastSeenAt: Date
  readonly expiresAt: Date
  /** When the identity provider last asked the person for a password or the like; null if it did not say. */
  readonly authenticatedAt: Date | null
  /** The email of the member of staff who looks at the portal as the actor, read-only. */
  readonly viewedBy?: string
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
  readonly authenticatedAt: Date | null
  readonly viewingAs: string | null
  /** The account through whose own provider they signed in; null: that of the installation. */
  readonly accountProvider: string | null
  /** The account whose own provider this person has to use for it. */
  readonly enforcedBy: string | null
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
  const [row] = (await pool.query<SessionRow>({ ...LOAD_SESSION, values: [sessionHash] })).rows
  if (!row) return undefined
  const found = await loadStandings(pool, row.viewing_as ?? row.email, customerNumbers)
  return {
    session: {
      email: row.email,
      staffRoles: row.staff_roles,
      claimRoles: row.claim_roles,
      claimRolesCheckedAt: row.claim_roles_checked_at,
      lastSeenAt: row.last_seen_at,
      authenticatedAt: row.authenticated_at,
      viewingAs: row.viewing_as,
      accountProvider: row.account_provider,
      enforcedBy: row.enforced_by,
      expiresAt: row.expires_at,
    },
    accounts: new Map(customerNumbers.map((number) => [number, accountFacts(found.get(number), number)])),
  }
}

/** What a person is on one account. */
export async function loadAccountFacts(pool: Pool, email: string, customerNumber: string): Promise<AccountFacts> {
  return accountFacts((await loadStandings(pool, email, [customerNumber])).get(customerNumber), customerNumber)
}

async function loadStandings(pool: Pool, email: string, customerNumbers: readonly string[]) {
  if (customerNumbers.length === 0) return new Map<string, StandingRow>()
  const { rows } = await pool.query<StandingRow>(
    customerNumbers.length === 1
      ? { ...LOAD_STANDING, values: [email, customerNumbers[0]] }
      : { ...LOAD_STANDINGS, values: [email, customerNumbers] },
  )
  return new Map(rows.map((one) => [one.customer_number, one]))
}

const NOBODY = actor('', [])

/** The email whose rights on accounts count. */
export const accountEmailOf = ({ email, viewingAs }: Pick<SignInSessionFacts, 'email' | 'viewingAs'>): string =>
  viewingAs ?? email

/** The caller at a given time: roles from a claim count for some minutes only. */
export function callerAt({ session, accounts }: CallerFacts, now: Date): Caller {
  const claimRoles = claimRolesState(session.claimRoles, session.claimRolesCheckedAt, now)
  const found = [...accounts.values()].filter((account) => account !== undefined)
  const single = accounts.size === 1 ? found[0] : undefined
  const person = personOf(session, claimRoles)
  const { viewingAs } = session
  return {
    // Somebody who is no longer staff has no rights on anything until they stop viewing.
    ...(viewingAs === null
      ? { actor: person }
      : { actor: isStaff(person) ? actor(viewingAs, []) : NOBODY, viewedBy: session.email }),
    standings: new Map(
      (viewingAs === null || isStaff(person) ? found : []).map(({ standing }) => [standing.customerNumber, standing]),
    ),
    standing: viewingAs === null || isStaff(person) ? single?.standing : undefined,
    timeZone: single?.timeZone,
    lastSeenAt: session.lastSeenAt,
    authenticatedAt: session.authenticatedAt,
    expiresAt: session.expiresAt,
    claimRoles,
  }
}

/** The provider of an account makes nobody staff, and speaks for no other account. Staff always have a way in. */
function personOf(session: SignInSessionFacts, claimRoles: ClaimRolesState): Actor {
  const { email, accountProvider, enforcedBy } = session
  if (accountProvider !== null) return { ...actor(email, []), onlyOn: accountProvider }
  const person = actor(email, [...session.staffRoles, ...(claimRoles === 'stale' ? [] : session.claimRoles)])
  return enforcedBy === null || isStaff(person) ? person : { ...person, notOn: enforcedBy }
}

function accountFacts(row: StandingRow | undefined, customerNumber: string): AccountFacts {
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
