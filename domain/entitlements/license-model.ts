/** License model groups in the words of the screens. The vendor has more models than customers need to know. */
export const LICENSE_MODEL_GROUPS = ['Network', 'Shared Web', 'FSA', 'Node Locked', 'Named User'] as const
export type LicenseModelGroup = (typeof LICENSE_MODEL_GROUPS)[number]

/** The group of a model that is in no other group. */
const DEFAULT_GROUP: LicenseModelGroup = 'Network'

/** A product with this mark in its name is node-locked, no matter which license model it has. */
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

/** Models of all groups other than Network, which is the default. */
export const MODELS_OUTSIDE_NETWORK: readonly string[] = LICENSE_MODEL_GROUPS.filter(
  (group) => group !== DEFAULT_GROUP,
).flatMap((group) => MODELS_OF_GROUP[group])
