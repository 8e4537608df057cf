type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** A schema that occurs several times becomes a component if its JSON has at least this length. */
const WORTH_A_NAME = 160
/** Keys that hold schemas by name, and are no schemas themselves. */
const BY_NAME = new Set(['properties', 'patternProperties', '$defs'])
/** Keys that hold values, which may look like schemas. */
const VALUES = new Set(['examples', 'example', 'default', 'enum', 'const'])

/**
 * Replaces schemas by references to named components: the given ones, those with a `title`, and those that stand in
 * several places. A title in
 * `full` is documented by that schema. `refs` are the references to the given ones, in their order.
 */
export function componentsOf(
  roots: readonly (readonly [name: string, schema: JsonObject])[],
  full: Readonly<Record<string, JsonObject>> = {},
) {
  const schemas = new Map<string, JsonObject>()
  const nameOf = new Map<string, string>()
  const uses = new Map<string, number>()
  for (const [, schema] of roots) count(schema)
  return { schemas, refs: roots.map(([name, schema]) => refTo(schema, name)) }

  function count(schema: JsonObject): void {
    const text = JSON.stringify(schema)
    const known = uses.get(text) ?? 0
    uses.set(text, known + 1)
    // The parts of a repeated schema are counted once: they are repeated together with it.
    if (known === 0) for (const [, child] of childrenOf(schema)) count(child)
  }

  function refTo(schema: JsonObject, wanted: string): JsonObject {
    const text = JSON.stringify(schema)
    const known = nameOf.get(text)
    if (known) return { $ref: `#/components/schemas/${known}` }
    const name = uniqueName(typeof schema.title === 'string' ? schema.title : wanted)
    nameOf.set(text, name)
    // Reserved before its parts are named, so that components stand in the order of their first use.
    schemas.set(name, schema)
    const { title: _, $id: __, ...rest } = full[name] ?? schema
    schemas.set(name, withRefs(rest, name))
    return { $ref: `#/components/schemas/${name}` }
  }

  function withRefs(schema: JsonObject, name: string): JsonObject {
    return mapChildren(schema, (child, place) => {
      const text = JSON.stringify(child)
      const isNamed = typeof child.title === 'string' || ((uses.get(text) ?? 0) > 1 && text.length > WORTH_A_NAME)
      const childName = place === '' ? name : `${name}${pascal(place)}`
      return isNamed ? refTo(child, childName) : withRefs(child, childName)
    })
  }

  function uniqueName(wanted: string): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? wanted : `${wanted}${number}`
      if (!schemas.has(name)) return name
    }
  }
}

/** 'fetchUsage/count' becomes FetchUsageCount. */
export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** The schemas directly inside of a schema, each with the name of its property, or '' where it has none. */
function childrenOf(schema: JsonObject): [place: string, child: JsonObject][] {
  const found: [string, JsonObject][] = []
  mapChildren(schema, (child, place) => {
    found.push([place, child])
    return child
  })
  return found
}

function mapChildren(schema: JsonObject, change: (child: JsonObject, place: string) => JsonObject): JsonObject {
  const changed = (value: Json, place: string): Json => {
    if (Array.isArray(value)) return value.map((one) => changed(one, place))
    return isObject(value) ? change(value, place) : value
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (VALUES.has(key) || !isObject(value)) return [key, VALUES.has(key) ? value : changed(value, '')]
      if (!BY_NAME.has(key)) return [key, changed(value, '')]
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one, name)]))]
    }),
  )
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
