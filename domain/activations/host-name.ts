export const HOST_NAME_MESSAGE = 'Please remove spaces and special characters.'

/** What is left of ASCII without spaces and special characters. License files are plain ASCII, so nothing else can be written. */
const HOST_NAME = /^[A-Za-z0-9._-]+$/

/** Names that stand for "this computer" in a license file: the person has to fill in the real one. */
const PLACEHOLDERS: readonly string[] = ['this_host', 'localhost']
export const THIS_HOST = 'this_host'

export function normalizedHostName(name: string): string {
  return name.trim()
}

export function hostNameError(name: string): string | undefined {
  return HOST_NAME.test(normalizedHostName(name)) ? undefined : HOST_NAME_MESSAGE
}

export function isPlaceholderHostName(name: string): boolean {
  return PLACEHOLDERS.includes(normalizedHostName(name).toLowerCase())
}
