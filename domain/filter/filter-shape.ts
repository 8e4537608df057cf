import { quoted, refuse } from '#domain/filter/filter-error.ts'

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A key that nobody reads is a filter that would silently not be applied. */
export function refuseUnknownKeys(path: string, given: object, known: readonly string[]): void {
  for (const [key, value] of Object.entries(given))
    if (value !== undefined && !known.includes(key)) refuse(path, `unknown key ${quoted(key)}`)
}
