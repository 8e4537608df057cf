import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { savePreferences } from '#contract/settings/preferences.ts'
import type { Pool } from '#server/db/database.ts'
import { NO_MEMORY } from '#server/identity/remembered-callers.ts'
import { accountsNamedIn } from '#server/operations/guard.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
/** The pool of the guard; the cache is off, so that every call loads its caller. */
let guardPool: Pool
let portal: Portal
beforeAll(async () => {
  const callers = (pool: Pool) => {
    guardPool = pool
    return NO_MEMORY
  }
  portal = await startPortal({}, { callers })
})
afterAll(() => portal.close())

test.each([
  ['that may be read', ['100001', '100002'], 200],
  ['of which one is not visible and one does not exist', ['100001', '100002', '100003', '999999'], 404],
])(
  'loads the caller before the body, and standings on several accounts %s in one statement after it',
  async (_, accounts, status) => {
    const ada = await portal.as(ADA)
    const tables = accounts.map((customerNumber) => ({ customerNumber, tableName: 'emailList' }))
    expect(
      await queriesOf(async () => expect((await ada(savePreferences, { body: { tables } })).status).toBe(status)),
    ).toEqual(['load-session', 'load-session', 'load-standings'])
  },
)

test('loads the caller and the standing in two statements where the path names the account', async () => {
  const ada = await portal.as(ADA)
  const call = async () =>
    expect((await ada(getAccountInfo, { params: { customerNumber: '100001' } })).status).toBe(200)
  expect(await queriesOf(call)).toEqual(['load-session', 'load-standing'])
})

/** The names of the statements that the guard sends in the meantime. */
async function queriesOf(work: () => Promise<void>): Promise<string[]> {
  const query = vi.spyOn(guardPool, 'query')
  await work()
  const statements = query.mock.calls.map(([statement]) => (statement as unknown as { name: string }).name)
  query.mockRestore()
  return statements
}

describe('named accounts', () => {
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

  test('an operation whose wire has another name for the customer number reads that name only', () => {
    const access = { kind: 'account', action: 'account.read', customerNumberIn: 'body' } as const
    const request = { body: { customerNumber: '1', customerid: '2' }, params: {}, query: {} }
    expect(accountsNamedIn(request, { ...access, customerNumberName: 'customerid' })).toEqual(['2'])
  })
})
