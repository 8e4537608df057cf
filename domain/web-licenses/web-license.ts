import type { EntitlementKind } from '#domain/entitlements/kind.ts'
import type { LicenseModelGroup } from '#domain/entitlements/license-model.ts'

/** Entitlements that people use through a browser: Named User is SUBSCRIPTION, Shared Web is CONCURRENT. */
export const WEB_LICENSE_KINDS = ['SUBSCRIPTION', 'CONCURRENT'] as const satisfies readonly EntitlementKind[]
export type WebLicenseKind = (typeof WEB_LICENSE_KINDS)[number]

export const WEB_LICENSE_MODELS = {
  SUBSCRIPTION: 'Named User',
  CONCURRENT: 'Shared Web',
} as const satisfies Record<WebLicenseKind, LicenseModelGroup>
export type WebLicenseModel = (typeof WEB_LICENSE_MODELS)[WebLicenseKind]
