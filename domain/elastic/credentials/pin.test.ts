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

describe('what can be done with a typed PIN', () => {
  test.each([
    ['the stored PIN', '123456', '123456', {}, { change: false, cancel: false }],
    ['another valid PIN', '123456', '654321', { exportAlert: SAVE_PIN_FIRST }, { change: true, cancel: true }],
    [
      'a PIN that is too short',
      '123456',
      '12345',
      { error: PIN_NOT_VALID, exportAlert: PIN_NOT_VALID },
      { change: false, cancel: true },
    ],
    [
      'an emptied field',
      '123456',
      '',
      { error: PIN_NOT_VALID, exportAlert: PIN_NOT_VALID },
      { change: false, cancel: true },
    ],
    ['a first PIN', null, '654321', { exportAlert: SAVE_PIN_FIRST }, { change: true, cancel: false }],
    ['no PIN at all', null, '', { error: PIN_NOT_VALID, exportAlert: PIN_NOT_VALID }, { change: false, cancel: false }],
    [
      'a stored PIN that is not valid',
      '12',
      '654321',
      { exportAlert: SAVE_PIN_FIRST },
      { change: true, cancel: false },
    ],
  ])('the PIN form with %s offers what is possible', (_, stored, typed, texts, { change, cancel }) => {
    expect(pinForm(stored, typed, 'Main')).toEqual({ ...texts, canChange: change, canCancel: cancel })
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
