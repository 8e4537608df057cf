import { can } from '#domain/access/can.ts'
import { CONTACT_ROLES, type ContactRole, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import { emailError, type FreeDomains, normalizedEmail } from '#domain/settings/email-address.ts'

/** A person who may use the portal on one account, with the role. */
export type Contact = { readonly email: string; readonly role: ContactRole }

/** A row of the form: the role may not have been chosen yet. */
export type ContactDraft = { readonly email: string; readonly role: string }

export const ROLE_REQUIRED = 'Role is required.'
export const EMAIL_TWICE = 'Email is already in the list.'

export type ContactErrors = { readonly email?: string; readonly role?: string }

/** Errors per row; a row without errors is an empty object. */
export function contactErrors(contacts: readonly ContactDraft[], freeDomains: FreeDomains): ContactErrors[] {
  const seen = new Set<string>()
  return contacts.map(({ email, role }) => {
    const address = normalizedEmail(email)
    const error = emailError(email, freeDomains) ?? (seen.has(address) ? EMAIL_TWICE : undefined)
    seen.add(address)
    return { ...(error ? { email: error } : {}), ...(isContactRole(role) ? {} : { role: ROLE_REQUIRED }) }
  })
}

/** The list as it is kept, in the order of its addresses, or the first error in it. */
export function readContacts(
  drafts: readonly ContactDraft[],
  freeDomains: FreeDomains,
): { contacts: Contact[] } | { error: string } {
  const error = contactErrors(drafts, freeDomains).flatMap((errors) => Object.values(errors))[0]
  return error === undefined ? { contacts: inOrder(drafts as readonly Contact[]) } : { error }
}

export function sameContacts(one: readonly ContactDraft[], other: readonly ContactDraft[]): boolean {
  return asText(one) === asText(other)
}

export type ContactChanges = {
  readonly added: readonly Contact[]
  readonly removed: readonly Contact[]
  /** A contact who gets another role. */
  readonly changed: readonly { readonly before: Contact; readonly after: Contact }[]
}

export function contactChanges(before: readonly Contact[], after: readonly Contact[]): ContactChanges {
  const was = new Map(before.map((contact) => [contact.email, contact]))
  const is = new Map(after.map((contact) => [contact.email, contact]))
  return {
    added: after.filter(({ email }) => !was.has(email)),
    removed: before.filter(({ email }) => !is.has(email)),
    changed: after.flatMap((contact) => {
      const earlier = was.get(contact.email)
      return earlier && earlier.role !== contact.role ? [{ before: earlier, after: contact }] : []
    }),
  }
}

/** Coordinators are appointed by business operations: for all others their rows are locked. */
export function isLocked(contact: ContactDraft, mayGrantCoordinator: boolean): boolean {
  return contact.role === SUPPORT_COORDINATOR && !mayGrantCoordinator
}

export function offeredRoles(mayGrantCoordinator: boolean): readonly ContactRole[] {
  return CONTACT_ROLES.filter((role) => role !== SUPPORT_COORDINATOR || mayGrantCoordinator)
}

function isContactRole(text: string): text is ContactRole {
  return (CONTACT_ROLES as readonly string[]).includes(text)
}

function inOrder<C extends ContactDraft>(contacts: readonly C[]): C[] {
  return contacts
    .map((contact) => ({ ...contact, email: normalizedEmail(contact.email) }))
    .sort((one, other) => (one.email < other.email ? -1 : Number(one.email > other.email)))
}

const asText = (contacts: readonly ContactDraft[]) =>
  JSON.stringify(inOrder(contacts).map(({ email, role }) => [email, role]))

export const ONLY_BUSINESS_OPERATIONS = 'Only Business Operations can grant or remove the Support Coordinator role.'
export const LAST_ADMINISTRATOR =
  'The last Administrator or Support Coordinator of an account cannot be removed. Add another one first.'

export const NOT_BY_TOKEN =
  'Tokens cannot give or take the roles Administrator and Support Coordinator. Sign in to the portal to do this.'

export type GrantRefusal =
  | { readonly kind: 'too few rights'; readonly reason: string }
  | { readonly kind: 'against the rules'; readonly reason: string }

/** Whether somebody who may write contacts may turn one list of them into another; undefined means yes. */
export function refusalOfChange(
  who: Actor,
  on: Standing,
  before: readonly Contact[],
  after: readonly Contact[],
): GrantRefusal | undefined {
  const { added, removed, changed } = contactChanges(before, after)
  const touched = [...added, ...removed, ...changed.flatMap((change) => [change.before, change.after])]
  if (who.byToken && touched.some(isInCharge)) return { kind: 'too few rights', reason: NOT_BY_TOKEN }
  if (touched.some(isCoordinator) && !can(who, 'contacts.grant-coordinator', on).allowed)
    return { kind: 'too few rights', reason: ONLY_BUSINESS_OPERATIONS }
  if (isLastInCharge(before, after) && !who.staff.has('busops'))
    return { kind: 'against the rules', reason: LAST_ADMINISTRATOR }
  return undefined
}

/** Whether the account would have nobody left who can give access. */
export const isLastInCharge = (before: readonly Contact[], after: readonly Contact[]): boolean =>
  before.some(isInCharge) && !after.some(isInCharge)

const isCoordinator = ({ role }: Contact) => role === SUPPORT_COORDINATOR
/** Viewers cannot give anybody access, so without another role nobody on the account could manage contacts. */
const isInCharge = ({ role }: Contact) => role !== VIEWER
