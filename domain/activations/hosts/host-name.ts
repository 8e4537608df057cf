const HOST_NAME_MESSAGE = 'Please remove spaces and special characters.'
/** Maximum length of a name in a network. */
const MAX_HOST_NAME = 255
const TOO_LONG = `A host name has at most ${MAX_HOST_NAME} characters.`

const SPECIAL = /[\s`!@#$%^&*()+=[\]{};':"\\|,<>/?~]/
/** ASCII without spaces and special characters. */
const PLAIN = /^[A-Za-z0-9._-]+$/

/** Names that stand for "this computer" in a license file: the person has to fill in the real one. */
const PLACEHOLDERS: readonly string[] = ['this_host', 'localhost']
export const THIS_HOST = 'this_host'

export function normalizedHostName(name: string): string {
  return name.trim()
}

/** Letters of any language are allowed, as they are in the names of networks. */
export function hostNameError(name: string): string | undefined {
  const normalized = normalizedHostName(name)
  if (normalized.length > MAX_HOST_NAME) return TOO_LONG
  return writtenHostName(normalized) === undefined ? HOST_NAME_MESSAGE : undefined
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

/** Control, bidirectional and invisible characters, line separators and markup: none of them belongs in a name or an id. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}<>&]/u
const MAX_SHOWN = 100

function hasUnsafeCharacters(text: string): boolean {
  return UNSAFE.test(text)
}

/** Text from outside in a message: shortened, and without characters that could hide or reorder what follows. */
export function printable(text: string): string {
  const plain = text.toWellFormed().replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')
  return plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN).toWellFormed()}…` : plain
}
