import { describe, expect, it, test } from 'vitest'
import { accountSearchFilter, accountSearchText, parseAccountSearch } from '#domain/accounts/account-search.ts'

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
  ])('%j', (typed, understood) => {
    expect(parseAccountSearch(typed)).toEqual(understood)
  })

  it('finds the account again by the text that stands for it', () => {
    const account = { number: '100003', name: 'Söhne, "Kraft" & (Partner) <script>' }
    expect(parseAccountSearch(accountSearchText(account))).toEqual(exact(account.number, account.name))
  })
})

describe('the filter of an account search', () => {
  it('wants both to be equal for "number (name)"', () => {
    expect(accountSearchFilter({ kind: 'exact', number: '100001', name: 'Aerodyne Motors' })).toEqual({
      condition: 'ALL',
      criteria: [
        { name: 'AccountID', method: 'EQUALS', value: '100001', casefold: true },
        { name: 'AccountName', method: 'EQUALS', value: 'Aerodyne Motors', casefold: true },
      ],
    })
  })

  it('otherwise looks for the text in the number or in the name', () => {
    expect(accountSearchFilter({ kind: 'contains', text: 'aero' })).toEqual({
      condition: 'ANY',
      criteria: [
        { name: 'AccountID', method: 'CONTAINS', value: 'aero', casefold: true },
        { name: 'AccountName', method: 'CONTAINS', value: 'aero', casefold: true },
      ],
    })
  })
})
