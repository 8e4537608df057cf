/** The PIN with which applications connect to an elastic license server: six digits, as text, because it may begin with 0. */
const PIN = /^[0-9]{6}$/
export const PIN_LENGTH = 6

export const PIN_NOT_VALID = 'PIN number is not valid. Please enter a 6 digits number.'
export const PIN_NOT_FOUND = 'PIN not found'
export const SAVE_PIN_FIRST = 'The PIN has unsaved changes. Change the PIN first, then export it.'
export const ALIAS_EMPTY = 'Alias should not be empty'

export function isPin(text: string): boolean {
  return PIN.test(text)
}

export type PinForm = {
  /** What the screen says under the field. */
  readonly error?: string
  /** Why id and PIN cannot be exported; absent if they can. */
  readonly exportAlert?: string
}

/** What is wrong with a PIN that was typed; `stored` is null while the server has none. */
export function pinForm(stored: string | null, typed: string, alias: string): PinForm {
  const isValid = isPin(typed)
  const isChanged = typed !== stored
  const exportAlert = alertBeforeExport(isValid, isChanged, alias)
  return {
    ...(isValid ? {} : { error: PIN_NOT_VALID }),
    ...(exportAlert === undefined ? {} : { exportAlert }),
  }
}

function alertBeforeExport(isValid: boolean, isChanged: boolean, alias: string): string | undefined {
  if (!isValid) return PIN_NOT_VALID
  if (isChanged) return SAVE_PIN_FIRST
  return alias.trim() === '' ? ALIAS_EMPTY : undefined
}

/** The file with id and PIN for those who install applications. */
export function credentialsFile(server: { id: string; alias: string }, pin: string): { name: string; text: string } {
  const content = { clsid: server.id, Alias: server.alias, PIN: pin }
  return { name: `${server.id}.json`, text: `${JSON.stringify(content, null, 2)}\n` }
}
