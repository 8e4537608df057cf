/** One value of what was before and after an act, by its path: `lines[0].count`. */
export type ComparedValue = {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
  readonly isChanged: boolean
}

/** What was before and after an act, value by value, in the order in which they are stored. */
export function compareStates(before: unknown, after: unknown): ComparedValue[] {
  const [were, are] = [valuesIn(before), valuesIn(after)]
  const paths = [...new Set([...were.keys(), ...are.keys()])]
  return paths.map((path) => {
    const [was, is] = [were.get(path), are.get(path)]
    return { path, before: was, after: is, isChanged: was !== is }
  })
}

function valuesIn(state: unknown): Map<string, string> {
  const found = new Map<string, string>()
  collect(state, '', found)
  return found
}

function collect(value: unknown, path: string, found: Map<string, string>): void {
  if (value === null || value === undefined) {
    if (path !== '') found.set(path, '')
  } else if (Array.isArray(value)) {
    if (value.length === 0 && path !== '') found.set(path, 'none')
    value.forEach((element, index) => {
      collect(element, `${path}[${index + 1}]`, found)
    })
  } else if (typeof value === 'object') {
    for (const [name, element] of Object.entries(value)) collect(element, path === '' ? name : `${path}.${name}`, found)
  } else found.set(path, String(value))
}
