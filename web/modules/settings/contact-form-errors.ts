import { type ContactDraft, contactErrors } from '#domain/settings/contacts.ts'
import { emailError, type FreeDomains } from '#domain/settings/email-address.ts'
import type { Errors } from '#web/form/fields.ts'

export function contactFormErrors(contacts: readonly ContactDraft[], freeDomains: FreeDomains): Errors {
  const errors = contactErrors(contacts, freeDomains)
  return Object.fromEntries(
    errors.flatMap(({ email, role }, index) => [
      [`contacts.${index}.email`, email],
      [`contacts.${index}.role`, role],
    ]),
  )
}

/** Every invalid address with its error, one per line. */
export function addressErrors(emails: readonly string[], freeDomains: FreeDomains): string | undefined {
  const errors = emails.flatMap((email) => {
    const error = emailError(email, freeDomains)
    return error ? `${email}: ${error}` : []
  })
  return errors.length > 0 ? errors.join('\n') : undefined
}
