import { can } from '#domain/access/can.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'

/** What Home tells about an account, one part for each kind of screen behind it. */
export type HomeParts = {
  readonly leases: boolean
  readonly elastic: boolean
  readonly contracts: boolean
  readonly hosts: boolean
  readonly webLicenses: boolean
  readonly emails: boolean
}

/** A part is there if the account has something of its kind and the person may open its screen. */
export function homeParts(who: Actor, on: Standing): HomeParts {
  const { holdings } = on
  return {
    leases: holdings.ssl && can(who, 'ssl.read', on).allowed,
    elastic: holdings.elastic > 0 && can(who, 'elastic.read', on).allowed,
    contracts: holdings.fsa && can(who, 'fsa.read', on).allowed,
    hosts: can(who, 'activations.read', on).allowed,
    webLicenses: (holdings.sharedWeb || holdings.namedUser) && can(who, 'web-licenses.read', on).allowed,
    emails: can(who, 'emails.read', on).allowed,
  }
}
