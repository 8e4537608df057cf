/** Control, bidirectional and invisible characters, line separators and markup: none of them belongs in a name or an id. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}<>&]/u
const LONGEST_SHOWN = 100

export function hasUnsafeCharacters(text: string): boolean {
  return UNSAFE.test(text)
}

/** Text of a stranger inside a message: short, and without characters that could hide or reorder what follows. */
export function printable(text: string): string {
  const plain = text.toWellFormed().replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')
  return plain.length > LONGEST_SHOWN ? `${plain.slice(0, LONGEST_SHOWN).toWellFormed()}…` : plain
}
