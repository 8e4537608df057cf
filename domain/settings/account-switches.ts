import { emailError, type FreeDomains, normalizedEmail } from '#domain/settings/email-address.ts'

/**
 * Settings of business operations on one account: who has a right there without being a contact, and whether access is
 * disabled.
 */
export type AccountSwitches = {
  isAccessDisabled: boolean
  salesAccess: string[]
  fnpLicenseGenerators: string[]
}

/** The stored form (lower case, sorted, without duplicates), or the first error. */
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
