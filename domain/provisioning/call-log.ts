import { isObject } from '#domain/provisioning/scim-values.ts'

/** In characters. A PATCH with a thousand members is shorter. */
export const MAX_KEPT_REQUEST = 96 * 1024
export const MAX_KEPT_ANSWER = 16 * 1024
export const KEPT_CALLS = 200

const SECRET = /pass(word|phrase)|secret|token|authorization|credential/i
const REMOVED = '[removed]'

/** A body as the log of calls keeps it: providers send passwords, which the portal has no use for. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isObject(value)) return value
  const isSecretPath = Object.entries(value).some(
    ([name, path]) => name.toLowerCase() === 'path' && typeof path === 'string' && SECRET.test(path),
  )
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const isSecret = SECRET.test(name) || (isSecretPath && name.toLowerCase() === 'value')
      return [name, isSecret ? REMOVED : withoutSecrets(part)]
    }),
  )
}

export type KeptText = { readonly text: string | null; readonly isCut: boolean }

export function keptText(text: string | undefined, max: number): KeptText {
  if (text === undefined || text === '') return { text: null, isCut: false }
  const isCut = text.length > max
  return { text: (isCut ? text.slice(0, max) : text).toWellFormed().replaceAll('\0', ''), isCut }
}
