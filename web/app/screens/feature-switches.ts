import type { Feature } from '#contract/settings/features.ts'

export type FeatureSwitches = {
  /** Whether a route may be entered. Unknown flags are enabled. */
  isOpen(name: string): boolean
  /** Whether a variant was chosen. Unknown flags are not chosen. */
  isChosen(name: string): boolean
}

export function featureSwitches(features: readonly Pick<Feature, 'name' | 'enabled'>[]): FeatureSwitches {
  const enabled = new Map(features.map((feature) => [feature.name, feature.enabled]))
  return {
    isOpen: (name) => enabled.get(name) ?? true,
    isChosen: (name) => enabled.get(name) ?? false,
  }
}
