import { expect, test } from 'vitest'
import { TOO_MANY_TRANSACTIONS } from '#domain/elastic/usage/usage-export.ts'

test('refuses too many transactions in the words of the specification', () => {
  expect(TOO_MANY_TRANSACTIONS).toBe(
    'Total number of available transactions exceeds 30,000. Apply filters to reduce selection.',
  )
})
