/** Roles that belong to a person, on every account. */
export const STAFF_ROLES = ['busops', 'support', 'sales', 'admin'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/** Roles that a contact holds on one account; the texts are those of the portal-access screen. */
export const ADMINISTRATOR = 'Licensing Portal Administrator'
export const VIEWER = 'Licensing Portal Viewer'
export const SUPPORT_COORDINATOR = 'Ansys Support Coordinator (Administrator)'
export const CONTACT_ROLES = [ADMINISTRATOR, VIEWER, SUPPORT_COORDINATOR] as const
export type ContactRole = (typeof CONTACT_ROLES)[number]

/** Rights that business operations give to one person on one account. */
export const ACCOUNT_GRANTS = ['sales-access', 'fnp-license-generator'] as const
export type AccountGrant = (typeof ACCOUNT_GRANTS)[number]

export function isStaffRole(text: string): text is StaffRole {
  return (STAFF_ROLES as readonly string[]).includes(text)
}

/** Scopes of a service key: one for each part of the service API. */
export const SERVICE_SCOPES = [
  'accounts',
  'catalog',
  'entitlements',
  'hosts',
  'license-use',
  'roles',
  'sessions',
  'usage',
  'web',
] as const
export type ServiceScope = (typeof SERVICE_SCOPES)[number]

export function isServiceScope(text: string): text is ServiceScope {
  return (SERVICE_SCOPES as readonly string[]).includes(text)
}

const MINUTE = 60_000
/** Roles from the identity provider are requested again after this time. */
export const RENEW_AFTER = 10 * MINUTE
/**
 * Roles that could not be confirmed for this long no longer count. The time after RENEW_AFTER bridges a short outage.
 */
const RELIED_ON_FOR = 15 * MINUTE

/** `due`: request them again, and go on meanwhile. `stale`: they do not count until the provider confirms them. */
export type ClaimRolesState = 'fresh' | 'due' | 'stale'

/** Without a check time the provider does not allow checks: such roles last as long as the session. */
export function claimRolesState(roles: readonly string[], checkedAt: Date | null, now: Date): ClaimRolesState {
  const age = checkedAt === null ? 0 : now.getTime() - checkedAt.getTime()
  if (age < RENEW_AFTER) return 'fresh'
  return age < RELIED_ON_FOR || roles.length === 0 ? 'due' : 'stale'
}
