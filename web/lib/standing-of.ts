import type { AccountInfo } from '#contract/accounts/get-account-info.ts'
import { ADMINISTRATOR, type ContactRole, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import type { Standing } from '#domain/access/standing.ts'

/** The wire's flags in the words of the access rules, so that browser and server ask the same table. */
export function standingOf(info: AccountInfo): Standing {
  return {
    customerNumber: info.customerNumber,
    contactRole: contactRoleOf(info),
    isSalesAccess: info.isSalesAccess,
    isFNPLicenseGenerator: info.isFNPLicenseGenerator,
    isAccessDisabled: info.isAccessDisabled,
    exportControlStatus: info.ansysExportControlStatus,
    orgType: info.orgType,
    holdings: {
      elastic: info.hasElastic,
      ssl: info.hasSSL,
      fsa: info.hasFSA,
      sharedWeb: info.hasSharedLicense,
      namedUser: info.hasNamedLicense,
    },
  }
}

function contactRoleOf(info: AccountInfo): ContactRole | null {
  if (info.isAsc) return SUPPORT_COORDINATOR
  if (info.isPortalEdit) return ADMINISTRATOR
  return info.isPortalView ? VIEWER : null
}
