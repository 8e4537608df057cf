import { type IpRule, isAddressAllowed } from '#domain/elastic/credentials/ip-rules.ts'
import { usernameKey } from '#domain/elastic/credentials/usernames.ts'
import type { SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'

/** Session starts that were denied for the same reason. */
export type DeniedStarts = {
  readonly reason: SessionRefusal
  /** The address, the username or the product that was denied; empty for other reasons. */
  readonly subject: string
}

/** What decides about a start on the same license server now. */
export type StartRules = {
  readonly ipRules: readonly IpRule[]
  readonly usernames: readonly string[]
  /** Products in the rate table. */
  readonly products: ReadonlySet<string>
  /** Some address has sent wrong PINs, and since then neither the right one nor was its lock reset. */
  readonly hasWrongPins: boolean
}

/**
 * Whether the same start would be denied again. Locks, used-up units and limits have facts of their own, an account that export
 * compliance closes shows nothing, and somebody decided on purpose which products a user may start.
 */
export function isStillDenied({ reason, subject }: DeniedStarts, rules: StartRules): boolean {
  switch (reason) {
    case 'ADDRESS_NOT_ALLOWED':
      return !isAddressAllowed(rules.ipRules, subject)
    case 'USER_NOT_ALLOWED':
      return rules.usernames.length > 0 && !rules.usernames.some((name) => usernameKey(name) === usernameKey(subject))
    case 'UNKNOWN_PRODUCT':
      return !rules.products.has(subject)
    case 'WRONG_PIN':
      return rules.hasWrongPins
    case 'LOCKED':
    case 'PRODUCT_NOT_ALLOWED':
    case 'NO_BALANCE':
    case 'LIMIT':
    case 'EXPORT':
      return false
  }
}
