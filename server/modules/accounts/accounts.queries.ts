import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Actor, isStaff, type Standing } from '#domain/access/standing.ts'
import type { DB } from '#server/db/schema.ts'

export function loadAccount(db: Kysely<DB>, customerNumber: string) {
  return db
    .selectFrom('account')
    .select(['customer_number', 'name', 'support_email', 'time_zone'])
    .where('customer_number', '=', customerNumber)
    .executeTakeFirstOrThrow()
}

/** What an account allows to staff who are nothing else on it, for decisions outside of a call that names the account. */
export async function findStaffStanding(db: Kysely<DB>, customerNumber: string): Promise<Standing | undefined> {
  const account = await db
    .selectFrom('account')
    .select(['org_type', 'export_control_status', 'is_access_disabled'])
    .where('customer_number', '=', customerNumber)
    .executeTakeFirst()
  return (
    account && {
      customerNumber,
      contactRole: null,
      isSalesAccess: false,
      isFNPLicenseGenerator: false,
      isAccessDisabled: account.is_access_disabled,
      exportControlStatus: account.export_control_status,
      orgType: account.org_type,
      holdings: { elastic: 0, ssl: false, fsa: false, sharedWeb: false, namedUser: false },
    }
  )
}

export async function listWritableAccounts(db: Kysely<DB>, actor: Actor, limit: number) {
  const { rows } = await sql<{ AccountName: string; AccountID: string }>`
    select a.name as "AccountName", a.customer_number as "AccountID" from account a
     where ${writableBy(actor)} order by a.customer_number limit ${limit}`.execute(db)
  return rows
}

/** The person's name, and the roles that the person has on any account that they reach. */
export async function findPerson(db: Kysely<DB>, { email, onlyOn, notOn }: Actor) {
  const name = await db
    .selectFrom('person')
    .select(['first_name', 'last_name'])
    .where('email', '=', email)
    .executeTakeFirst()
  const roles = await db
    .selectFrom('contact')
    .select('role')
    .distinct()
    .where('email', '=', email)
    .$if(onlyOn !== undefined, (query) => query.where('customer_number', '=', onlyOn!))
    .$if(notOn !== undefined, (query) => query.where('customer_number', '<>', notOn!))
    .execute()
  return { first_name: '', last_name: '', ...name, contact_roles: roles.map(({ role }) => role) }
}

/** Null for staff. Each distinct scope has its own tokens of lists. */
export type AccountScope = { readonly contactOf: string | null; readonly onlyOn?: string; readonly notOn?: string }

/** Staff share a scope, so that nothing about a token depends on who they are. */
export function accountScope(actor: Actor): AccountScope {
  if (isStaff(actor)) return { contactOf: null }
  const { email, onlyOn, notOn } = actor
  return { contactOf: email, ...(onlyOn === undefined ? {} : { onlyOn }), ...(notOn === undefined ? {} : { notOn }) }
}

/**
 * The rows of `account a` that somebody sees, as a condition: the SQL side of `seesAccount`. Every list that spans
 * accounts starts from it. Staff (null) see all; others what they are a contact of, or were granted a right on.
 */
export function visibleTo({ contactOf, onlyOn, notOn }: AccountScope): RawBuilder<boolean> {
  if (contactOf === null) return sql<boolean>`true`
  const seen = sql<boolean>`a.customer_number in (
    select c.customer_number from contact c where c.email = ${contactOf}
    union all
    select g.customer_number from account_grant g where g.email = ${contactOf})`
  if (onlyOn !== undefined) return sql<boolean>`(a.customer_number = ${onlyOn} and ${seen})`
  return notOn === undefined ? seen : sql<boolean>`(a.customer_number <> ${notOn} and ${seen})`
}

/** The rows of `account a` that export compliance leaves open: the SQL side of `isExportApproved`. */
export const exportApproved: RawBuilder<boolean> = sql<boolean>`lower(trim(a.export_control_status)) in ('', 'approved')`

/** The rows of `account a` whose contacts get mails and calendars: export compliance and access allow it. */
export const isOpenToContacts: RawBuilder<boolean> = sql<boolean>`(${exportApproved} and not a.is_access_disabled)`

/** The rows of `account a` on which an actor may write: the SQL side of `isViewOnly` and of export compliance. */
function writableBy(actor: Actor): RawBuilder<boolean> {
  if (actor.staff.has('busops')) return exportApproved
  return sql<boolean>`${exportApproved} and ${visibleTo(accountScope(actor))} and a.customer_number in (
    select c.customer_number from contact c where c.email = ${actor.email}
       and c.role in ('Licensing Portal Administrator', 'Ansys Support Coordinator (Administrator)')
    union all
    select g.customer_number from account_grant g where g.email = ${actor.email} and g.kind = 'fnp-license-generator')`
}

export async function hasAccounts(db: Kysely<DB>): Promise<boolean> {
  const found = await db.selectFrom('account').select('customer_number').limit(1).executeTakeFirst()
  return found !== undefined
}
