import { expect, test } from 'vitest'
import { withNewest } from '#web/app/customer/recent-accounts.ts'

const account = (number: string) => ({ number, name: `Account ${number}` })

test('puts the account opened last first, once', () => {
  expect(withNewest([account('1'), account('2')], account('2')).map((one) => one.number)).toEqual(['2', '1'])
})

test('takes the new name of a renamed account', () => {
  expect(withNewest([account('1')], { number: '1', name: 'New' })).toEqual([{ number: '1', name: 'New' }])
})

test('the list keeps eight accounts', () => {
  const many = Array.from({ length: 8 }, (_, index) => account(String(index)))
  expect(withNewest(many, account('new'))).toHaveLength(8)
})
