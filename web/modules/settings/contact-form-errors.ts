import domains from 'free-email-domains'
import { type ContactDraft, contactErrors } from '#domain/settings/contacts.ts'
import { emailError, type FreeDomains } from '#domain/settings/email-address.ts'
import type { Errors } from '#web/form/use-form.ts'

/** The same list as on the server. It has some thousand names, so only this screen loads it. */
const freeMailDomains: FreeDomains = new Set<string>(domains)

export function contactFormErrors(contacts: readonly ContactDraft[]): Errors {
  const errors = contactErrors(contacts, freeMailDomains)
  return Object.fromEntries(
    errors.flatMap(({ email, role }, index) => [
      [`contacts.${index}.email`, email],
      [`contacts.${index}.role`, role],
    ]),
  )
}

/** Every invalid address with its error, one per line. */
export function addressErrors(emails: readonly string[]): string | undefined {
  const errors = emails.flatMap((email) => {
    const error = emailError(email, freeMailDomains)
    return error ? `${email}: ${error}` : []
  })
  return errors.length > 0 ? errors.join('\n') : undefined
}
