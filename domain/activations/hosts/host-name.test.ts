import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hostNameError,
  isPlaceholderHostName,
  normalizedHostName,
  writtenHostName,
} from '#domain/activations/hosts/host-name.ts'

const MESSAGE = 'Please remove spaces and special characters.'

test.each([
  'lic-berlin-01',
  'LIC_01',
  'lic.example.com',
  '10.0.0.7',
  ' padded\t',
  'this_host',
  'a',
  'büro',
  'şanlıurfa-1',
  '東京.example',
])('a host name can be %j', (name) => {
  expect(hostNameError(name)).toBe(undefined)
})

describe('refuses every forbidden character at any position', () => {
  test.each([...' `!@#$%^&*()+=[]{};\':"\\|,<>/?~'])('a host name with %j is refused', (character) => {
    expect(hostNameError(`lic${character}01`)).toBe(MESSAGE)
    if (character.trim() !== '') expect(hostNameError(`${character}lic`)).toBe(MESSAGE)
  })
})

test.each([
  ['nothing', ''],
  ['only spaces', '   '],
  ['a line feed', 'lic\n01'],
  ['a carriage return', 'lic\r01'],
  ['a null character', 'lic\u0000'],
  ['a right-to-left override', 'lic\u202e10'],
  ['a bidirectional isolate', '\u2066lic'],
  ['a zero-width space', 'lic\u200b01'],
  ['a line separator', 'lic\u202801'],
  ['markup', '<b>lic</b>'],
  ['an entity', 'lic&amp;01'],
  ['a full-width quote', 'lic＂01'],
  ['a picture that no network name can hold', '\u{1f1e6}\u200d'],
  ['an IPv6 address', 'fe80::1'],
])('a host name that is %s is refused', (_, name) => {
  expect(hostNameError(name)).toBe(MESSAGE)
})

test('accepts 255 characters and no more', () => {
  expect(hostNameError(` ${'a'.repeat(255)} `)).toBe(undefined)
  expect(hostNameError('a'.repeat(256))).toBe('A host name has at most 255 characters.')
})

test.each([
  ['lic-01', 'lic-01'],
  ['büro', 'xn--bro-hoa'],
  ['büro.example.com', 'xn--bro-hoa.example.com'],
  ['ｌｉｃ', 'lic'],
  ['a b', undefined],
])('%j is written as %j', (name, written) => {
  expect(writtenHostName(name)).toBe(written)
})

test('every accepted name is written as one plain word', () => {
  const characters = fc.constantFrom(
    ...'aZ9._- \t\n\r"\\#=,',
    '\u0000',
    '\u0085',
    '\u00a0',
    '\u202e',
    '\u2028',
    'é',
    '😀',
  )
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 8 }), (name) => {
      if (hostNameError(name) === undefined)
        expect(writtenHostName(normalizedHostName(name))).toMatch(/^[A-Za-z0-9._-]+$/)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['this_host', true],
  ['THIS_HOST', true],
  ['localhost', true],
  ['localhost.example.com', false],
  ['lic-01', false],
])('%s is a placeholder: %s', (name, isPlaceholder) => {
  expect(isPlaceholderHostName(name)).toBe(isPlaceholder)
})
