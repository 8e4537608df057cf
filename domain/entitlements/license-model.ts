/** How an entitlement is licensed, in the words of the screens; the vendor's own models are more than customers care for. */
export const LICENSE_MODEL_GROUPS = ['Network', 'Shared Web', 'FSA', 'Node Locked', 'Named User'] as const
export type LicenseModelGroup = (typeof LICENSE_MODEL_GROUPS)[number]

/** What a model is that stands in no group. */
const DEFAULT_GROUP: LicenseModelGroup = 'Network'

/** A product that says so in its name is node-locked, whatever model it was sold under. */
export const NODE_LOCKED_MARK = '(NODE)'

export const MODELS_OF_GROUP: Readonly<Record<LicenseModelGroup, readonly string[]>> = {
  Network: [
    'Network',
    'Network Testing',
    'Helic',
    'Ansoft Borrow',
    'Apache',
    'Ansoft',
    'Fluent',
    'Pay-Per-Use',
    'Evaluation',
    'Sequence',
    'Annual',
  ],
  'Shared Web': ['Shared Web', 'ConcurrentProduct'],
  FSA: ['FSA'],
  'Node Locked': ['Node Locked'],
  'Named User': ['Named User'],
}

const GROUP_OF_MODEL = new Map(
  LICENSE_MODEL_GROUPS.flatMap((group) => MODELS_OF_GROUP[group].map((model) => [model, group] as const)),
)

export function licenseModelGroup(licenseModel: string, productName: string): LicenseModelGroup {
  if (productName.includes(NODE_LOCKED_MARK)) return 'Node Locked'
  return GROUP_OF_MODEL.get(licenseModel) ?? DEFAULT_GROUP
}

/** Models that are not network ones: whatever is none of them falls to the default. */
export const MODELS_OUTSIDE_NETWORK: readonly string[] = LICENSE_MODEL_GROUPS.filter(
  (group) => group !== DEFAULT_GROUP,
).flatMap((group) => MODELS_OF_GROUP[group])
