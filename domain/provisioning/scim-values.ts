import { refuse } from '#domain/provisioning/scim-problem.ts'
import { attributeNamed, type ScimAttribute } from '#domain/provisioning/scim-schema.ts'

/** In characters. */
export const MAX_TEXT = 1_000
/** Values of a list such as emails. */
const MAX_VALUES = 50

export type JsonObject = { readonly [name: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The value of an attribute as it is kept; undefined if it has none: null, an empty text, an empty list and an object without
 * values count as none. Some providers wrap a single value in a list, or in `{value: …}`.
 */
export function readValue(attribute: ScimAttribute, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined
  if (attribute.isList) return readList(attribute, value)
  const single = Array.isArray(value) ? unwrapped(attribute, value) : value
  if (single === null || single === undefined || single === '') return undefined
  if (attribute.type === 'complex') return readParts(attribute, single)
  const plain = isObject(single) && 'value' in single ? single.value : single
  return attribute.type === 'boolean' ? readBoolean(attribute.name, plain) : readText(attribute.name, plain)
}

function unwrapped({ name }: ScimAttribute, values: readonly unknown[]): unknown {
  if (values.length > 1) refuse('invalidValue', `${name} has one value, not ${values.length}.`)
  return values[0]
}

function readList(attribute: ScimAttribute, value: unknown): readonly JsonObject[] | undefined {
  const values = Array.isArray(value) ? value : [value]
  if (values.length > MAX_VALUES) refuse('tooMany', `${attribute.name} can have ${MAX_VALUES} values.`)
  const read = values.map((one) => readElement(attribute, one)).filter((one) => one !== undefined)
  return read.length > 0 ? read : undefined
}

export const readElement = (attribute: ScimAttribute, value: unknown): JsonObject | undefined =>
  readParts(attribute, typeof value === 'string' ? { value } : value)

/** The parts of a complex value under their own names. A text for one that has a `value` is that value. */
function readParts(attribute: ScimAttribute, value: unknown): JsonObject | undefined {
  const parts = attribute.parts ?? []
  const given = typeof value === 'string' && attributeNamed(parts, 'value') ? { value } : value
  if (!isObject(given)) return refuse('invalidValue', `${attribute.name} must be an object.`)
  const read: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(given)) {
    const known = attributeNamed(parts, name)
    const kept =
      known && !known.isReadOnly ? readValue({ ...known, name: `${attribute.name}.${known.name}` }, part) : undefined
    if (known && kept !== undefined) read[known.name] = kept
  }
  return Object.keys(read).length > 0 ? read : undefined
}

/** Providers send booleans as texts, too: "True", "False". */
export function readBoolean(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.trim().toLowerCase() : ''
  if (text === 'true') return true
  if (text === 'false') return false
  return refuse('invalidValue', `${name} must be true or false.`)
}

function readText(name: string, value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return refuse('invalidValue', `${name} must be a text.`)
  if (text.length > MAX_TEXT) refuse('invalidValue', `${name} can have ${MAX_TEXT} characters.`)
  // PostgreSQL reads no JSON with half a character in it.
  if (!text.isWellFormed() || text.includes('\0'))
    refuse('invalidValue', `${name} has a character that cannot be stored.`)
  return text.trim() === '' ? undefined : text
}
