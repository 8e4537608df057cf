/** The kinds of entitlements; every entitlement has exactly one. */
export const ENTITLEMENT_KINDS = ['ELASTIC', 'FSA', 'CONCURRENT', 'SUBSCRIPTION', 'SSL'] as const
export type EntitlementKind = (typeof ENTITLEMENT_KINDS)[number]

/**
 * The types that a caller may request. SSL (self-serve licensing) is everything but elastic units and spending
 * accounts.
 */
export const ENTITLEMENT_TYPES = ['ALL', 'ELASTIC', 'FSA', 'SSL', 'SUBSCRIPTION', 'CONCURRENT'] as const
export type EntitlementType = (typeof ENTITLEMENT_TYPES)[number]

const SELF_SERVE: readonly EntitlementKind[] = ['CONCURRENT', 'SUBSCRIPTION', 'SSL']

export function kindsOf(type: EntitlementType): readonly EntitlementKind[] {
  if (type === 'ALL') return ENTITLEMENT_KINDS
  return type === 'SSL' ? SELF_SERVE : [type]
}

/** The kind of an entitlement by its license model, spending accounts apart. The database has the same rule. */
export function kindOfModel(licenseModel: string): Exclude<EntitlementKind, 'FSA'> {
  if (licenseModel === 'Elastic-AEU') return 'ELASTIC'
  if (licenseModel === 'Named User') return 'SUBSCRIPTION'
  return licenseModel === 'Shared Web' || licenseModel === 'ConcurrentProduct' ? 'CONCURRENT' : 'SSL'
}
