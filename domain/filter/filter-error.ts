/** A filter or sorting that cannot be used. The message names the path and the error: "filter.criteria[2]: unknown field 'Foo'". */
export class FilterError extends Error {
  override readonly name = 'FilterError'
}

export function refuse(path: string, error: string): never {
  throw new FilterError(`${path}: ${error}`)
}

const SHOWN = 60

/** A value that the caller sent, shortened and cleaned for a message. */
export function quoted(text: string): string {
  const plain = text.toWellFormed().replace(/\p{Cc}/gu, '�')
  return `'${plain.length > SHOWN ? `${plain.slice(0, SHOWN).toWellFormed()}…` : plain}'`
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Refuses unknown keys: a misspelled filter would silently be ignored. */
export function refuseUnknownKeys(path: string, given: object, known: readonly string[]): void {
  for (const [key, value] of Object.entries(given))
    if (value !== undefined && !known.includes(key)) refuse(path, `unknown key ${quoted(key)}`)
}
