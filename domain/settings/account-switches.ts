import { emailError, type FreeDomains, normalizedEmail } from '#domain/settings/email-address.ts'

/** What business operations sets on one account: who has a right there without being a contact, and whether it is shut. */
export type AccountSwitches = {
  isAccessDisabled: boolean
  salesAccess: string[]
  fnpLicenseGenerators: string[]
}

/** As it is kept (lower case, in order, each once), or the first error in it. */
export function readSwitches(
  draft: AccountSwitches,
  freeDomains: FreeDomains,
): { switches: AccountSwitches } | { error: string } {
  const error = [...draft.salesAccess, ...draft.fnpLicenseGenerators]
    .map((email) => emailError(email, freeDomains))
    .find((text) => text !== undefined)
  return error === undefined ? { switches: inOrder(draft) } : { error }
}

export function sameSwitches(one: AccountSwitches, other: AccountSwitches): boolean {
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other))
}

function inOrder({ isAccessDisabled, salesAccess, fnpLicenseGenerators }: AccountSwitches): AccountSwitches {
  const people = (emails: readonly string[]) => [...new Set(emails.map(normalizedEmail))].sort()
  return {
    isAccessDisabled,
    salesAccess: people(salesAccess),
    fnpLicenseGenerators: people(fnpLicenseGenerators),
  }
}
