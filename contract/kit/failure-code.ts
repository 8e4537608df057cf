import { Type } from 'typebox'

/** Why a call failed. Programs decide by the code and never by the text. */
const FAILURE_CODES = [
  // Codes that say no more than the HTTP status.
  'INVALID_REQUEST',
  'NOT_SIGNED_IN',
  'NOT_ALLOWED',
  'NOT_FOUND',
  'CONFLICT',
  'TOO_LARGE',
  'TOO_MANY_REQUESTS',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
  /** 409: somebody else has saved since the caller loaded. */
  'STALE',
  /** 400: removals of that time are not known. Read the whole list and compare. */
  'TOO_LONG_AGO',
  /** 403: the sign-in is too long ago for this change. Sign in again, then repeat the call. */
  'FRESH_SIGN_IN_NEEDED',
  /** 403: staff who view the portal as a contact cannot change anything. */
  'VIEWING_AS_CUSTOMER',
  // Business refusals: HTTP 200.
  'TOO_MANY_ROWS',
  'TOO_MANY_DISTINCT',
  'LIST_TIMEOUT',
  'TOO_MANY_EXPORTS',
  'EXPORT_SPACE_USED',
  'NO_DISK_SPACE',
  'NO_ELASTIC_SERVER',
  'PIN_NOT_FOUND',
  /** A statement would have no line. */
  'NO_ACTIVE_ENTITLEMENTS',
  'LAST_ADMINISTRATOR',
  'FEATURE_CONFLICT',
  'EMAIL_NOT_FAILED',
  /** Too many emails of the same kind went to the same address on behalf of the caller. The text says when to try again. */
  'TOO_MANY_EMAILS',
  'MESSAGE_NOT_FAILED',
  /** Fewer seats are available than are to be activated. */
  'SEAT_GONE',
  /** The fulfillment no longer holds that many seats. */
  'NOT_HELD',
  'NO_SUCH_ACTIVATION',
  'NO_SUCH_FULFILLMENT',
  /** The kind or state of the entitlement does not allow it to run on hosts. */
  'NOT_ACTIVATABLE',
  'ENTITLEMENT_EXPIRED',
  'MAINTENANCE_EXPIRED',
  /** Nothing is wrong with this element, but another one of the same request was refused. */
  'BATCH_REFUSED',
  'HOST_IN_USE',
  /** The target of a rehost holds seats, or the host to be deleted does. */
  'HOST_ACTIVE',
  /** The host to be deleted never held seats. */
  'HOST_NOT_INACTIVE',
  /** The host holds no seats that could be moved or returned. */
  'HOST_NOT_ACTIVE',
  /** Another plan is changing the host. */
  'HOST_BUSY',
  'REHOSTING_OFF',
  /** Everything was unticked, or there is nothing to renew or to email. */
  'NOTHING_TO_DO',
  'SHARED_ELSEWHERE',
  'UNMANAGED_MEMBERS',
  'EXPORT_DENIED',
  /** Nothing on the host can be licensed. */
  'NO_LICENSES',
  'NO_LICENSE_FILE',
  'NOT_IN_CATALOG',
  'NOT_A_LICENSE_FILE',
  /** Neither lmstat output nor a debug log of FlexNet. */
  'NOT_A_LICENSE_LOG',
  /** An options file has errors; the text names the first lines. */
  'OPTIONS_NOT_VALID',
  /** A reservation overlaps another one, or there are not so many seats. */
  'RESERVATION_REFUSED',
  'TOO_MANY_RESERVATIONS',
  /** The names of users that pseudonyms replaced are gone. */
  'PSEUDONYMS_STAY',
  // Lines for seats of license servers.
  /** The user is in the line of the feature already. */
  'ALREADY_WAITING',
  /** The account or the person has too many places in line. */
  'LINE_FULL',
  /** No license server has that many seats of the feature. */
  'TOO_MANY_SEATS',
  /** The time is over, or too far ahead. */
  'INVALID_TIME',
  /** The person has left the line already. */
  'NOT_IN_LINE',
  /** Accounts with pseudonyms do not ask holders. */
  'HOLDERS_HIDDEN',
  'NOT_A_HOLDER',
  'HELD_TOO_SHORT',
  /** The portal cannot tell whose email address belongs to the holder. */
  'ADDRESS_NOT_KNOWN',
  /** The holder got such an email today already. */
  'ASKED_TODAY',
  // Orders from a spending account.
  'CONTRACT_EXPIRED',
  'CONTRACT_WITHOUT_PRODUCTS',
  'INVALID_ORDER_LINE',
  'PRODUCT_NOT_OFFERED',
  /** The line does not cost what the request says. */
  'PRICE_CHANGED',
  'DUPLICATE_LINE',
  'INSUFFICIENT_BALANCE',
  'TOO_MANY_DRAFTS',
  // Reminders and calendars.
  'NOT_A_CONTACT',
  'TOO_MANY_FEEDS',
  // Provisioning.
  /** The identity provider manages what was to be changed. */
  'MANAGED_BY_SCIM',
  // Tokens.
  'TOO_MANY_TOKENS',
  /** The token to be replaced is revoked, expired or replaced already. */
  'TOKEN_NOT_ACTIVE',
  // Requests.
  /** The user has the web license already. */
  'ALREADY_ASSIGNED',
  /** The person has asked for the same, and it is not decided yet. */
  'ALREADY_REQUESTED',
  /** The caller may do it and need not ask. */
  'NO_REQUEST_NEEDED',
  'TOO_MANY_OPEN_REQUESTS',
  /** The request is approved, declined, withdrawn or expired. */
  'REQUEST_CLOSED',
  'NO_SUCH_REQUEST',
  // Access reviews.
  /** The account has a review that is not finished. */
  'REVIEW_OPEN',
  /** The review is finished. */
  'REVIEW_CLOSED',
  /** Nobody takes away their own access. */
  'OWN_ACCESS',
  /** The access has been taken away, or had ended before. */
  'ALREADY_ENDED',
  /** The files of the review are being made, or it is not finished. */
  'FILES_NOT_READY',
  // Webhooks.
  'TOO_MANY_WEBHOOKS',
  /** The account has an endpoint with this URL. */
  'WEBHOOK_EXISTS',
  /** The endpoint is switched off. */
  'WEBHOOK_OFF',
  // Sign-in providers of accounts.
  'TOO_MANY_DOMAINS',
  /** The account has the domain already. */
  'DOMAIN_EXISTS',
  /** Another account has proven the domain. */
  'DOMAIN_TAKEN',
  /** The provider cannot be switched to this; the text says what is missing. */
  'SIGN_IN_NOT_READY',
  // Renewal plans.
  'TOO_MANY_PLANS',
  // Elastic sessions and usage.
  /** Export compliance denies sessions of the account. */
  'EXPORT',
  'WRONG_PIN',
  /** Too many wrong PINs came from this address. */
  'LOCKED',
  'USER_NOT_ALLOWED',
  'ADDRESS_NOT_ALLOWED',
  'NO_BALANCE',
  'UNKNOWN_PRODUCT',
  /** The user may not start this product. */
  'PRODUCT_NOT_ALLOWED',
  /** A limit of the account is reached: `data` says which, and when it resets. */
  'LIMIT',
  'UNKNOWN_SERVER',
  'SESSION_ENDED',
  /** A transaction that can never be booked: it ends before it starts, ends in the future, or is years old. */
  'INVALID_TRANSACTION',
  /** A transaction that ended in an archived month: nothing is booked there any more. */
  'MONTH_ARCHIVED',
  /** The account has no booked transaction with the id that a correction names, or its month is archived. */
  'UNKNOWN_ORIGINAL',
  /** The original was not drawn on the entitlement that a correction names. */
  'ACTIVATION_MISMATCH',
  /** A correction would take back more than is left of the original’s charge. */
  'OVER_CORRECTED',
  // Records of the vendor’s own systems.
  /** The record does not match the schema of its kind; the text names the field. */
  'INVALID_RECORD',
  /** The call has another record with the same id. */
  'DUPLICATE_RECORD',
  /** A value that only one record may have belongs to another one. */
  'VALUE_TAKEN',
  /** Another record refers to the record. */
  'IN_USE',
  'UNKNOWN_ACCOUNT',
  'UNKNOWN_CONTRACT',
  'UNKNOWN_RATE_TABLE',
  /** The id belongs to a record of another account. */
  'OTHER_ACCOUNT',
  /** The quantity would drop below the seats that are activated or assigned. */
  'QUANTITY_IN_USE',
  /** The price of a spending account would drop below what was ordered from it. */
  'PRICE_BELOW_ORDERED',
  /** A spending account would end before something that was ordered from it. */
  'END_BEFORE_ORDERED',
  /** A spending account would start after something that was ordered from it. */
  'START_AFTER_ORDERED',
  /** An order from a spending account would start before it or end after it. */
  'OUTSIDE_CONTRACT',
  /** The account has no such license host. */
  'NO_SUCH_HOST',
  /** The database itself refuses a value of the record. */
  'UNUSABLE_VALUE',
  // Web licenses.
  'INVALID_EMAIL',
  'INVALID_NAME',
  /** The account has another group of this name. */
  'NAME_TAKEN',
  'NO_SUCH_USER',
  'NO_SUCH_GROUP',
  /** A user is in the request twice. */
  'DUPLICATE_USER',
  /** The user is assigned through a group only. */
  'ASSIGNED_BY_GROUP',
  'NOT_STARTED',
  'USER_NOT_ASSIGNED',
  /** What is to be unassigned was not assigned. */
  'NOT_ASSIGNED',
  'NO_SEAT',
  'CHECKOUT_ENDED',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

/** A schema that allows only these codes. */
export const failureCodes = (codes: readonly FailureCode[]) =>
  Type.Unsafe<FailureCode>({
    type: 'string',
    enum: codes,
    description: 'Why the call failed, for programs to decide by.',
  })

export const FailureCode = Type.Unsafe<FailureCode>({ title: 'FailureCode', ...failureCodes(FAILURE_CODES) })

const CODE_OF_STATUS: Readonly<Record<number, FailureCode>> = {
  401: 'NOT_SIGNED_IN',
  403: 'NOT_ALLOWED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'TOO_LARGE',
  429: 'TOO_MANY_REQUESTS',
  503: 'UNAVAILABLE',
}

/** The default code of an HTTP status, for failures without a more specific code. */
export function codeOfStatus(status: number): FailureCode {
  return CODE_OF_STATUS[status] ?? (status >= 500 ? 'INTERNAL_ERROR' : 'INVALID_REQUEST')
}
