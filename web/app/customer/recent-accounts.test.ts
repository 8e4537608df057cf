import { expect, test } from 'vitest'
import { recentAccountsIn, withNewest } from '#web/app/customer/recent-accounts.ts'

const account = (number: string) => ({ number, name: `Account ${number}` })

test('the account opened last comes first and is there once', () => {
  expect(withNewest([account('1'), account('2')], account('2')).map((one) => one.number)).toEqual(['2', '1'])
})

test('an account that was renamed keeps its new name', () => {
  expect(withNewest([account('1')], { number: '1', name: 'New' })).toEqual([{ number: '1', name: 'New' }])
})

test('eight are kept', () => {
  const many = Array.from({ length: 8 }, (_, index) => account(String(index)))
  expect(withNewest(many, account('new'))).toHaveLength(8)
})

test.each([[undefined], [''], ['{'], ['null'], ['"x"'], ['[1,null,{"number":1}]']])(
  '%j is no list of accounts',
  (stored) => {
    expect(recentAccountsIn(stored)).toEqual([])
  },
)
