import type { AccountInfo } from '#contract/accounts/get-account-info.ts'
import { isAsc, isPortalEdit, isPortalView } from '#domain/access/can.ts'
import { ADMINISTRATOR, STAFF_ROLES, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'

type AccountRow = { customer_number: string; name: string; support_email: string; time_zone: string }

export function toAccountInfo(actor: Actor, standing: Standing, row: AccountRow, today: string): AccountInfo {
  const { holdings } = standing
  return {
    customerNumber: row.customer_number,
    customerName: row.name,
    timeZone: row.time_zone,
    today,
    isPortalView: isPortalView(standing),
    isPortalEdit: isPortalEdit(standing),
    isAsc: isAsc(standing),
    isFNPLicenseGenerator: standing.isFNPLicenseGenerator,
    isAccessDisabled: standing.isAccessDisabled,
    isSalesAccess: standing.isSalesAccess,
    isSales: actor.staff.has('sales'),
    hasSSL: holdings.ssl,
    hasSharedLicense: holdings.sharedWeb,
    hasNamedLicense: holdings.namedUser,
    hasFSA: holdings.fsa,
    hasElastic: holdings.elastic,
    orgType: standing.orgType,
    supportEmail: row.support_email,
    ansysExportControlStatus: standing.exportControlStatus,
  }
}

const WIRE_ROLES: Record<string, string> = {
  [SUPPORT_COORDINATOR]: 'asc',
  [ADMINISTRATOR]: 'portaledit',
  [VIEWER]: 'portalview',
}

/** The role names of the wire: everyone is a user; contact roles count when they are held on any account. */
export function toRoles(actor: Actor, contactRoles: readonly string[]): string[] {
  const held = Object.entries(WIRE_ROLES).filter(([role]) => contactRoles.includes(role))
  return ['user', ...STAFF_ROLES.filter((role) => actor.staff.has(role)), ...held.map(([, name]) => name)]
}
