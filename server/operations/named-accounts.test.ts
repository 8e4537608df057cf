import { expect, test } from 'vitest'
import { accountsNamedIn } from '#server/operations/named-accounts.ts'

const inBody = (body: unknown, customerNumbersIn: `${string}[]` | `${string}[].${string}`) =>
  accountsNamedIn({ body, params: {}, query: {} }, { kind: 'accounts', action: 'account.read', customerNumbersIn })

test.each([
  [{ group: ['1', '2', '1'] }, 'group[]', ['1', '2']],
  [{ tables: [{ customerNumber: '1' }, { customerNumber: '2' }] }, 'tables[].customerNumber', ['1', '2']],
  [{ tables: [1, 'a', null, {}, { customerNumber: 7 }, { customerNumber: '3' }] }, 'tables[].customerNumber', ['3']],
  [{ tables: 'text' }, 'tables[].customerNumber', []],
  [{}, 'group[]', []],
  [null, 'group[]', []],
  ['text', 'group[]', []],
] as const)('%j names at %s the accounts %j', (body, path, accounts) => {
  expect(inBody(body, path)).toEqual(accounts)
})

test('a request that names more than 100 accounts is refused', () => {
  const numbers = (count: number) => ({ group: Array.from({ length: count }, (_, at) => `${at}`) })
  expect(inBody(numbers(100), 'group[]')).toHaveLength(100)
  expect(() => inBody(numbers(101), 'group[]')).toThrow('A request can name at most 100 accounts')
})

test('an operation on one account names the account of its part of the request', () => {
  const request = { body: { customerNumber: '1' }, params: { customerNumber: '2' }, query: { customerNumber: ['3'] } }
  const access = { kind: 'account', action: 'account.read' } as const
  expect(accountsNamedIn(request, { ...access, customerNumberIn: 'body' })).toEqual(['1'])
  expect(accountsNamedIn(request, { ...access, customerNumberIn: 'params' })).toEqual(['2'])
  expect(accountsNamedIn(request, { ...access, customerNumberIn: 'query' })).toEqual([])
})
