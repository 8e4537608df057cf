import { lazy } from 'react'
import { can } from '#domain/access/can.ts'
import { searchedText } from '#domain/search/searched-text.ts'
import { hasWords } from '#domain/search/word-rank.ts'
import { type ContactDraft, isLocked } from '#domain/settings/contacts.ts'
import { emailError } from '#domain/settings/email-address.ts'
import { type Action, type ListQuestion, MAX_ANSWERS } from '#web/lib/action.ts'
import { contactChoiceQuery } from '#web/modules/settings/portal-access.api.ts'

const RemoveContactDialog = lazy(async () => ({
  default: (await import('#web/modules/settings/remove-contact.dialog.tsx')).RemoveContactDialog,
}))

/** The form knows the free mail domains, which are too many to load for a question. */
const NO_DOMAINS: ReadonlySet<string> = new Set()
const LOCKED_CONTACT = 'Only the account manager can change Support Coordinators.'

const whichContact: ListQuestion<readonly ContactDraft[]> = {
  text: 'Remove which contact?',
  what: 'contact',
  noAnswer: 'This account has no contacts.',
  hint: 'Type an email address or a role.',
  query: contactChoiceQuery,
  answers(contacts, typed, { actor, standing }) {
    const mayGrant = can(actor, 'contacts.grant-coordinator', standing).allowed
    return contacts
      .filter(({ email, role }) => hasWords(`${email} ${role}`, searchedText(typed)))
      .slice(0, MAX_ANSWERS)
      .map((contact) => ({
        key: contact.email,
        label: contact.email,
        opens: { dialog: (onClose) => <RemoveContactDialog email={contact.email} onClose={onClose} /> },
        ...(isLocked(contact, mayGrant)
          ? { detail: LOCKED_CONTACT, reason: LOCKED_CONTACT }
          : { detail: contact.role }),
      }))
  },
}

export const settingsActions = [
  {
    label: 'Add a contact',
    verbs: 'add invite new grant give',
    words: 'person people user colleague view access',
    screen: 'portalaccess',
    right: 'contacts.write',
    asks: {
      text: 'Email address of the new contact?',
      example: 'name@company.com',
      isUnmistakable: true,
      error: (email) => emailError(email, NO_DOMAINS),
      opens: (add) => ({ to: `/portalaccess?${new URLSearchParams({ add })}` }),
    },
  },
  {
    label: 'Remove a contact',
    verbs: 'remove delete revoke',
    words: 'withdraw take away person people user colleague access',
    screen: 'portalaccess',
    right: 'contacts.write',
    asks: whichContact,
  },
] as const satisfies readonly Action[]
