import type { FreeDomains } from '#domain/settings/email-address.ts'

export const MAX_DOMAINS = 20

export const DOMAIN_REQUIRED = 'Enter a domain.'
export const DOMAIN_WRONG = 'Enter a domain, such as company.com.'
export const DOMAIN_FREE = 'This domain belongs to a public mail service. Enter a domain of your company.'

const MAX_LENGTH = 253
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** A last label of letters only, or one in Punycode: an IP address is no domain. */
const LAST = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/

/** A domain of email addresses as it is kept and compared, or undefined for what is none. */
export function readDomain(text: string): string | undefined {
  const domain = text
    .trim()
    .replace(/^@/, '')
    .replace(/[.]$/, '')
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  if (domain.length > MAX_LENGTH) return undefined
  const labels = domain.split('.')
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && LAST.test(labels.at(-1) ?? '')
    ? domain
    : undefined
}

/** Why a text cannot be a domain of an account; undefined if it can. */
export function domainError(text: string, freeDomains: FreeDomains): string | undefined {
  if (text.trim() === '') return DOMAIN_REQUIRED
  const domain = readDomain(text)
  if (domain === undefined) return DOMAIN_WRONG
  return freeDomains.has(domain) ? DOMAIN_FREE : undefined
}

/** The domain of an email address as the portal keeps it. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)
