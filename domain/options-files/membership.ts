import type { OptionsReading } from '#domain/license-use/logs/options-reader.ts'

type Named = Pick<OptionsReading['rules'][number], 'type' | 'name'>

/** So many names are compared for one file. Groups of thousands, each excluded in thousands of lines, would take minutes. */
const MAX_STEPS = 2_000_000

/** Who is meant by the rules of a file, users and hosts apart. */
export function createMembership({ groups, hostGroups, caseInsensitiveGroups }: OptionsReading) {
  const keyOf = (name: string) => (caseInsensitiveGroups ? name.toLowerCase() : name)
  const toMap = (all: OptionsReading['groups']) =>
    new Map(all.map(({ name, members }) => [keyOf(name), new Set(members)]))
  const [users, hosts] = [toMap(groups), toMap(hostGroups)]
  let steps = 0

  function namesOf({ type, name }: Named): { readonly kind: string; readonly names: ReadonlySet<string> } {
    if (type === 'GROUP') return { kind: 'USER', names: users.get(keyOf(name)) ?? new Set() }
    if (type === 'HOST_GROUP') return { kind: 'HOST', names: hosts.get(keyOf(name)) ?? new Set() }
    return { kind: type, names: new Set([name]) }
  }

  return {
    namesOf,
    /** Names that both rules mean. */
    namesInBoth(one: Named, other: Named): string[] {
      const [left, right] = [namesOf(one), namesOf(other)]
      if (left.kind !== right.kind || steps > MAX_STEPS) return []
      const [few, many] = left.names.size < right.names.size ? [left.names, right.names] : [right.names, left.names]
      steps += few.size + 1
      return [...few].filter((name) => many.has(name))
    },
    isExhausted: () => steps > MAX_STEPS,
  }
}
