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
    ['unchanged', '123456', '123456', {}, { change: false, cancel: false }],
    ['another valid PIN', '123456', '654321', { exportAlert: SAVE_PIN_FIRST }, { change: true, cancel: true }],
    [
      'too short',
      '123456',
      '12345',
      { error: PIN_NOT_VALID, exportAlert: PIN_NOT_VALID },
      { change: false, cancel: true },
    ],
    ['emptied', '123456', '', { error: PIN_NOT_VALID, exportAlert: PIN_NOT_VALID }, { change: false, cancel: true }],
    ['first PIN', null, '654321', { exportAlert: SAVE_PIN_FIRST }, { change: true, cancel: false }],
    ['no PIN', null, '', { error: PIN_NOT_VALID, exportAlert: PIN_NOT_VALID }, { change: false, cancel: false }],
    ['stored PIN not valid', '12', '654321', { exportAlert: SAVE_PIN_FIRST }, { change: true, cancel: false }],
  ])('%s', (_, stored, typed, texts, { change, cancel }) => {
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
