/** Who may start sessions on an elastic license server. An empty list lets in everybody who knows the PIN. */
export const MAX_USERNAMES = 5000
const MAX_USERNAME_LENGTH = 128

export const USERNAMES_NOT_VALID = 'List of usernames is not valid. Please enter a valid list.'
export const TOO_MANY_USERNAMES = `At most ${MAX_USERNAMES.toLocaleString('en-US')} usernames can be allowed.`

/** Visible ASCII. Comma and semicolon would join two names in one line, and both would be blocked. */
const USERNAME = /^[\x21-\x2b\x2d-\x3a\x3c-\x7e]+$/

export type ReadUsernames =
  /** `repeated`: lines, counted from 1, that name somebody for the second time; they are not in `users`. */
  | { readonly users: string[]; readonly repeated: number[] }
  /** `lines`: which ones are wrong, counted from 1. */
  | { readonly error: string; readonly lines: number[] }

/** The stored form of a list: names are unique ignoring case, in the order and spelling of their first occurrence. */
export function readUsernames(lines: readonly string[]): ReadUsernames {
  const wrong = lines.flatMap((name, index) => (isUsername(name) ? [] : [index + 1]))
  if (wrong.length > 0) return { error: USERNAMES_NOT_VALID, lines: wrong }
  const users = new Map<string, string>()
  const repeated: number[] = []
  for (const [index, name] of lines.entries()) {
    const key = usernameKey(name)
    if (users.has(key)) repeated.push(index + 1)
    else users.set(key, name)
  }
  if (users.size > MAX_USERNAMES) return { error: TOO_MANY_USERNAMES, lines: [] }
  return { users: [...users.values()], repeated }
}

/** The lines of a textarea. Line breaks after the last name are ignored. */
export function linesOf(text: string): string[] {
  let end = text.length
  while (end > 0 && '\r\n'.includes(text[end - 1] ?? '')) end--
  return end === 0 ? [] : text.slice(0, end).split(/\r?\n/)
}

/** Usernames are compared without case. */
export function usernameKey(name: string): string {
  return name.toLowerCase()
}

export function sameUsernames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index])
}

function isUsername(name: string): boolean {
  return name.length <= MAX_USERNAME_LENGTH && USERNAME.test(name)
}
