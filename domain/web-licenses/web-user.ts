/** A person or a group on the screens and in files. */
export const MAX_NAME = 100

const NAME_REQUIRED = 'Name is required.'
const NAME_TOO_LONG = `A name has ${MAX_NAME} characters at most.`

/** A longer name is too long in any case. Normalizing thousands of accents takes quadratic time. */
const MAX_READ = 1000

/** Without control characters, and with single blanks: names that look alike are alike. */
export function readName(text: string): string {
  return text
    .slice(0, MAX_READ)
    .normalize('NFC')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
}

export function groupNameError(text: string): string | undefined {
  const name = readName(text)
  if (name === '') return NAME_REQUIRED
  return name.length > MAX_NAME ? NAME_TOO_LONG : undefined
}

export function userNameError(text: string): string | undefined {
  return readName(text).length > MAX_NAME ? NAME_TOO_LONG : undefined
}

/** Group names are compared ignoring case. */
export const groupKey = (name: string): string => readName(name).toLowerCase()
