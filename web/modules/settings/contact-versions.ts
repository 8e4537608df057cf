import { type Contact, contactChanges } from '#domain/settings/contacts.ts'
import { normalizedEmail } from '#domain/settings/email-address.ts'
import type { Difference } from '#web/ui/both-versions/both-versions.tsx'

const ABSENT = 'Not a contact'

/** Who is what in only one of the two lists, or in another role. */
export function contactDifferences(theirs: readonly Contact[], yours: readonly Contact[]): Difference[] {
  const [they, you] = [rolesOf(theirs), rolesOf(yours)]
  return [...new Set([...they.keys(), ...you.keys()])]
    .sort()
    .map((what) => ({ what, theirs: they.get(what) ?? ABSENT, yours: you.get(what) ?? ABSENT }))
    .filter((difference) => difference.theirs !== difference.yours)
}

/** Their list with my changes made to it. Somebody whom they have removed stays removed, unless I have just added them. */
export function withMyChanges(
  original: readonly Contact[],
  mine: readonly Contact[],
  theirs: readonly Contact[],
): Contact[] {
  const { added, removed, changed } = contactChanges(normalized(original), normalized(mine))
  const merged = rolesOf(theirs)
  for (const { email } of removed) merged.delete(email)
  for (const { after } of changed) if (merged.has(after.email)) merged.set(after.email, after.role)
  for (const { email, role } of added) merged.set(email, role)
  return [...merged].map(([email, role]) => ({ email, role }))
}

/** Whether a contact is something else after the change than before it, or nothing any more. */
export function changesRoleOf(email: string, before: readonly Contact[], after: readonly Contact[]): boolean {
  const me = normalizedEmail(email)
  const was = rolesOf(before).get(me)
  return was !== undefined && was !== rolesOf(after).get(me)
}

const normalized = (contacts: readonly Contact[]) =>
  contacts.map(({ email, role }) => ({ email: normalizedEmail(email), role }))
const rolesOf = (contacts: readonly Contact[]) => new Map(normalized(contacts).map(({ email, role }) => [email, role]))
