import { describe, expect, it, test } from 'vitest'
import { accountSearchText, parseAccountSearch } from '#domain/accounts/account-search.ts'

describe('the account search text', () => {
  const contains = (text: string) => ({ kind: 'contains', text })
  const exact = (number: string, name: string) => ({ kind: 'exact', number, name })
  const invalid = { kind: 'invalid' }

  test.each([
    ['', { kind: 'empty' }],
    ['   ', { kind: 'empty' }],
    ['100001', contains('100001')],
    ['  aero ', contains('aero')],
    ['Aerodyne Motors', contains('Aerodyne Motors')],
    ['100%_\\', contains('100%_\\')],
    ['100001 (Aerodyne Motors)', exact('100001', 'Aerodyne Motors')],
    ['100001  ( Aerodyne Motors )', exact('100001', 'Aerodyne Motors')],
    ['100003 (Partner (Simulations) Ltd)', exact('100003', 'Partner (Simulations) Ltd')],
    ['100001 ()', contains('100001 ()')],
    ['(100001)', contains('(100001)')],
    ['Acme (UK)', contains('Acme (UK)')],
    ['Acme (UK) Ltd', contains('Acme (UK) Ltd')],
    ['100001 (Aerodyne', invalid],
    ['100001 Aerodyne)', invalid],
    [')(', invalid],
    ['aero\u0000dyne', invalid],
    ['aero\tdyne', invalid],
    ['a'.repeat(100), contains('a'.repeat(100))],
    ['a'.repeat(101), invalid],
  ])('the search text %j is parsed as %j', (typed, understood) => {
    expect(parseAccountSearch(typed)).toEqual(understood)
  })

  it('finds the account again by the text that stands for it', () => {
    const account = { number: '100003', name: 'Söhne, "Kraft" & (Partner) <script>' }
    expect(parseAccountSearch(accountSearchText(account))).toEqual(exact(account.number, account.name))
  })
})
