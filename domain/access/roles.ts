/** Roles that belong to a person, whatever account is selected. */
export const STAFF_ROLES = ['busops', 'support', 'sales', 'admin'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/** Roles that a contact holds on one account; the texts are those of the portal-access screen. */
export const ADMINISTRATOR = 'Licensing Portal Administrator'
export const VIEWER = 'Licensing Portal Viewer'
export const SUPPORT_COORDINATOR = 'Ansys Support Coordinator (Administrator)'
export const CONTACT_ROLES = [ADMINISTRATOR, VIEWER, SUPPORT_COORDINATOR] as const
export type ContactRole = (typeof CONTACT_ROLES)[number]

export function isStaffRole(text: string): text is StaffRole {
  return (STAFF_ROLES as readonly string[]).includes(text)
}

/** What a service key may do: one scope for each door of the service API. */
export const SERVICE_SCOPES = [
  'accounts',
  'catalog',
  'entitlements',
  'hosts',
  'roles',
  'sessions',
  'usage',
  'web',
] as const
export type ServiceScope = (typeof SERVICE_SCOPES)[number]

export function isServiceScope(text: string): text is ServiceScope {
  return (SERVICE_SCOPES as readonly string[]).includes(text)
}
