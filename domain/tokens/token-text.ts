/**
 * lpc_ + 43 random characters + 6 characters of checksum. Secret scanners find tokens by the prefix. The checksum tells a
 * mistyped or made-up token from a real one without a look at the database.
 */
export const TOKEN_PREFIX = 'lpc_'
/** 32 random bytes, which have at most 43 digits in base 62. */
export const RANDOM_BYTES = 32
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
/** Letters and digits alone: a double click selects the whole token. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORM = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

export function createTokenText(random: Uint8Array): string {
  if (random.length !== RANDOM_BYTES) throw new Error(`a token is made of ${RANDOM_BYTES} random bytes`)
  const number = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  const begin = TOKEN_PREFIX + inBase62(number, RANDOM_LENGTH)
  return begin + checksumOf(begin)
}

/** Whether a text has the form of a token and its checksum is right. */
export function isTokenText(text: string): boolean {
  return FORM.test(text) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH)))
}

const checksumOf = (begin: string) => inBase62(BigInt(crc32(begin)), CHECKSUM_LENGTH)

function inBase62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text
  return text
}

/** CRC-32 as in zip files, of a text of ASCII characters. */
export function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
