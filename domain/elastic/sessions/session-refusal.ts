/** Why a session may not start, in the order in which it is decided. */
export const SESSION_REFUSALS = {
  EXPORT: 'Sessions of this account are denied per Export Compliance restrictions.',
  LOCKED: 'Too many wrong PINs were sent.',
  WRONG_PIN: 'The license server id or the PIN is wrong.',
  USER_NOT_ALLOWED: 'This username is not in the account’s list of allowed usernames.',
  ADDRESS_NOT_ALLOWED: 'This address is not allowed by the account’s IP rules.',
  UNKNOWN_PRODUCT: 'The product is not in the rate table.',
  PRODUCT_NOT_ALLOWED: 'This user may not start this product. Administrators of the account can allow it.',
  NO_BALANCE: 'No elastic units are left for a new session.',
  LIMIT: 'A limit of the account is reached.',
} as const

export type SessionRefusal = keyof typeof SESSION_REFUSALS
export const SESSION_REFUSAL_CODES = Object.keys(SESSION_REFUSALS) as readonly SessionRefusal[]

/** Short labels of the refusals, for lists. */
export const SESSION_REFUSAL_LABELS: Readonly<Record<SessionRefusal, string>> = {
  EXPORT: 'Export compliance',
  LOCKED: 'Too many wrong PINs',
  WRONG_PIN: 'Wrong license server id or PIN',
  USER_NOT_ALLOWED: 'Username not allowed',
  ADDRESS_NOT_ALLOWED: 'IP address not allowed',
  UNKNOWN_PRODUCT: 'Unknown product',
  PRODUCT_NOT_ALLOWED: 'Product not allowed',
  NO_BALANCE: 'No balance left',
  LIMIT: 'Limit reached',
}

/** Why a session start was denied, told afterwards: what it was denied for may have changed since. */
export const SESSION_DENIALS: Readonly<Record<SessionRefusal, string>> = {
  EXPORT: 'Sessions of this account were denied per Export Compliance restrictions.',
  LOCKED: 'Too many wrong PINs had been sent.',
  WRONG_PIN: 'The license server id or the PIN was wrong.',
  USER_NOT_ALLOWED: 'The username was not in the account’s list of allowed usernames.',
  ADDRESS_NOT_ALLOWED: 'The account’s IP rules did not allow the address.',
  UNKNOWN_PRODUCT: 'The product was not in the rate table.',
  PRODUCT_NOT_ALLOWED: 'The user was not allowed to start this product.',
  NO_BALANCE: 'No elastic units were left for a new session.',
  LIMIT: 'A limit of the account was reached.',
}
