/** What an entitlement is to the portal; every entitlement is exactly one of these. */
export const ENTITLEMENT_KINDS = ['ELASTIC', 'FSA', 'CONCURRENT', 'SUBSCRIPTION', 'SSL'] as const
export type EntitlementKind = (typeof ENTITLEMENT_KINDS)[number]

/** What a caller may ask for. SSL (self-serve licensing) is everything but elastic units and spending accounts. */
export const ENTITLEMENT_TYPES = ['ALL', 'ELASTIC', 'FSA', 'SSL', 'SUBSCRIPTION', 'CONCURRENT'] as const
export type EntitlementType = (typeof ENTITLEMENT_TYPES)[number]

const SELF_SERVE: readonly EntitlementKind[] = ['CONCURRENT', 'SUBSCRIPTION', 'SSL']

export function kindsOf(type: EntitlementType): readonly EntitlementKind[] {
  if (type === 'ALL') return ENTITLEMENT_KINDS
  return type === 'SSL' ? SELF_SERVE : [type]
}

/** What an entitlement of a license model is to the portal, spending accounts apart. The database says the same of every row. */
export function kindOfModel(licenseModel: string): Exclude<EntitlementKind, 'FSA'> {
  if (licenseModel === 'Elastic-AEU') return 'ELASTIC'
  if (licenseModel === 'Named User') return 'SUBSCRIPTION'
  return licenseModel === 'Shared Web' || licenseModel === 'ConcurrentProduct' ? 'CONCURRENT' : 'SSL'
}
