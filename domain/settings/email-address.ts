export const EMAIL_REQUIRED = 'Email is required.'
export const EMAIL_FORMAT = 'Incorrect Email Format.'
export const FREE_DOMAIN = 'Free domain is not allowed. Use a corporate e-mail address.'

/**
 * Tells whether a domain is one of free and personal mail. The list is large and maintained by others, so it is a
 * parameter.
 */
export type FreeDomains = { has(domain: string): boolean }

/** Nothing invisible: an address that looks like another one must be that one. */
const LOCAL_PART = /^[^\s\p{C}@<>()[\]\\,;:"]{1,64}$/u
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:\p{L}{2,63}|xn--[a-z0-9-]{2,59})$/u
const MAX = 254

/**
 * People are matched by email ignoring case, but only for ASCII letters: a fullwidth "a", a Kelvin sign or a dotless
 * "i" is another letter, so it is another person. The database checks the same with `lower(… collate "C")`.
 */
export function normalizedEmail(text: string): string {
  return text.trim().replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The address as it is kept and compared everywhere, or undefined for what is no address. */
export function readEmail(text: string): string | undefined {
  const email = normalizedEmail(text)
  return isEmailAddress(email) ? email : undefined
}

function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  if (at < 1 || text.length > MAX || !LOCAL_PART.test(local)) return false
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false
  return DOMAIN.test(text.slice(at + 1).toLowerCase())
}

/** What is wrong with the address of somebody who is to be given a right. */
export function emailError(text: string, freeDomains: FreeDomains): string | undefined {
  if (text.trim() === '') return EMAIL_REQUIRED
  const email = readEmail(text)
  if (email === undefined) return EMAIL_FORMAT
  // Confusable letters as mail servers read them. A person who types such a letter means the plain one.
  const plain = email.normalize('NFKC').toLowerCase()
  if (freeDomains.has(plain.slice(plain.lastIndexOf('@') + 1))) return FREE_DOMAIN
  return email.normalize('NFKC') === email ? undefined : EMAIL_FORMAT
}

/** Email addresses in a pasted text: lines, commas and "Ann Lee <ann@company.com>" all work. */
export function addressesIn(text: string): string[] {
  const found = text.split(/[\s<>,;"]+/).filter((word) => word.slice(1, -1).includes('@'))
  return [...new Set(found.map(normalizedEmail))]
}
