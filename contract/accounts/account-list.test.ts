import { describe, expect, it } from 'vitest'
import { accountSearchFilter } from '#contract/accounts/account-list.ts'

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

  it('looks for any other text in the number or in the name', () => {
    expect(accountSearchFilter({ kind: 'contains', text: 'aero' })).toEqual({
      condition: 'ANY',
      criteria: [
        { name: 'AccountID', method: 'CONTAINS', value: 'aero', casefold: true },
        { name: 'AccountName', method: 'CONTAINS', value: 'aero', casefold: true },
      ],
    })
  })
})
