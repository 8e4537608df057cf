import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#domain/access/standing.ts'

/**
 * The rows of `account a` that somebody sees, as a condition: the SQL side of `seesAccount`. Every list that spans
 * accounts starts from it. Staff (null) see all; others what they are a contact of, or were granted a right on.
 */
export function visibleTo(contactOf: string | null): RawBuilder<boolean> {
  if (contactOf === null) return sql<boolean>`true`
  return sql<boolean>`a.customer_number in (
    select c.customer_number from contact c where c.email = ${contactOf}
    union all
    select g.customer_number from account_grant g where g.email = ${contactOf})`
}

/** The rows of `account a` that export compliance leaves open: the SQL side of `isExportApproved`. */
export const exportApproved: RawBuilder<boolean> = sql<boolean>`lower(trim(a.export_control_status)) in ('', 'approved')`

/** The rows of `account a` on which an actor may write: the SQL side of `isViewOnly` and of export compliance. */
export function writableBy(actor: Actor): RawBuilder<boolean> {
  if (actor.staff.has('busops')) return exportApproved
  return sql<boolean>`${exportApproved} and a.customer_number in (
    select c.customer_number from contact c where c.email = ${actor.email}
       and c.role in ('Licensing Portal Administrator', 'Ansys Support Coordinator (Administrator)')
    union all
    select g.customer_number from account_grant g where g.email = ${actor.email} and g.kind = 'fnp-license-generator')`
}
