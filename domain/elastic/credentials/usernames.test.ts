import { describe, expect, test } from 'vitest'
import {
  linesOf,
  MAX_USERNAMES,
  readUsernames,
  sameUsernames,
  TOO_MANY_USERNAMES,
  USERNAMES_NOT_VALID,
} from '#domain/elastic/credentials/usernames.ts'

describe('a username', () => {
  test.each(['anna', 'ANNA', 'a.meyer', 'AERODYNE\\anna', 'anna@aerodyne.example', "o'neil", 'x'.repeat(128)])(
    '%j is valid',
    (name) => {
      expect(readUsernames([name])).toEqual({ users: [name], repeated: [] })
    },
  )

  test.each([
    '',
    ' ',
    'anna meyer',
    ' anna',
    'anna ',
    'an\tna',
    'jürgen',
    'anna\u00a0',
    'a,b',
    'a;b',
    'x'.repeat(129),
    'a\u0000',
    '😀',
  ])('%j is not valid', (name) => {
    expect(readUsernames(['first', name])).toEqual({ error: USERNAMES_NOT_VALID, lines: [2] })
  })
})

test('an empty list is valid: everybody is allowed', () => {
  expect(readUsernames([])).toEqual({ users: [], repeated: [] })
})

test('a name that differs only in case is kept once, and its lines are pointed out', () => {
  expect(readUsernames(['Anna', 'bob', 'ANNA', 'anna'])).toEqual({ users: ['Anna', 'bob'], repeated: [3, 4] })
})

test('a list has a limit', () => {
  const names = Array.from({ length: MAX_USERNAMES + 1 }, (_, index) => `user${index}`)
  expect(readUsernames(names)).toEqual({ error: TOO_MANY_USERNAMES, lines: [] })
  expect(readUsernames(names.slice(1))).toMatchObject({ repeated: [] })
})

test.each([
  ['', []],
  ['\n', []],
  ['anna', ['anna']],
  ['anna\nbob\n', ['anna', 'bob']],
  ['anna\r\nbob\r\n\r\n', ['anna', 'bob']],
  ['anna\n\nbob', ['anna', '', 'bob']],
  ['\nanna', ['', 'anna']],
])('the text %j has the lines %j', (text, lines) => {
  expect(linesOf(text)).toEqual(lines)
})

test.each([
  [['a', 'b'], ['a', 'b'], true],
  [['a', 'b'], ['b', 'a'], false],
  [['a'], ['A'], false],
  [[], [], true],
  [['a'], [], false],
])('%j and %j are the same list: %s', (one, other, expected) => {
  expect(sameUsernames(one, other)).toBe(expected)
})
