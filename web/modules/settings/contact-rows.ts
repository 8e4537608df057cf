import { type Contact, type ContactDraft, type ContactErrors, contactErrors } from '#domain/settings/contacts.ts'
import { normalizedEmail } from '#domain/settings/email-address.ts'
import { freeMailDomains } from '#web/modules/settings/free-mail-domains.ts'

/** A row of the form. Its key stays the same while everything in it changes. */
export type ContactRow = ContactDraft & {
  readonly key: number
  /** Still to be seen, and to be kept after all, until the form is saved. */
  readonly isRemoved?: boolean
}

let lastKey = 0

export function newRow(contact: ContactDraft & { isRemoved?: boolean } = { email: '', role: '' }): ContactRow {
  lastKey += 1
  return { ...contact, key: lastKey }
}

/** The contacts that were saved, as they are to be shown: those that are no longer wanted are removed, others added. */
export function rowsOf(saved: readonly Contact[], wanted: readonly Contact[] = saved): ContactRow[] {
  const rest = new Map(wanted.map((contact) => [normalizedEmail(contact.email), contact]))
  const rows = saved.map((contact) => {
    const email = normalizedEmail(contact.email)
    const kept = rest.get(email)
    rest.delete(email)
    return newRow(kept ?? { ...contact, isRemoved: true })
  })
  return [...rows, ...[...rest.values()].map((contact) => newRow(contact))]
}

/** A removed row stays, struck through; one that was never filled in goes at once. */
export function withoutRow(rows: readonly ContactRow[], key: number): ContactRow[] {
  return rows.flatMap((row) => {
    if (row.key !== key) return row
    return row.email === '' && row.role === '' ? [] : { ...row, isRemoved: true }
  })
}

/** Only for rows without errors: each of them has one of the roles then. */
export function contactsIn(rows: readonly ContactRow[]): Contact[] {
  return keptOf(rows).map(({ email, role }) => ({ email: email.trim(), role }) as Contact)
}

/** By the keys of the rows; what is removed has none. */
export function faultsOf(rows: readonly ContactRow[]): ReadonlyMap<number, ContactErrors> {
  const kept = keptOf(rows)
  const errors = contactErrors(kept, freeMailDomains)
  return new Map(kept.map(({ key }, place) => [key, errors[place] ?? {}]))
}

const keptOf = (rows: readonly ContactRow[]) => rows.filter((row) => !row.isRemoved)
