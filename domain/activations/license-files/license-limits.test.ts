import { describe, expect, test } from 'vitest'
import { licenseFileExcess, MAX_LICENSE_FILE } from '#domain/activations/license-files/license-limits.ts'
import { readLicenseFile } from '#domain/activations/license-files/license-reader.ts'
import { licenseText } from '#domain/activations/license-files/license-text.ts'
import { issue, leased } from '#domain/activations/testing/license-samples.ts'

describe('limits of license files', () => {
  test.each<[string, string, string]>([
    ['over 1 MB', ' '.repeat(MAX_LICENSE_FILE + 1), 'This file is too large. The limit is 1 MB.'],
    ['of line feeds alone', '\n'.repeat(20_001), 'This file has more than 20,000 lines.'],
    ['of carriage returns alone', '\r'.repeat(20_001), 'This file has more than 20,000 lines.'],
    ['of too many words', `INCREMENT ${'a '.repeat(200_000)}`, 'This file has more than 200,000 words.'],
    ['of too many hosts', 'server a 001a2b3c4d5e\n'.repeat(101), 'This file has more than 100 SERVER lines.'],
    ['with a long line', `\nNOTICE="${'a'.repeat(20_000)}"`, 'Line 2 has more than 20,000 characters.'],
    ['with a long SERVER line', `SERVER a ${'b'.repeat(1000)}`, 'Line 1 has more than 1,000 characters.'],
    [
      'with a long number',
      `\r\nINCREMENT f v 1 0 1 VENDOR_STRING=customer:${'0'.repeat(41)}`,
      'Line 2 has a number of more than 40 digits.',
    ],
  ])('a license file %s is refused', (_, text, reason) => {
    expect(licenseFileExcess(text)).toBe(reason)
    expect(readLicenseFile(text)).toEqual({ kind: 'too large', reason })
  })
})

test.each<[string, string]>([
  ['20,000 lines', '\r\n'.repeat(20_000)],
  ['200,000 words', 'a b c d e f g h i j\n'.repeat(20_000)],
  ['100 SERVER lines', 'SERVER a 001a2b3c4d5e\n'.repeat(100)],
  ['a line of 20,000 characters', 'a'.repeat(20_000)],
  ['a number of 40 digits', '0'.repeat(40)],
  ['nothing', ''],
])('a license file may have %s', (_, text) => {
  expect(licenseFileExcess(text)).toBe(undefined)
})

test('the largest file that this portal writes within 1 MB is within every other limit', () => {
  const sign = () => 'A'.repeat(128)
  const activations = Array.from({ length: 700 }, (_, index) => ({
    ...leased,
    activationId: `f3a1c0de-0001-4000-8000-${String(index).padStart(12, '0')}`,
  }))
  const text = licenseText(activations, { ...issue, keyId: 'portal-0123456789ab' }, sign) ?? ''
  expect(text.length).toBeGreaterThan(MAX_LICENSE_FILE * 0.5)
  expect(licenseFileExcess(text)).toBe(undefined)
})
