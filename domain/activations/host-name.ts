import { hasUnsafeCharacters } from '#domain/activations/unsafe-text.ts'

export const HOST_NAME_MESSAGE = 'Please remove spaces and special characters.'

const SPECIAL = /[\s`!@#$%^&*()+=[\]{};':"\\|,<>/?~]/
/** What is left of ASCII without spaces and special characters. */
const PLAIN = /^[A-Za-z0-9._-]+$/

/** Names that stand for "this computer" in a license file: the person has to fill in the real one. */
const PLACEHOLDERS: readonly string[] = ['this_host', 'localhost']
export const THIS_HOST = 'this_host'

export function normalizedHostName(name: string): string {
  return name.trim()
}

/** Letters of any language are allowed, as they are in the names of networks. */
export function hostNameError(name: string): string | undefined {
  return writtenHostName(normalizedHostName(name)) === undefined ? HOST_NAME_MESSAGE : undefined
}

/** The name as a license file holds it, in plain ASCII: the network knows `büro` as `xn--bro-hoa`. Undefined if it is no name. */
export function writtenHostName(name: string): string | undefined {
  if (PLAIN.test(name)) return name
  if (SPECIAL.test(name.normalize('NFKC')) || hasUnsafeCharacters(name)) return undefined
  const written = URL.parse(`http://${name}`)?.hostname ?? ''
  return PLAIN.test(written) ? written : undefined
}

export function isPlaceholderHostName(name: string): boolean {
  return PLACEHOLDERS.includes(normalizedHostName(name).toLowerCase())
}
