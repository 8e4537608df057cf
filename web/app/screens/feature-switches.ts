import type { Feature } from '#contract/settings/features.ts'

export type FeatureSwitches = {
  /** Whether a route may be entered: a flag that nobody keeps is open. */
  isOpen(name: string): boolean
  /** Whether a variant was chosen: a flag that nobody keeps was not. */
  isChosen(name: string): boolean
}

export function featureSwitches(features: readonly Feature[]): FeatureSwitches {
  const enabled = new Map(features.map((feature) => [feature.name, feature.enabled]))
  return {
    isOpen: (name) => enabled.get(name) ?? true,
    isChosen: (name) => enabled.get(name) ?? false,
  }
}
