import { expect, test } from 'vitest'
import { crc32, createTokenText, isTokenText, RANDOM_BYTES } from '#domain/tokens/token-text.ts'

const ZEROS = createTokenText(new Uint8Array(RANDOM_BYTES))
const ONES = createTokenText(new Uint8Array(RANDOM_BYTES).fill(255))
const COUNTED = createTokenText(Uint8Array.from({ length: RANDOM_BYTES }, (_, index) => index))

test.each([
  ['', 0],
  ['123456789', 0xcbf43926],
  ['The quick brown fox jumps over the lazy dog', 0x414fa339],
])('the CRC-32 of "%s" is the published value', (text, crc) => {
  expect(crc32(text)).toBe(crc)
})

test('a token begins with lpc_ and has 53 characters, whatever its random bytes are', () => {
  for (const token of [ZEROS, ONES, COUNTED]) expect(token).toMatch(/^lpc_[0-9A-Za-z]{49}$/)
  expect(ZEROS.slice(0, 47)).toBe(`lpc_${'0'.repeat(43)}`)
  expect(new Set([ZEROS, ONES, COUNTED]).size).toBe(3)
})

test('refuses to make a token of too few random bytes', () => {
  expect(() => createTokenText(new Uint8Array(16))).toThrow('32 random bytes')
})

const swapped = COUNTED.slice(0, 20) + COUNTED[21] + COUNTED[20] + COUNTED.slice(22)
test.each<[what: string, text: string, expected: boolean]>([
  ['a token', COUNTED, true],
  ['the token of zeros', ZEROS, true],
  ['the token of ones', ONES, true],
  ['nothing', '', false],
  ['the prefix alone', 'lpc_', false],
  ['a wrong last character', COUNTED.slice(0, -1) + (COUNTED.endsWith('a') ? 'b' : 'a'), false],
  ['two characters that changed places', swapped, false],
  ['another case', COUNTED.toUpperCase(), false],
  ['a missing character', COUNTED.slice(0, -1), false],
  ['a further character', `${COUNTED}0`, false],
  ['a blank after it', `${COUNTED} `, false],
  ['a line end after it', `${COUNTED}\n`, false],
  ['the prefix of a service key', COUNTED.replace('lpc_', 'lpk_'), false],
  ['a character that is no digit of base 62', COUNTED.replace(/.$/, '-'), false],
  ['5,000 characters', `lpc_${'x'.repeat(5000)}`, false],
])('tells a token by its form and checksum: %s', (_, text, expected) => {
  expect(isTokenText(text)).toBe(expected)
})
