import { ADMINISTRATOR, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { type Actor, isStaff, isWithinReach, type Standing } from '#domain/access/standing.ts'

/**
 * The access rules: the server enforces them and the browser mirrors them. A decision is either "yes", "there is no
 * such account" (the caller may not even know of it) or "no, because".
 */
export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly hidden: boolean; readonly reason: string }

const YES: Decision = { allowed: true }
const HIDDEN: Decision = { allowed: false, hidden: true, reason: 'No such account' }
const no = (reason: string): Decision => ({ allowed: false, hidden: false, reason })

export const NOT_ENOUGH_PERMISSIONS = 'You do not have enough permissions for such operation.'
export const EXPORT_DENIED = 'Access to this customer is denied per Export Compliance restrictions.'
export const ACCESS_DISABLED = 'Access to this account is disabled.'
export const SELF_SERVE_DENIED = 'Self-serve licensing is not permitted on this account.'
export const NOT_DIRECT_OR_CHANNEL =
  'The selected customer needs to be either a direct or channel customer. Please contact support to correct the customer type.'
const ONLY_ADMINISTRATORS = 'Only administrators of the account can do this.'
const ONLY_PROVIDERS = 'Only the identity provider of the account can do this, with a token for provisioning.'
const ONLY_OWN_PEOPLE = 'Only people of the account wait for its seats.'
const NO_SSL = 'This account has no entitlements that can be activated.'

export function isExportApproved(status: string | null | undefined): boolean {
  const text = (status ?? '').trim()
  return text === '' || text.toLowerCase() === 'approved'
}

function seesAccount(who: Actor, on: Standing): boolean {
  if (!isWithinReach(who, on.customerNumber)) return false
  if (who.isProvider) return true
  return isStaff(who) || on.contactRole !== null || on.isSalesAccess || on.isFNPLicenseGenerator
}

export const isAsc = (on: Standing): boolean => on.contactRole === SUPPORT_COORDINATOR
export const isPortalEdit = (on: Standing): boolean => on.contactRole === ADMINISTRATOR
export const isPortalView = (on: Standing): boolean => on.contactRole === VIEWER

/** Without an account nobody but business operations can write anything. */
export function isViewOnly(who: Actor, on: Standing | undefined): boolean {
  if (who.staff.has('busops')) return false
  return !(on && (isAsc(on) || isPortalEdit(on) || on.isFNPLicenseGenerator))
}

export function isSslPermitted(on: Standing | undefined): boolean {
  return on !== undefined && (on.isFNPLicenseGenerator || !on.isAccessDisabled)
}

export function isSelfServeAllowed(who: Actor, on: Standing | undefined): boolean {
  if (who.staff.has('busops') || who.staff.has('support') || who.staff.has('sales')) return true
  return (on?.isSalesAccess ?? false) || isSslPermitted(on)
}

export function areActivationsAllowed(who: Actor, on: Standing | undefined): boolean {
  return on?.holdings.ssl === true && isSelfServeAllowed(who, on)
}

export function isCustomerTypeAllowed(on: Standing): boolean {
  return on.orgType !== 'Undefined'
}

/** Access disabled binds everyone but staff and FNP license generators. */
function isShutOut(who: Actor, on: Standing): boolean {
  return on.isAccessDisabled && !isStaff(who) && !on.isFNPLicenseGenerator
}

type AccountRule = (who: Actor, on: Standing) => Decision

const anyone: AccountRule = () => YES
const writers: AccountRule = (who, on) => (isViewOnly(who, on) ? no(NOT_ENOUGH_PERMISSIONS) : YES)
const notShutOut: AccountRule = (who, on) => (isShutOut(who, on) ? no(ACCESS_DISABLED) : YES)
const selfServe: AccountRule = (who, on) => (isSelfServeAllowed(who, on) ? YES : no(SELF_SERVE_DENIED))
const withSsl: AccountRule = (_who, on) => (on.holdings.ssl ? YES : no(NO_SSL))
const staff: AccountRule = (who) => (isStaff(who) ? YES : no(NOT_ENOUGH_PERMISSIONS))
const busops: AccountRule = (who) => (who.staff.has('busops') ? YES : no(NOT_ENOUGH_PERMISSIONS))
/** FNP license generators write elsewhere, but have no say in who may use the portal. */
const granters: AccountRule = (who, on) =>
  who.staff.has('busops') || isAsc(on) || isPortalEdit(on) ? YES : no(NOT_ENOUGH_PERMISSIONS)
/** A token has the rights of its owner on the account, so the owner must have some. Staff roles give a token nothing. */
const administrators: AccountRule = (_who, on) => (isAsc(on) || isPortalEdit(on) ? YES : no(ONLY_ADMINISTRATORS))
/** The log says what everybody did: it is for those who manage the account, and for staff. */
const auditors: AccountRule = (who, on) =>
  isStaff(who) || isAsc(on) || isPortalEdit(on) ? YES : no(NOT_ENOUGH_PERMISSIONS)
/** Seats are for people of the account. Staff see who waits, but hold no seat of a customer. */
const ownPeople: AccountRule = (_who, on) =>
  on.contactRole !== null || on.isSalesAccess || on.isFNPLicenseGenerator ? YES : no(ONLY_OWN_PEOPLE)
const provider: AccountRule = (who) => (who.isProvider ? YES : no(ONLY_PROVIDERS))
const directOrChannel: AccountRule = (_who, on) =>
  on.orgType === 'Direct' || on.orgType === 'Channel' ? YES : no(NOT_DIRECT_OR_CHANNEL)
/** The PIN is for contacts and staff, not for those who only have sales access. */
const contactsAndStaff: AccountRule = (who, on) =>
  isStaff(who) || on.contactRole !== null || on.isFNPLicenseGenerator ? YES : no(NOT_ENOUGH_PERMISSIONS)

/** Every rule of an action must say yes; the first "no" is the answer. */
const ACCOUNT_ACTIONS = {
  'account.info': [anyone],
  'account.read': [anyone],
  'contacts.read': [notShutOut],
  'contacts.write': [notShutOut, granters],
  'contacts.grant-coordinator': [busops],
  'contacts.switches': [busops],
  'contacts.view-as': [staff],
  'emails.read': [notShutOut, directOrChannel],
  'emails.delete': [notShutOut, directOrChannel, writers],
  'emails.resend': [notShutOut, directOrChannel, staff, writers],
  'elastic.read': [anyone],
  'elastic.mail-statement': [anyone],
  'elastic.schedule-statements': [notShutOut, writers],
  'elastic.unlock-pin': [staff],
  'credentials.read': [notShutOut, contactsAndStaff],
  'credentials.write': [notShutOut, writers],
  'ip-rules.read': [notShutOut],
  'ip-rules.write': [notShutOut, writers],
  'limits.read': [notShutOut],
  'limits.write': [notShutOut, writers],
  'audit.read': [notShutOut, auditors],
  'reminders.read': [notShutOut],
  'reminders.write': [notShutOut, writers],
  'tokens.read': [notShutOut, granters],
  'tokens.create': [notShutOut, administrators],
  'tokens.write': [notShutOut, granters],
  'sign-in-provider.manage': [notShutOut, granters],
  'requests.read': [notShutOut],
  'requests.ask': [notShutOut],
  'requests.decide': [notShutOut, writers],
  'requests.rules': [notShutOut, granters],
  'webhooks.manage': [notShutOut, granters],
  'access-review.manage': [notShutOut, granters],
  'provisioning.sync': [provider, notShutOut],
  'provisioning.manage': [notShutOut, granters],
  'planner.write': [selfServe, writers],
  'ssl.read': [selfServe],
  'activations.read': [withSsl, selfServe],
  'activations.write': [withSsl, selfServe, writers],
  'activations.override-maintenance': [busops],
  'activations.force-return': [busops],
  // Those who may only look need seats as well, so they wait for them as others do.
  'license-use.wait': [withSsl, selfServe, ownPeople],
  'fsa.read': [selfServe],
  'fsa.order': [selfServe, writers],
  'fsa.manual-lines': [busops],
  'web-licenses.read': [anyone],
  'web-licenses.write': [notShutOut, writers],
} as const satisfies Record<string, readonly AccountRule[]>

export type AccountAction = keyof typeof ACCOUNT_ACTIONS

/** The one account action that an export denial leaves open: it is how the browser learns of the denial. */
const DESPITE_EXPORT: AccountAction = 'account.info'

export function can(who: Actor, action: AccountAction, on: Standing | undefined): Decision {
  if (!on || !seesAccount(who, on)) return HIDDEN
  if (action !== DESPITE_EXPORT && !isExportApproved(on.exportControlStatus)) return no(EXPORT_DENIED)
  for (const rule of ACCOUNT_ACTIONS[action]) {
    const decision = rule(who, on)
    if (!decision.allowed) return decision
  }
  return YES
}

/** Actions on the portal itself, which need no account. */
const PORTAL_ACTIONS = {
  'alerts.write': ['busops', 'admin'],
  'staff.write': ['busops', 'admin'],
  'service-keys.write': ['busops', 'admin'],
  'outbox.write': ['busops', 'admin'],
  'upkeep.read': ['busops', 'support', 'admin'],
  'audit.read': ['busops', 'support', 'sales', 'admin'],
  'accounts.overview': ['busops', 'support', 'sales', 'admin'],
} as const

export type PortalAction = keyof typeof PORTAL_ACTIONS

export function canOnPortal(who: Actor, action: PortalAction): Decision {
  return PORTAL_ACTIONS[action].some((role) => who.staff.has(role)) ? YES : no(NOT_ENOUGH_PERMISSIONS)
}
