import { describe, expect, test } from 'vitest'
import {
  ALIAS_EMPTY,
  credentialsFile,
  isPin,
  PIN_NOT_VALID,
  pinForm,
  SAVE_PIN_FIRST,
} from '#domain/elastic/credentials/pin.ts'

test.each([
  ['123456', true],
  ['000000', true],
  ['012345', true],
  ['12345', false],
  ['1234567', false],
  ['12345.', false],
  ['1.2345', false],
  ['-12345', false],
  ['12 456', false],
  [' 123456', false],
  ['123456\n', false],
  ['12345a', false],
  ['1e1000', false],
  ['١٢٣٤٥٦', false],
  ['', false],
])('%j is a PIN: %s', (text, expected) => {
  expect(isPin(text)).toBe(expected)
})

describe('a typed PIN', () => {
  test.each([
    ['the stored PIN', '123456', '123456', {}],
    ['another valid PIN', '123456', '654321', { exportAlert: SAVE_PIN_FIRST }],
    ['a PIN that is too short', '123456', '12345', { error: PIN_NOT_VALID, exportAlert: PIN_NOT_VALID }],
    ['an emptied field', '123456', '', { error: PIN_NOT_VALID, exportAlert: PIN_NOT_VALID }],
    ['a first PIN', null, '654321', { exportAlert: SAVE_PIN_FIRST }],
    ['no PIN at all', null, '', { error: PIN_NOT_VALID, exportAlert: PIN_NOT_VALID }],
    ['a stored PIN that is not valid', '12', '654321', { exportAlert: SAVE_PIN_FIRST }],
  ])('with %s, the form says what is wrong', (_, stored, typed, texts) => {
    expect(pinForm(stored, typed, 'Main')).toEqual(texts)
  })

  test.each(['', '  '])('a server without an alias (%j) cannot be exported', (alias) => {
    expect(pinForm('123456', '123456', alias).exportAlert).toBe(ALIAS_EMPTY)
  })
})

test('the export is named after the server and holds its id, alias and PIN', () => {
  const { name, text } = credentialsFile({ id: 'cls-1', alias: 'Main "A"' }, '012345')
  expect(name).toBe('cls-1.json')
  expect(JSON.parse(text)).toEqual({ clsid: 'cls-1', Alias: 'Main "A"', PIN: '012345' })
})
