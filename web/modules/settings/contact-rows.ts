import type { Contact, ContactDraft } from '#domain/settings/contacts.ts'

/** A row of the form. Its key stays the same while everything in it changes. */
export type ContactRow = ContactDraft & { readonly key: number }

let lastKey = 0

export function newRow(contact: ContactDraft = { email: '', role: '' }): ContactRow {
  lastKey += 1
  return { ...contact, key: lastKey }
}

export function rowsOf(contacts: readonly Contact[]): ContactRow[] {
  return contacts.map(newRow)
}

/** Only for rows without faults: each of them has one of the roles then. */
export function contactsIn(rows: readonly ContactRow[]): Contact[] {
  return rows.map(({ email, role }) => ({ email: email.trim(), role }) as Contact)
}
