export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/**
 * The one text of a JSON value (RFC 8785): no blanks, the keys of an object in the order of their UTF-16 code units, numbers
 * and strings as JSON.stringify writes them.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const object = value as { readonly [key: string]: JsonValue }
  const fields = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] as JsonValue)}`)
  return `{${fields.join(',')}}`
}
