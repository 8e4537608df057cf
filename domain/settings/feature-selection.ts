export type FeatureChoice = { readonly name: string; readonly conflicts: readonly string[] }

export const SELECTION_CONFLICT = 'Selections are in conflict. Deselect one or more option.'

/** Pairs of selected features that cannot be combined; a conflict that only one side lists counts too. */
export function conflictsAmong(features: readonly FeatureChoice[], selected: ReadonlySet<string>): [string, string][] {
  const pairs = new Map<string, [string, string]>()
  for (const { name, conflicts } of features) {
    if (!selected.has(name)) continue
    for (const other of conflicts) {
      if (!selected.has(other) || other === name) continue
      const pair = [name, other].sort() as [string, string]
      pairs.set(pair.join('\n'), pair)
    }
  }
  return [...pairs.values()]
}
